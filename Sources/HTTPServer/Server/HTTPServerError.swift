public import EventLoop

/// Why a server could not start. Nothing is left open.
public enum HTTPServerError: Error, Sendable, CustomStringConvertible {
    /// Another socket listens on the port.
    case addressInUse(host: String, port: UInt16)
    /// The host is no address of this machine.
    case unknownHost(String)
    /// The process may not listen on the port; below 1024 that takes privileges.
    case portForbidden(UInt16)
    /// `start()` was called before, or the server was shut down.
    case alreadyStarted
    /// A system call failed.
    case system(SystemError)

    /// One line for people.
    public var description: String {
        switch self {
        case .addressInUse(let host, let port): "port \(port) on \(host) is in use by another process"
        case .unknownHost(let host): "\(host) is not an address of this machine"
        case .portForbidden(let port): "no permission to listen on port \(port)"
        case .alreadyStarted: "the server was started or shut down before"
        case .system(let error): "\(error)"
        }
    }
}
