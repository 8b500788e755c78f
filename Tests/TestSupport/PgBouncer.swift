import Foundation

/// A throwaway PgBouncer in transaction mode before a test cluster.
public final class PgBouncer: Intermediary, @unchecked Sendable {
    /// Whether the program that is found follows prepared statements from session to session: 1.21 and later do.
    public static func followsPreparedStatements() async throws -> Bool {
        let output = try await Command.run([try Command.find("pgbouncer"), "--version"])
        let version = output.prefix { $0 != "\n" }.split(separator: " ").last ?? ""
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 2 else { throw Command.Failure(command: "pgbouncer --version", output: output) }
        return (numbers[0], numbers[1]) >= (1, 21)
    }

    /// Starts one and waits until it answers. It needs the program `pgbouncer`.
    ///
    /// - Parameters:
    ///   - poolSize: How many sessions it has with the server.
    ///   - lifetime: After how many seconds it replaces one; 0: after every transaction.
    public static func start(
        for cluster: PostgresCluster, database: String, poolSize: Int = 2, lifetime: Int = 0
    ) async throws -> PgBouncer {
        let program = try Command.find("pgbouncer")
        let preparing = try await followsPreparedStatements() ? "max_prepared_statements = 100" : ""
        let directory = try Command.temporaryDirectory()
        let port = try Command.freePort()
        let settings = """
            [databases]
            \(database) = host=127.0.0.1 port=\(cluster.port) dbname=\(database) user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(poolSize)
            server_lifetime = \(lifetime)
            \(preparing)
            ignore_startup_parameters = extra_float_digits
            """
        try settings.write(toFile: "\(directory)/pgbouncer.ini", atomically: true, encoding: .utf8)
        let command = Command.accountPrefix + [program, "-q", "\(directory)/pgbouncer.ini"]
        let bouncer = try PgBouncer(command, port: port, directory: directory)
        try await bouncer.untilItAnswers(database: database)
        return bouncer
    }
}
