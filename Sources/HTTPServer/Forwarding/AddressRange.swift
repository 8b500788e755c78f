/// IP addresses with a common prefix (RFC 4632): "192.0.2.0/24", "2001:db8::/32", or a single one.
package struct AddressRange: Sendable, Hashable {
    private let start: SocketAddress.IP
    /// The bits that count, of the upper and the lower half of an address.
    private let high: UInt64
    private let low: UInt64

    /// Reads a range as it is usually written. nil if it is malformed, or if bits after the prefix are set:
    /// "192.0.2.1/24" is ambiguous.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let start = SocketAddress.IP(String(first)) else { return nil }
        let width = start.isIPv6 ? 128 : 32
        var length = width
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...width).contains(given) else { return nil }
            length = given
        }
        // An IPv4 address lies in the last 32 bits.
        let prefix = length + 128 - width
        high = prefix >= 64 ? .max : ~(.max >> UInt64(prefix))
        low = prefix <= 64 ? 0 : ~(.max >> UInt64(prefix - 64))
        guard start.high & ~high == 0, start.low & ~low == 0 else { return nil }
        self.start = start
    }

    /// Whether an address is one of these. One of IPv4 that is written as IPv6 counts as IPv4.
    package func contains(_ ip: SocketAddress.IP) -> Bool {
        ip.isIPv6 == start.isIPv6 && ip.high & high == start.high && ip.low & low == start.low
    }
}
