public import EventLoop

/// Why a server could not start. Nothing is left open.
public enum HTTPServerError: Error, Sendable, CustomStringConvertible {
    /// Another socket listens on the port.
    case addressInUse(host: String, port: UInt16)
    /// The host is no address of this machine.
    case unknownHost(String)
    /// The process may not listen on the port; below 1024 that takes privileges.
    case portForbidden(UInt16)
    /// The Unix socket cannot be made at this path.
    case pathUnusable(String, UnixPathFault)
    /// No socket was handed to this process, or none of this name.
    case nothingInherited(name: String?)
    /// The descriptor that was handed to this process is no TCP or Unix stream socket that listens, or was a server's
    /// before.
    case notListening(descriptor: Int32)
    /// `start()` was called before, or the server was shut down.
    case alreadyStarted
    /// What is wrong with the path of a Unix socket.
    public enum UnixPathFault: Sendable, Hashable {
        /// Another process listens there.
        case inUse
        /// What lies there is no socket.
        case occupied
        /// It is empty or longer than the system takes, or holds a zero byte.
        case tooLong
        /// There is no such folder.
        case noFolder
        /// The process may not make a file there.
        case forbidden
    }

    /// A system call failed.
    case system(SystemError)

    /// One line for people.
    public var description: String {
        switch self {
        case .addressInUse(let host, let port): "port \(port) on \(host) is in use by another process"
        case .unknownHost(let host): "\(host) is not an address of this machine"
        case .portForbidden(let port): "no permission to listen on port \(port)"
        case .pathUnusable(let path, .inUse): "another process listens on \(path)"
        case .pathUnusable(let path, .occupied): "\(path) exists and is not a socket"
        case .pathUnusable(let path, .tooLong):
            "\(path) is empty, too long or has a zero byte, so it cannot be a Unix socket"
        case .pathUnusable(let path, .noFolder): "the folder of \(path) does not exist"
        case .pathUnusable(let path, .forbidden): "no permission to make \(path)"
        case .nothingInherited(let name):
            "no socket\(name.map { " of the name \($0)" } ?? "") was handed to this process (LISTEN_FDS)"
        case .notListening(let descriptor):
            "descriptor \(descriptor) is not a listening stream socket, or was taken before"
        case .alreadyStarted: "the server was started or shut down before"
        case .system(let error): "\(error)"
        }
    }
}
