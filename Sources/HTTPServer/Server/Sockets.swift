import CEventLoop
import EventLoop

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls that make, accept and close TCP sockets.
package enum Sockets {
    /// Opens a listening socket.
    ///
    /// Without `SO_REUSEPORT`, so that a second server on the same port fails instead of taking half of the
    /// connections.
    ///
    /// - Throws: `HTTPServerError`; nothing is left open.
    static func listen(host: String, port: UInt16, backlog: Int) throws(HTTPServerError) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = streamType
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
            throw .unknownHost(host)
        }
        defer { freeaddrinfo(found) }
        // If a name has addresses of both kinds, as "localhost" does, the IPv4 address is used.
        let address =
            sequence(first: first) { $0.pointee.ai_next }.first { $0.pointee.ai_family == AF_INET } ?? first
        let descriptor = socket(address.pointee.ai_family, streamType, 0)
        guard descriptor >= 0 else { throw .system(.last("socket")) }
        do throws(SystemError) {
            try makeNonBlocking(descriptor)
            try set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            if address.pointee.ai_family == AF_INET6 { try set(descriptor, ipv6, IPV6_V6ONLY, 0) }
            guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
                throw SystemError.last("bind")
            }
            guard systemListen(descriptor, Int32(clamping: backlog)) == 0 else { throw SystemError.last("listen") }
        } catch {
            close(descriptor)
            switch error.code {
            case EADDRINUSE: throw .addressInUse(host: host, port: port)
            case EACCES: throw .portForbidden(port)
            case EADDRNOTAVAIL: throw .unknownHost(host)
            default: throw .system(error)
            }
        }
        return descriptor
    }

    /// The name of a Unix socket as the kernel takes it.
    package struct UnixAddress {
        fileprivate var address = sockaddr_un()

        /// nil for an empty path, one with a zero byte, and one that does not fit.
        package init?(_ path: String) {
            let bytes = Array(path.utf8)
            guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
                return nil
            }
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        }

        /// Calls the function with the `sockaddr_un`.
        package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            withUnsafeBytes(of: address, body)
        }
    }

    /// Makes a Unix socket at a path, which does not listen yet.
    ///
    /// - Throws: `HTTPServerError`; nothing is left open or made.
    static func bindUnix(_ address: UnixAddress, path: String) throws(HTTPServerError) -> Int32 {
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { throw .system(.last("socket")) }
        do throws(SystemError) {
            try makeNonBlocking(descriptor)
            let result = address.withBytes {
                bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
            guard result == 0 else { throw SystemError.last("bind") }
        } catch {
            close(descriptor)
            switch error.code {
            case EADDRINUSE: throw .pathUnusable(path, .inUse)
            case EACCES, EPERM, EROFS: throw .pathUnusable(path, .forbidden)
            case ENOENT, ENOTDIR: throw .pathUnusable(path, .noFolder)
            default: throw .system(error)
            }
        }
        return descriptor
    }

    /// Has a bound socket listen; `errno` says why it does not.
    static func startListening(_ descriptor: Int32, backlog: Int) -> Bool {
        systemListen(descriptor, Int32(clamping: backlog)) == 0
    }

    /// Whether anybody listens on a Unix socket, or may: only a refused connection shows that nobody does.
    static func answers(_ address: UnixAddress) -> Bool {
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        try? makeNonBlocking(descriptor)
        let result = address.withBytes {
            connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        return result == 0 || errno != ECONNREFUSED
    }

    /// Makes a descriptor this server's that another process has opened.
    ///
    /// - Throws: `HTTPServerError.notListening`; the descriptor is as it was.
    static func adoptListener(_ descriptor: Int32) throws(HTTPServerError) {
        guard let listens = option(descriptor, SO_ACCEPTCONN), listens != 0, option(descriptor, SO_TYPE) == streamType,
            let family = family(of: descriptor), [AF_INET, AF_INET6, AF_UNIX].contains(family)
        else { throw .notListening(descriptor: descriptor) }
        do throws(SystemError) { try makeNonBlocking(descriptor) } catch { throw .system(error) }
    }

    private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func family(of descriptor: Int32) -> Int32? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
        }
        return result == 0 ? Int32(storage.ss_family) : nil
    }

    /// The result of an attempt to accept.
    enum Accepted {
        case connection(Int32, from: SocketAddress)
        /// No connection waits.
        case none
        /// The waiting connection has gone, or a signal came: try again.
        case retry
        /// No descriptor or no memory is free: wait before the next attempt.
        case exhausted
    }

    /// Accepts a connection, non-blocking, closed on exec, without Nagle's delay, with probes after a minute of silence: a
    /// client that has vanished is noticed though nothing is sent to it.
    static func accept(_ listener: Int32) -> Accepted {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutableBytes(of: &storage) { bytes in
            systemAccept(listener, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        guard descriptor >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .none
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
                return .retry
            default: return .exhausted
            }
        }
        guard Int32(storage.ss_family) != AF_UNIX else { return .connection(descriptor, from: .unixSocket) }
        try? set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        try? set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        try? set(descriptor, Int32(IPPROTO_TCP), keepAliveIdle, 60)
        try? set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15)
        try? set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
        return .connection(descriptor, from: SocketAddress(storage))
    }

    /// The address a listening socket is bound to.
    static func localAddress(of descriptor: Int32) throws(HTTPServerError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
        }
        guard result == 0 else { throw .system(.last("getsockname")) }
        return SocketAddress(storage)
    }

    /// Closes a socket, with `abort` by a reset that drops unsent bytes.
    package static func close(_ descriptor: Int32, abort: Bool = false) {
        if abort {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        systemClose(descriptor)
    }

    /// Raises the soft limit of descriptors to the hard one, as a server of many connections needs it.
    ///
    /// - Returns: The limit that now holds.
    static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(descriptorLimit, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(descriptorLimit, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    private static func set(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32
    ) throws(SystemError) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw SystemError.last("setsockopt")
        }
    }

    private static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw SystemError.last("fcntl") }
    }

    #if os(Linux)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let ipv6 = Int32(IPPROTO_IPV6)
        private static let keepAliveIdle = TCP_KEEPIDLE
        private static let descriptorLimit = Int32(RLIMIT_NOFILE.rawValue)

        private static func systemAccept(
            _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: inout socklen_t
        ) -> Int32 {
            accept4(listener, address, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
        }
    #else
        private static let streamType = SOCK_STREAM
        private static let ipv6 = IPPROTO_IPV6
        private static let keepAliveIdle = TCP_KEEPALIVE
        private static let descriptorLimit = RLIMIT_NOFILE

        private static func systemAccept(
            _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: inout socklen_t
        ) -> Int32 {
            let descriptor = Darwin.accept(listener, address, &length)
            guard descriptor >= 0 else { return descriptor }
            try? makeNonBlocking(descriptor)
            try? set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
            return descriptor
        }
    #endif
}

// The C functions under names that the ones above do not hide.
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

extension SocketAddress {
    /// Calls the function with the bytes of the address as the kernel takes it: a `sockaddr_in` or a `sockaddr_in6`.
    package func withSystemAddress<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard ip.isIPv6 else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(truncatingIfNeeded: ip.low).bigEndian
            return withUnsafeBytes(of: address, body)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) {
            $0.storeBytes(of: ip.high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: ip.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return withUnsafeBytes(of: address, body)
    }

    /// The address the kernel reported.
    fileprivate init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            if Int32(storage.ss_family) == AF_UNIX { return .unixSocket }
            if Int32(storage.ss_family) == AF_INET {
                let address = bytes.loadUnaligned(as: sockaddr_in.self)
                let ip = UInt32(bigEndian: address.sin_addr.s_addr)
                return SocketAddress(
                    ip: IP(isIPv6: false, high: 0, low: UInt64(ip)), port: UInt16(bigEndian: address.sin_port))
            }
            let address = bytes.loadUnaligned(as: sockaddr_in6.self)
            let (high, low) = withUnsafeBytes(of: address.sin6_addr) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            return SocketAddress(ip: IP(ipv6High: high, low: low), port: UInt16(bigEndian: address.sin6_port))
        }
    }
}
