/// The origin of a request as proxies report it, in `Forwarded` (RFC 7239) or `X-Forwarded-For`.
///
/// Read as bytes: as characters it takes three times as long.
enum ForwardedFor {
    private typealias Text = Substring.UTF8View

    /// The hops that `X-Forwarded-For` names, the nearest last; nil for a hop that is not an address.
    static func plain(_ value: String) -> [SocketAddress.IP?] {
        value[...].utf8.split(separator: UInt8(ascii: ",")).map { address(of: $0.trimmed) }
    }

    /// The hops that `Forwarded` names, the nearest last; nil for a hop that is not an address, or is hidden.
    static func standard(_ value: String) -> [SocketAddress.IP?] {
        var hops: [SocketAddress.IP?] = []
        for element in parts(of: value[...].utf8, at: UInt8(ascii: ",")) where !element.trimmed.isEmpty {
            let nodes = parts(of: element, at: UInt8(ascii: ";")).compactMap { node(in: $0.trimmed) }
            hops.append(nodes.count == 1 ? address(of: nodes[0]) : nil)
        }
        return hops
    }

    /// Parts a text at a separator that stands outside of quoted strings (RFC 9110 §5.6.4).
    private static func parts(of text: Text, at separator: UInt8) -> [Text] {
        var (isQuoted, isEscaped) = (false, false)
        return text.split(omittingEmptySubsequences: false) { byte in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            return byte == separator && !isQuoted
        }
    }

    /// The value of a pair `for=…`, out of its quotes; nil for another pair. An escape stays: no address needs one.
    private static func node(in pair: Text) -> Text? {
        guard Substring(pair.prefix(4)).lowercased() == "for=" else { return nil }
        let value = pair.dropFirst(4)
        let quote = UInt8(ascii: "\"")
        return value.count >= 2 && value.first == quote && value.last == quote ? value.dropFirst().dropLast() : value
    }

    /// The address of a node: "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80".
    private static func address(of node: Text) -> SocketAddress.IP? {
        if node.first == UInt8(ascii: "[") {
            guard let end = node.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let next = node[node.index(after: end)...].first
            guard next == nil || next == UInt8(ascii: ":") else { return nil }
            return SocketAddress.IP(String(Substring(node[..<end].dropFirst())))
        }
        if let ip = SocketAddress.IP(String(Substring(node))) { return ip }
        guard let colon = node.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return SocketAddress.IP(String(Substring(node[..<colon])))
    }
}

extension Substring.UTF8View {
    /// Without blanks and tabs around it (RFC 9110 §5.6.3).
    fileprivate var trimmed: Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var trimmed = drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }
}
