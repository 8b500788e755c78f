/// An IP address and a port, or that a connection came by a Unix socket.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IP address without a port; an IPv4 address that came through an IPv6 socket counts as IPv4.
    public struct IP: Sendable, Hashable {
        /// Whether it is an IPv6 address.
        package let isIPv6: Bool
        let high: UInt64
        let low: UInt64

        init(isIPv6: Bool, high: UInt64, low: UInt64) {
            self.isIPv6 = isIPv6
            self.high = high
            self.low = low
        }

        /// The address that an IPv6 socket reports: ::ffff:a.b.c.d is an IPv4 peer (RFC 4291 §2.5.5.2).
        package init(ipv6High high: UInt64, low: UInt64) {
            let isMapped = high == 0 && low >> 32 == 0xFFFF
            self.init(isIPv6: !isMapped, high: high, low: isMapped ? low & 0xFFFF_FFFF : low)
        }

        /// The network of one subscriber: the IPv4 address, or the /64 of an IPv6 address (RFC 6177).
        package var network: IP { isIPv6 ? IP(isIPv6: true, high: high, low: 0) : self }
    }

    /// The address.
    public let ip: IP

    /// The port, 0...65535.
    public let port: UInt16

    /// Whether it is a Unix socket's, whose peers have no address: programs of this machine. ``ip`` is then 127.0.0.1
    /// and ``port`` 0, so that trusting forwarding headers of 127.0.0.1 includes those of a proxy on a Unix socket; a
    /// limit per client address does not count them.
    public let isUnixSocket: Bool

    /// The address of a Unix socket, and of its peers.
    public static let unixSocket = SocketAddress(
        ip: IP(isIPv6: false, high: 0, low: 0x7F00_0001), port: 0, isUnixSocket: true)

    /// An IPv4 address from its four octets.
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, port: UInt16) {
        let low = UInt64(a) << 24 | UInt64(b) << 16 | UInt64(c) << 8 | UInt64(d)
        self.init(ip: IP(isIPv6: false, high: 0, low: low), port: port)
    }

    init(ip: IP, port: UInt16, isUnixSocket: Bool = false) {
        self.ip = ip
        self.port = port
        self.isUnixSocket = isUnixSocket
    }

    /// The address in its usual notation, "127.0.0.1" or "::1".
    public var host: String { ip.description }

    /// Host and port as in a URL: "127.0.0.1:8080", "[::1]:8080"; "unix" for a Unix socket.
    public var description: String {
        if isUnixSocket { return "unix" }
        return ip.isIPv6 ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}

extension SocketAddress.IP: CustomStringConvertible {
    /// The address in its usual notation; IPv6 as RFC 5952 wants it.
    public var description: String {
        guard isIPv6 else {
            return "\(low >> 24 & 255).\(low >> 16 & 255).\(low >> 8 & 255).\(low & 255)"
        }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> (48 - 16 * UInt64($0 % 4))) }
        var longest = 0..<0
        var index = 0
        while index < 8 {
            let end = groups[index...].firstIndex { $0 != 0 } ?? 8
            if end - index > max(1, longest.count) { longest = index..<end }
            index = end + 1
        }
        func joined(_ part: some Sequence<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return joined(groups) }
        return joined(groups[..<longest.lowerBound]) + "::" + joined(groups[longest.upperBound...])
    }
}
