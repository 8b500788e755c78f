/// What proxies say of where a request comes from, in `Forwarded` (RFC 7239) or `X-Forwarded-For`.
enum ForwardedFor {
    /// The hops that `X-Forwarded-For` names, the nearest last; nil for one that is no address.
    static func plain(_ value: String) -> [SocketAddress.IP?] {
        value.split(separator: ",").map { address(of: $0.trimmed) }
    }

    /// The hops that `Forwarded` names, the nearest last; nil for one that is no address, or hidden.
    static func standard(_ value: String) -> [SocketAddress.IP?] {
        var hops: [SocketAddress.IP?] = []
        for element in parts(of: value[...], at: ",") {
            guard !element.trimmed.isEmpty else { continue }
            let nodes = parts(of: element, at: ";").map(\.trimmed).filter { $0.lowercased().hasPrefix("for=") }
            hops.append(nodes.count == 1 ? address(of: unquoted(nodes[0].dropFirst(4))) : nil)
        }
        return hops
    }

    /// Parts a text at a separator that stands outside of quoted strings (RFC 9110 §5.6.4).
    private static func parts(of text: Substring, at separator: Character) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return text.split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
            return character == separator && !isQuoted
        }
    }

    /// A quoted string's content. Addresses need no escapes, so one that has some is none.
    private static func unquoted(_ text: Substring) -> Substring {
        text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text
    }

    /// The address of a node: "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80".
    private static func address(of node: Substring) -> SocketAddress.IP? {
        if node.hasPrefix("[") {
            guard let end = node.firstIndex(of: "]") else { return nil }
            let rest = node[node.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            return SocketAddress.IP(String(node[..<end].dropFirst()))
        }
        if let ip = SocketAddress.IP(String(node)) { return ip }
        guard let colon = node.firstIndex(of: ":") else { return nil }
        return SocketAddress.IP(String(node[..<colon]))
    }
}

extension Substring {
    /// Without blanks and tabs around it (RFC 9110 §5.6.3).
    fileprivate var trimmed: Substring {
        var trimmed = drop { $0 == " " || $0 == "\t" }
        while let last = trimmed.last, last == " " || last == "\t" { trimmed.removeLast() }
        return trimmed
    }
}
