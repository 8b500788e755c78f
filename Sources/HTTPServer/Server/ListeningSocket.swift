import EventLoop

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A listening socket, and the file to remove when it is closed.
struct ListeningSocket: Sendable {
    /// The identity of a file, which another file of the same name does not have.
    struct FileIdentity: Sendable, Equatable {
        let device: UInt64
        let number: UInt64

        /// nil if there is no file.
        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    let descriptor: Int32
    let address: SocketAddress
    /// The file that this process has made for it.
    var file: (path: String, identity: FileIdentity)?

    /// Opens the sockets of a listener.
    ///
    /// - Throws: `HTTPServerError`; nothing is left open of this listener.
    static func open(_ listener: HTTPListener, backlog: Int) throws(HTTPServerError) -> [ListeningSocket] {
        switch listener.kind {
        case .tcp(let host, let port):
            let descriptor = try Sockets.listen(host: host, port: port, backlog: backlog)
            do throws(HTTPServerError) {
                return [ListeningSocket(descriptor: descriptor, address: try Sockets.localAddress(of: descriptor))]
            } catch {
                Sockets.close(descriptor)
                throw error
            }
        case .unix(let path, let mode):
            return [try unix(path: path, mode: mode, backlog: backlog)]
        case .inherited(let name):
            let inherited = InheritedSockets(
                { getenv($0).map { String(cString: $0) } }, process: getpid()
            ).descriptors(named: name)
            guard !inherited.isEmpty else { throw .nothingInherited(name: name) }
            return try adopt(inherited)
        }
    }

    /// What this process has adopted. It may be closed by now, and the number another file's.
    private static let adopted = Locked<Set<Int32>>([])

    /// Takes over descriptors that another process has opened, all of them or none; each only once.
    ///
    /// - Throws: `HTTPServerError`; they are still open, and can be taken over later.
    static func adopt(_ descriptors: [Int32]) throws(HTTPServerError) -> [ListeningSocket] {
        try adopted.withLock { (adopted) throws(HTTPServerError) in
            var sockets: [ListeningSocket] = []
            for descriptor in descriptors {
                guard !adopted.contains(descriptor) else { throw .notListening(descriptor: descriptor) }
                try Sockets.adoptListener(descriptor)
                sockets.append(
                    ListeningSocket(descriptor: descriptor, address: try Sockets.localAddress(of: descriptor)))
            }
            adopted.formUnion(descriptors)
            return sockets
        }
    }

    private static func unix(path: String, mode: UInt16, backlog: Int) throws(HTTPServerError) -> ListeningSocket {
        guard let address = Sockets.UnixAddress(path) else { throw .pathUnusable(path, .tooLong) }
        try removeStale(path, address)
        let descriptor = try Sockets.bindUnix(address, path: path)
        // Nobody can connect before it listens, so the mode that the umask has left does not matter.
        guard chmod(path, mode_t(mode)) == 0, let identity = FileIdentity(path),
            Sockets.startListening(descriptor, backlog: backlog)
        else {
            let error = SystemError.last("listen")
            unlink(path)
            Sockets.close(descriptor)
            throw .system(error)
        }
        return ListeningSocket(descriptor: descriptor, address: .unixSocket, file: (path, identity))
    }

    /// Removes a socket that nobody listens on any more.
    private static func removeStale(_ path: String, _ address: Sockets.UnixAddress) throws(HTTPServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .pathUnusable(path, .occupied) }
        guard !Sockets.answers(address) else { throw .pathUnusable(path, .inUse) }
        unlink(path)
    }

    /// Removes the file, if it is still this one's. Closing is the acceptor's.
    func removeFile() {
        guard let file, FileIdentity(file.path) == file.identity else { return }
        unlink(file.path)
    }
}
