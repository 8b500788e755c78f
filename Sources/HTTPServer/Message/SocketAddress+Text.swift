#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SocketAddress.IP {
    /// Reads an address in its usual notation, "127.0.0.1" or "::1"; nil for anything else, a name for instance.
    package init?(_ text: String) {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(isIPv6: false, high: 0, low: UInt64(UInt32(bigEndian: ipv4.s_addr)))
            return
        }
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, text, &ipv6) == 1 else { return nil }
        let (high, low) = withUnsafeBytes(of: &ipv6) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(ipv6High: high, low: low)
    }
}
