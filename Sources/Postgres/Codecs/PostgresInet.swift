/// An `inet` or a `cidr`: an IPv4 or IPv6 address and the length of its network's prefix.
///
/// A parameter is an `inet`, which PostgreSQL makes a `cidr` where one is stored; elsewhere cast it, `$1::cidr`.
public struct PostgresInet: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    /// PostgreSQL's own numbers for the families, on every system (`utils/inet.h`).
    private static let ipv4Family: UInt8 = 2
    private static let ipv6Family: UInt8 = 3

    /// Whether it is an IPv6 address; else it is IPv4.
    public let isIPv6: Bool
    /// How many bits of the address are the network's: 0...32, or 0...128 for IPv6. All of them: it is one host.
    public let prefixLength: Int
    /// The address, the first bit the most significant; an IPv4 address is in the last 32 bits of `low`.
    private let high: UInt64
    private let low: UInt64

    /// An address from its bytes in network order, 4 or 16, and the length of the prefix, all bits if there is none.
    /// `nil` for another number of bytes, or a prefix longer than the address.
    public init?(bytes: [UInt8], prefixLength: Int? = nil) {
        self.init(bytes.span, prefixLength: prefixLength ?? bytes.count * 8)
    }

    private init?(_ bytes: Span<UInt8>, prefixLength: Int) {
        switch bytes.count {
        case 4:
            (high, low) = (0, UInt64(bytes.integer(at: 0, as: UInt32.self)))
        case 16:
            (high, low) = (bytes.integer(at: 0, as: UInt64.self), bytes.integer(at: 8, as: UInt64.self))
        default:
            return nil
        }
        guard 0...bytes.count * 8 ~= prefixLength else { return nil }
        isIPv6 = bytes.count == 16
        self.prefixLength = prefixLength
    }

    /// The address's bytes in network order, 4 or 16.
    public var bytes: [UInt8] {
        (0..<(isIPv6 ? 16 : 4)).map { index in
            let half = isIPv6 && index < 8 ? high : low
            let shift = isIPv6 ? 56 - index % 8 * 8 : 24 - index * 8
            return UInt8(truncatingIfNeeded: half >> UInt64(shift))
        }
    }

    /// Whether the prefix is the whole address.
    public var isHost: Bool { prefixLength == (isIPv6 ? 128 : 32) }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .inet }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) {
        writer.append(isIPv6 ? Self.ipv6Family : Self.ipv4Family)
        writer.append(UInt8(prefixLength))
        writer.append(0 as UInt8)  // not a cidr
        writer.append(UInt8(isIPv6 ? 16 : 4))
        writer.append(bytes: bytes)
    }

    /// Reads `inet` and `cidr`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .inet || type == .cidr else { throw .type(type) }
        guard bytes.count >= 4, bytes[0] == (bytes.count == 8 ? Self.ipv4Family : Self.ipv6Family),
            Int(bytes[3]) == bytes.count - 4,
            let value = Self(bytes.extracting(4..<bytes.count), prefixLength: Int(bytes[1]))
        else { throw .malformed }
        self = value
    }
}

extension PostgresInet: LosslessStringConvertible {
    /// Reads `192.0.2.1`, `2001:db8::1` (RFC 4291 §2.2) and either with a prefix, `192.0.2.0/24`. `nil` for any other
    /// text, numbers with zeros before them included: some read them as octal.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, let bytes = Self.ipv4(address) ?? Self.ipv6(address) else { return nil }
        guard parts.count == 2 else {
            self.init(bytes: bytes)
            return
        }
        guard let prefix = Self.number(parts[1], digits: 3, radix: 10) else { return nil }
        self.init(bytes: bytes, prefixLength: prefix)
    }

    /// As PostgreSQL writes an `inet`: with a prefix unless it is one host, IPv6 in the short form.
    public var description: String {
        (isIPv6 ? ipv6Text : Self.dotted(bytes[...])) + (isHost ? "" : "/\(prefixLength)")
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { number($0, digits: 3, radix: 10).flatMap { UInt8(exactly: $0) } }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: Substring) -> [UInt8]? {
        guard let gap = text.doubleColon else {
            guard let bytes = groups(text), bytes.count == 16 else { return nil }
            return bytes
        }
        guard let head = groups(text[..<gap]), let tail = groups(text[gap...].dropFirst(2)) else { return nil }
        let zeros = 16 - head.count - tail.count
        // An address in dots stands at the end only, and two colons stand for one group at least.
        guard zeros >= 2, !text[..<gap].contains(".") else { return nil }
        return head + Array(repeating: 0, count: zeros) + tail
    }

    /// Groups of four hexadecimal digits with colons between them, the last two perhaps as an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let address = ipv4(part) {
                bytes += address
            } else {
                guard let group = number(part, digits: 4, radix: 16) else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }

    private static func number(_ text: Substring, digits: Int, radix: Int) -> Int? {
        guard 1...digits ~= text.utf8.count, text.first?.isHexDigit == true,
            radix == 16 || text.utf8.count == 1 || text.first != "0"
        else { return nil }
        return Int(text, radix: radix)
    }

    private static func dotted(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }

    /// The longest run of two zero groups or more is left out; what embeds an IPv4 address ends with it, in dots
    /// (`pg_inet_net_ntop`).
    private var ipv6Text: String {
        let bytes = bytes
        let groups = (0..<8).map { Int(bytes[$0 * 2]) << 8 | Int(bytes[$0 * 2 + 1]) }
        var gap = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || groups[index] != 0 {
            if index - start >= 2, index - start > gap.count { gap = start..<index }
            start = index + 1
        }
        let embedsIPv4 = gap == 0..<6 || gap == 0..<5 && groups[5] == 0xFFFF
        var text = ""
        var index = 0
        while index < 8 {
            if index == gap.lowerBound, !gap.isEmpty {
                text += "::"
                index = gap.upperBound
                continue
            }
            if !text.isEmpty, !text.hasSuffix(":") { text += ":" }
            if embedsIPv4, index == 6 { return text + Self.dotted(bytes[12...]) }
            text += String(groups[index], radix: 16)
            index += 1
        }
        return text
    }
}

extension Substring {
    /// Where the only two colons that stand side by side begin.
    fileprivate var doubleColon: Index? {
        var found: Index?
        for index in indices where self[index...].hasPrefix("::") {
            guard found == nil else { return nil }
            found = index
        }
        return found
    }
}
