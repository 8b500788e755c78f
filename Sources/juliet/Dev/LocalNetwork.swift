#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The network that this machine shares with phones and other computers in the house.
enum LocalNetwork {
    /// An IPv4 address of one of this machine's network interfaces that are up, getifaddrs(3).
    struct Interface: Equatable {
        let name: String
        let address: String
        /// Only this machine, or one other, is on it: a VPN, or a container's end of a pair.
        let isForOneOnly: Bool
        /// Made for containers or virtual machines on this machine, by its name.
        var isVirtual: Bool {
            ["docker", "br-", "veth", "virbr", "lxc", "lxd", "podman", "cni", "vmnet", "bridge"].contains {
                name.hasPrefix($0)
            }
        }
    }

    /// This machine's address there; nil: there is none.
    static func address() -> String? { choose(from: interfaces(), routed: routedAddress()) }

    /// The address that phones in the house reach: the one on the route to other networks, unless that is a VPN; else
    /// the first on a network of several machines.
    static func choose(from interfaces: [Interface], routed: String?) -> String? {
        let shared = interfaces.filter {
            !$0.isForOneOnly && !$0.address.hasPrefix("127.") && !$0.address.hasPrefix("169.254.")
        }
        return shared.first { $0.address == routed }?.address ?? shared.first { !$0.isVirtual }?.address
    }

    /// The IPv4 addresses of the interfaces that are up.
    private static func interfaces() -> [Interface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var interfaces: [Interface] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = UInt32(entry.ifa_flags)
            guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                flags & UInt32(bitPattern: Int32(IFF_UP)) != 0
            else { continue }
            let text = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { self.text(of: $0.pointee) }
            guard let text else { continue }
            let isForOneOnly = flags & UInt32(bitPattern: Int32(IFF_POINTOPOINT | IFF_LOOPBACK)) != 0
            interfaces.append(
                Interface(name: String(cString: entry.ifa_name), address: text, isForOneOnly: isForOneOnly))
        }
        return interfaces
    }

    /// The address that this machine would send from to other networks; nil: there is no route.
    ///
    /// A datagram socket is connected to an address that documents use (RFC 5737), which sends nothing: the kernel only chooses
    /// the address it would send from.
    private static func routedAddress() -> String? {
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
        return found ? text(of: address) : nil
    }

    /// An address in dotted decimals.
    private static func text(of address: sockaddr_in) -> String? {
        var address = address.sin_addr
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        guard inet_ntop(AF_INET, &address, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
