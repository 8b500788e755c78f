/// A database of the tests' own. It is dropped after its last reference is gone, so that hundreds of them never lie on the disk at
/// the same time.
public final class ThrowawayDatabase: Sendable {
    /// Its name, the same on all servers.
    public let name: String
    private let servers: [PostgresCluster]

    /// A database that was made on these servers.
    init(_ name: String, on servers: [PostgresCluster]) {
        self.name = name
        self.servers = servers
    }

    deinit { for server in servers { server.release(name) } }
}
