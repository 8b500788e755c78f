#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The network that this machine shares with phones and other computers in the house.
enum LocalNetwork {
    /// This machine's address there, by the route to other networks; nil: there is none.
    ///
    /// A datagram socket is connected to an address that documents use (RFC 5737), which sends nothing: the kernel only chooses
    /// the address it would send from.
    static func address() -> String? {
        #if canImport(Glibc)
            let type = Int32(SOCK_DGRAM.rawValue)
        #else
            let type = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(9).bigEndian
        guard inet_pton(AF_INET, "192.0.2.1", &address.sin_addr) == 1 else { return nil }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        guard found, inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count)) != nil else { return nil }
        let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.hasPrefix("127.") || name == "0.0.0.0" ? nil : name
    }
}
