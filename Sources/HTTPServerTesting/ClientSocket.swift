import EventLoop
import HTTPServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls of a TCP client.
enum ClientSocket {
    /// Connects to an address of this machine, waiting for it; then non-blocking, without Nagle's delay.
    ///
    /// - Parameter receiveBuffer: The size of the kernel's buffer, if not the system's choice.
    /// - Returns: The descriptor; close it with `Sockets.close`.
    /// - Throws: `SystemError`, nothing left open.
    static func connect(to address: SocketAddress, receiveBuffer: Int?) throws(SystemError) -> Int32 {
        let descriptor = socket(address.ip.isIPv6 ? AF_INET6 : AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw SystemError.last("socket") }
        do throws(SystemError) {
            if let receiveBuffer { try set(descriptor, SOL_SOCKET, SO_RCVBUF, Int32(clamping: receiveBuffer)) }
            let result = address.withSystemAddress { bytes in
                systemConnect(
                    descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
            }
            guard result == 0 else { throw SystemError.last("connect") }
            try set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
            guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
                fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
            else { throw SystemError.last("fcntl") }
        } catch {
            Sockets.close(descriptor)
            throw error
        }
        return descriptor
    }

    /// The same to a Unix socket.
    static func connect(toUnix path: String) throws(SystemError) -> Int32 {
        guard let address = Sockets.UnixAddress(path) else { throw SystemError(code: ENAMETOOLONG, call: "connect") }
        let descriptor = socket(AF_UNIX, streamType, 0)
        guard descriptor >= 0 else { throw SystemError.last("socket") }
        let result = address.withBytes {
            systemConnect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        guard result == 0, fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else {
            let error = SystemError.last("connect")
            Sockets.close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func set(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32
    ) throws(SystemError) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw SystemError.last("setsockopt")
        }
    }

    #if os(Linux)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamType = SOCK_STREAM
    #endif
}

// The C function under a name that the one above does not hide.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
