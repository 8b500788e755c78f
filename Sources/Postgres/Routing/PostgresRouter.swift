/// Says on which server a statement runs, by its ``Statement/routingKey``: for databases whose rows are spread over several
/// servers, each of which runs the same SQL.
///
/// A router that is wrong for a moment, because rows have just moved, must do no harm: the server asked either reaches the
/// rows or refuses.
public protocol PostgresRouter: Sendable {
    /// Whether rows are on several servers at present. Then no executions run as one (``Statement/gatheredSQL``). Asked for
    /// every batch, from any thread: it must not block.
    var isSpread: Bool { get }

    /// The server that has a key's rows; nil: the one that the client is configured for. Asked once for every statement with a
    /// key, from any thread: it must not block.
    func server(of key: String) -> PostgresServer?
}

/// One of several servers that differ in nothing but their address.
public struct PostgresServer: Sendable, Hashable {
    /// libpq's `host`: a name, an address, or the directory of a Unix socket.
    public let host: String
    /// 1...65535.
    public let port: Int

    /// Names a server.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

extension PostgresConfiguration {
    /// The same for another server.
    public func routed(to server: PostgresServer) -> PostgresConfiguration {
        var copy = self
        copy.parameters["host"] = server.host
        copy.parameters["port"] = "\(server.port)"
        // It would go before the host.
        copy.parameters["hostaddr"] = ""
        // Others serve meanwhile, and one that stays away must not be asked for ever as often as in its first second.
        let delay = copy.reconnectDelay
        copy.reconnectDelay = delay.lowerBound...max(delay.upperBound, .seconds(4))
        return copy
    }
}
