import EventLoop
import Postgres
import TestSupport

/// A database of its own on the shared server, and a loop.
struct Fixture {
    let cluster: PostgresCluster
    let lease: ThrowawayDatabase
    var database: String { lease.name }
    let loop: EventLoop

    /// Calls a closure with a fresh database and a fresh loop.
    static func run(
        cluster: PostgresCluster? = nil, _ body: @Sendable (Fixture) async throws -> Void
    ) async throws {
        let server: PostgresCluster
        if let cluster { server = cluster } else { server = try await .shared() }
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        try await body(Fixture(cluster: server, lease: try await server.createDatabase(), loop: loop))
    }

    /// How to reach the database.
    ///
    /// With one connection for writes and one for reads, so that what waits meets in one batch.
    func configuration(tcp: Bool = false) -> PostgresConfiguration {
        var configuration = PostgresConfiguration(
            connectionString: cluster.connectionString(database: database, tcp: tcp))
        configuration.connectionsPerLoop = 1
        configuration.readConnectionsPerLoop = 1
        return configuration
    }

    /// The database by way of a proxy of its server.
    func connectionString(through proxy: Proxy) -> String {
        "host=127.0.0.1 port=\(proxy.port) user=postgres dbname=\(database)"
    }

    /// Calls a closure with a session.
    func withConnection<Result>(_ body: (PostgresConnection) async throws -> Result) async throws -> Result {
        let connection = try await PostgresConnection.connect(configuration(), on: loop)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Runs SQL as the superuser, outside of what is tested.
    @discardableResult
    func psql(_ sql: String) async throws -> String { try await cluster.psql(sql, database: database) }
}
