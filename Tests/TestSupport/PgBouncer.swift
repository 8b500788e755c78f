import Foundation

/// A throwaway PgBouncer in transaction mode before a test cluster.
public final class PgBouncer: Sendable {
    /// The port on 127.0.0.1.
    public let port: Int
    private let process: pid_t
    private let directory: String

    /// Debian keeps the program where the PATH of a user does not look.
    private static func findProgram() throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/opt/homebrew/bin"]
        for folder in folders where access("\(folder)/pgbouncer", X_OK) == 0 { return "\(folder)/pgbouncer" }
        throw Command.Failure(command: "pgbouncer", output: "it is not installed: scripts/setup test")
    }

    /// Starts one and waits until it answers. It needs the program `pgbouncer`.
    public static func start(for cluster: PostgresCluster, database: String) async throws -> PgBouncer {
        let program = try findProgram()
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
            default_pool_size = 2
            server_lifetime = 0
            ignore_startup_parameters = extra_float_digits
            """
        try settings.write(toFile: "\(directory)/pgbouncer.ini", atomically: true, encoding: .utf8)
        let command = Command.accountPrefix + [program, "-q", "\(directory)/pgbouncer.ini"]
        let bouncer = PgBouncer(
            port: port, process: try Command.spawn(command, input: nil, output: nil), directory: directory)
        for _ in 0..<500 {
            let probe = ["psql", "-X", "-q", "-t", "-c", "SELECT 1"]
            let target = "host=127.0.0.1 port=\(port) user=postgres dbname=\(database)"
            if (try? await Command.run(probe + ["-d", target])) != nil { return bouncer }
            try await Task.sleep(for: .milliseconds(20))
        }
        bouncer.stop()
        throw Command.Failure(command: "pgbouncer", output: "it does not answer")
    }

    private init(port: Int, process: pid_t, directory: String) {
        self.port = port
        self.process = process
        self.directory = directory
    }

    /// Ends it.
    public func stop() {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        try? FileManager.default.removeItem(atPath: directory)
    }
}
