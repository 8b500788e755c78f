/// Where a server listens.
public struct HTTPListener: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case tcp(host: String, port: UInt16)
        case unix(path: String, mode: UInt16)
        case inherited(name: String?)
    }

    let kind: Kind

    /// A TCP socket of this server.
    ///
    /// - Parameters:
    ///   - host: An IP address or a host name. "0.0.0.0" and "::" listen on all interfaces.
    ///   - port: 0 takes a free one, which ``HTTPServer/HTTPServer/addresses`` tells.
    public static func tcp(host: String = "127.0.0.1", port: UInt16) -> HTTPListener {
        HTTPListener(kind: .tcp(host: host, port: port))
    }

    /// A Unix socket of this server.
    ///
    /// A socket at the path on which nobody listens is removed first; anything else there is left, and the start
    /// fails. The shutdown removes the socket, unless another has taken its place. Of two servers that start at the
    /// same moment at the same path one may take it from the other.
    ///
    /// Its clients have no address: see ``SocketAddress/isUnixSocket``.
    ///
    /// - Parameters:
    ///   - path: At most 107 bytes (103 on macOS). Who may enter its folder matters, too.
    ///   - mode: Who may connect, as for a file's writing; default 0o660: the user and the group that the server runs as.
    public static func unix(path: String, mode: UInt16 = 0o660) -> HTTPListener {
        HTTPListener(kind: .unix(path: path, mode: mode & 0o777))
    }

    /// Sockets that systemd has opened for this process, or another that speaks its protocol (sd_listen_fds(3)):
    /// `LISTEN_FDS` of them from descriptor 3 on, if `LISTEN_PID` is this process.
    ///
    /// They have to listen, and be TCP or Unix stream sockets. The shutdown closes this process's descriptors, so they are
    /// for one server only; the process that opened the sockets keeps them, and their files.
    ///
    /// - Parameter name: Only those of this name (`FileDescriptorName=`, `LISTEN_FDNAMES`); default all.
    public static func inherited(name: String? = nil) -> HTTPListener {
        HTTPListener(kind: .inherited(name: name))
    }

    /// "127.0.0.1:8080", "unix:/run/a.sock", "inherited", "inherited:name".
    public var description: String {
        switch kind {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _): "unix:\(path)"
        case .inherited(let name): name.map { "inherited:\($0)" } ?? "inherited"
        }
    }
}

/// The sockets in the environment that were opened before this process began (sd_listen_fds(3)).
struct InheritedSockets: Equatable {
    /// The descriptors, and their names where there are any.
    private(set) var sockets: [(descriptor: Int32, name: String?)] = []

    /// Where systemd begins.
    static let first: Int32 = 3
    /// The maximum; with a larger number `LISTEN_FDS` is ignored.
    private static let most = 1024

    /// - Parameters:
    ///   - environment: Reads a variable.
    ///   - process: The id of this process.
    init(_ environment: (String) -> String?, process: Int32) {
        guard environment("LISTEN_PID").flatMap({ Int32($0) }) == process,
            let count = environment("LISTEN_FDS").flatMap({ Int($0) }), (1...Self.most).contains(count)
        else { return }
        let names = environment("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false).map(
            String.init)
        // Names whose number does not match are ignored.
        let fitting = names?.count == count ? names : nil
        sockets = (0..<count).map { (Self.first + Int32($0), fitting?[$0]) }
    }

    /// The descriptors of a name, or all.
    func descriptors(named name: String?) -> [Int32] {
        sockets.filter { name == nil || $0.name == name }.map(\.descriptor)
    }

    static func == (left: InheritedSockets, right: InheritedSockets) -> Bool {
        left.sockets.elementsEqual(right.sockets) { $0 == $1 }
    }
}
