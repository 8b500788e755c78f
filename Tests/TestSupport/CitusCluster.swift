import EventLoop
import Foundation

/// A coordinator of Citus and two workers, each a server of the tests' own.
public final class CitusCluster: Sendable {
    /// Where databases are asked.
    public let coordinator: PostgresCluster
    /// Where players are kept.
    public let workers: [PostgresCluster]

    /// Whether the extension is installed beside the server's programs. Debian has none: it is built from source.
    public static var isInstalled: Bool {
        guard let programs = try? Command.serverPrograms() else { return false }
        let library = URL(fileURLWithPath: programs).deletingLastPathComponent().appendingPathComponent("lib/citus.so")
        return FileManager.default.fileExists(atPath: library.path)
    }

    /// Whether tests are to run on such a cluster: `TEST_LAYOUT=citus`.
    public static var isWanted: Bool { ProcessInfo.processInfo.environment["TEST_LAYOUT"] == "citus" }

    /// The one that tests share. Started on first use.
    public static func shared() async throws -> CitusCluster { try await sharedTask.value }

    private static let sharedTask = Task { try await CitusCluster.start() }

    /// Starts three servers that do not know each other yet: each database has nodes of its own.
    public static func start() async throws -> CitusCluster {
        let settings = [
            "shared_preload_libraries": "citus", "timezone": "UTC", "wal_level": "logical", "max_connections": "2000",
            "max_prepared_transactions": "600", "max_worker_processes": "300", "citus.node_conninfo": "sslmode=disable",
            // Players are moved while their shard is copied.
            "max_replication_slots": "50", "max_wal_senders": "50",
            // Some hundred databases are on these servers. For each one Citus looks for deadlocks, every 2 s by default, and for
            // what is only prepared, every minute.
            "citus.distributed_deadlock_detection_factor": "20", "citus.recover_2pc_interval": "600s",
        ]
        async let coordinator = PostgresCluster.start(settings: settings)
        async let first = PostgresCluster.start(settings: settings)
        async let second = PostgresCluster.start(settings: settings)
        let cluster = CitusCluster(coordinator: try await coordinator, workers: [try await first, try await second])
        // All databases share the roles. One that is made in a database is made on the servers which that database knows; another,
        // which knows more of them, would find it on the coordinator and not on its workers.
        for server in cluster.servers {
            try await server.psql("CREATE ROLE juliet_service NOLOGIN")
            try await server.psql("CREATE ROLE player_service LOGIN IN ROLE juliet_service")
        }
        return cluster
    }

    private init(coordinator: PostgresCluster, workers: [PostgresCluster]) {
        self.coordinator = coordinator
        self.workers = workers
    }

    /// All servers, the coordinator first.
    public var servers: [PostgresCluster] { [coordinator] + workers }

    /// Makes an empty database on all servers, the extension in it, and has them know each other.
    ///
    /// - Parameters:
    ///   - workers: How many of the workers take players; the others can be added later.
    ///   - ports: By which ports of 127.0.0.1 the servers find the workers; default: their own.
    public func createDatabase(workers count: Int = 2, ports: [Int]? = nil) async throws -> ThrowawayDatabase {
        let database = try await createPlainDatabase()
        try await addExtension(to: database.name, workers: count, ports: ports)
        return database
    }

    /// Makes an empty database on all servers, without the extension.
    public func createPlainDatabase() async throws -> ThrowawayDatabase {
        let name = PostgresCluster.newName
        for server in servers { try await server.createDatabase(named: name) }
        return ThrowawayDatabase(name, on: servers)
    }

    /// Makes a copy of a database whose players are spread over the servers, spread as they are there. That takes a tenth of the
    /// time in which one is made. Nobody may be connected to the one that is copied: ``close(_:)``.
    public func copyDatabase(_ template: String) async throws -> ThrowawayDatabase {
        let name = PostgresCluster.newName
        for server in servers { try await server.copyDatabase(template, named: name) }
        for server in servers {
            // Citus tells the workers of settings of a database that it knows, by its number.
            try await server.psql(
                """
                UPDATE pg_catalog.pg_dist_object
                SET objid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
                WHERE classid = 'pg_catalog.pg_database'::regclass
                """, database: name)
        }
        return ThrowawayDatabase(name, on: servers)
    }

    /// Makes a copy of a database of the coordinator, and empty databases of the same name on the workers.
    public func copyToAll(_ template: String) async throws -> ThrowawayDatabase {
        let name = PostgresCluster.newName
        try await coordinator.copyDatabase(template, named: name)
        for worker in workers { try await worker.createDatabase(named: name) }
        return ThrowawayDatabase(name, on: servers)
    }

    /// Ends all connections to a database, and lets nobody make another one. Citus itself keeps some.
    public func close(_ database: String) async throws {
        for server in servers { try await server.psql("ALTER DATABASE \(database) ALLOW_CONNECTIONS false") }
        for server in servers {
            try await server.psql(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '\(database)'")
        }
    }

    /// Creates the extension in a database that is on all servers, and has them know each other.
    ///
    /// - Parameters:
    ///   - workers: How many of the workers take players.
    ///   - ports: By which ports of 127.0.0.1 the servers find the workers; default: their own.
    public func addExtension(to name: String, workers count: Int = 2, ports: [Int]? = nil) async throws {
        for server in servers { try await server.psql("CREATE EXTENSION citus", database: name) }
        try await coordinator.psql(
            "SELECT citus_set_coordinator_host('127.0.0.1', \(coordinator.port))", database: name)
        for port in (ports ?? workers.map(\.port)).prefix(count) {
            try await Self.patiently {
                try await coordinator.psql("SELECT citus_add_node('127.0.0.1', \(port))", database: name)
            }
        }
    }

    /// Does again, some times, what tells servers of roles. All databases share them, and of two that do so in the same moment one
    /// fails.
    ///
    /// - Parameter isTold: Whether an error may come from that; default: any may.
    public static func patiently(
        when isTold: (any Error) -> Bool = { _ in true }, _ work: () async throws -> Void
    ) async throws {
        var attempt = 1
        while true {
            do { return try await work() } catch {
                guard attempt < 20, isTold(error) else { throw error }
                attempt += 1
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Stops the servers and removes what they had.
    public func remove() { for server in servers { server.remove() } }
}
