#if canImport(CCurl)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Whether this machine has a way out. libcurl does not tell.
    enum NetworkRoute {
        /// Whether the kernel has a route to the world. Nothing is sent: a datagram socket only looks the route up.
        static var exists: Bool {
            // Addresses for documentation (RFC 5737, RFC 3849): they lie where everything does that is not near.
            hasRoute(AF_INET, to: "192.0.2.1") || hasRoute(AF_INET6, to: "2001:db8::1")
        }

        private static func hasRoute(_ family: Int32, to address: String) -> Bool {
            var hints = addrinfo()
            hints.ai_family = family
            hints.ai_flags = AI_NUMERICHOST
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(address, "9", &hints, &found) == 0, let found else { return false }
            defer { freeaddrinfo(found) }
            #if canImport(Glibc)
                let type = Int32(SOCK_DGRAM.rawValue)
            #else
                let type = SOCK_DGRAM
            #endif
            let descriptor = socket(family, type | O_CLOEXEC, 0)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0
        }
    }
#endif
