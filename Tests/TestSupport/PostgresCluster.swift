import EventLoop
import Foundation

/// A throwaway PostgreSQL server of the tests' own: own directory, own port, own Unix socket, durability as by default.
///
/// It runs as the `postgres` account when the tests run as root, which PostgreSQL refuses. A watcher process stops the
/// server and removes the directory when nothing refers to the cluster any more, and when the tests end, however they end.
public final class PostgresCluster: Sendable {
    /// The directory that holds everything: `data`, the socket and the log.
    public let directory: String
    /// The TCP port on 127.0.0.1; it also names the socket.
    public let port: Int

    private let log: String
    private let programs: String
    private let watcher: Watcher
    /// The databases to drop.
    private let released = Locked<[String]>([])

    /// The server that tests share which do not stop or kill it. Started on first use.
    public static func shared() async throws -> PostgresCluster { try await sharedTask.value }

    private static let sharedTask = Task {
        // Suites run side by side.
        try await PostgresCluster.start(settings: ["max_connections": "500"])
    }

    /// A server without a log, for tests that have everything logged: that would be a gigabyte. Started on first use.
    public static func withoutLog() async throws -> PostgresCluster { try await withoutLogTask.value }

    private static let withoutLogTask = Task { try await PostgresCluster.start(log: "/dev/null") }

    /// Makes a cluster and starts its server.
    ///
    /// - Parameters:
    ///   - settings: Server settings in addition to those that make it private, such as `["max_connections": "10"]`.
    ///   - log: Where it logs to; nil: to the file `log` of its directory.
    public static func start(settings: [String: String] = [:], log: String? = nil) async throws -> PostgresCluster {
        let template = try await template.value
        let cluster = try await create(log: log) { directory, _ in
            try await Command.run(
                Command.accountPrefix + ["cp", "-R", "-p", "\(template.directory)/data", "\(directory)/data"])
        }
        try cluster.append(settings: settings)
        try await cluster.start()
        return cluster
    }

    /// What all are copies of, never started: a copy is five times as fast as `initdb`. Settings that are added count, not its own.
    private static let template = Task {
        try await create { directory, programs in
            try await Command.run(
                Command.accountPrefix + [
                    "\(programs)/initdb", "-D", "\(directory)/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
                    "--locale=C", "--no-sync", "--no-instructions",
                ])
        }
    }

    /// Makes a standby of this cluster that streams from it, and starts it.
    public func makeStandby() async throws -> PostgresCluster {
        let primary = connectionString()
        let standby = try await Self.create { directory, programs in
            try await Command.run(
                Command.accountPrefix + [
                    "\(programs)/pg_basebackup", "-D", "\(directory)/data", "-d", primary, "-R", "-X", "stream",
                    "--checkpoint=fast", "--no-sync",
                ])
        }
        try await standby.start()
        return standby
    }

    private init(directory: String, log: String, port: Int, programs: String) throws {
        self.directory = directory
        self.log = log
        self.port = port
        self.programs = programs
        self.watcher = try Watcher(directory: directory, programs: programs)
    }

    private static func create(
        log: String? = nil, _ fill: (String, String) async throws -> Void
    ) async throws -> PostgresCluster {
        let programs = try Command.serverPrograms()
        let directory = try Command.temporaryDirectory()
        let cluster = try PostgresCluster(
            directory: directory, log: log ?? "\(directory)/log", port: Command.freePort(), programs: programs)
        try await fill(directory, programs)
        try cluster.append(settings: [
            "port": "\(cluster.port)", "listen_addresses": "127.0.0.1", "unix_socket_directories": directory,
            "log_min_messages": "warning",
            // It would visit each of a thousand databases every so often.
            "autovacuum_naptime": "1d",
            // Many tests at once share a server, each with a service and its pools.
            "max_connections": "400",
            // By default a gigabyte stays, as much as everything else that the tests have in the temporary folder.
            "max_wal_size": "128MB",
        ])
        return cluster
    }

    private func append(settings: [String: String]) throws {
        let lines = settings.map { "\($0) = '\($1)'\n" }.joined()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(directory)/data/postgresql.conf"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(lines.utf8))
        try file.close()
    }
}

// MARK: - Talking to it

extension PostgresCluster {
    /// A libpq connection string as the superuser. It names no schema, so what is under test has to.
    public func connectionString(database: String = "postgres", tcp: Bool = false) -> String {
        "host=\(tcp ? "127.0.0.1" : directory) port=\(port) user=postgres dbname=\(database)"
    }

    /// Makes an empty database with a name of its own.
    ///
    /// - Parameter encoding: Its encoding; nil: UTF8.
    public func createDatabase(encoding: String? = nil) async throws -> ThrowawayDatabase {
        let name = Self.newName
        try await createDatabase(named: name, encoding.map { "ENCODING '\($0)' TEMPLATE template0" } ?? "")
        return ThrowawayDatabase(name, on: [self])
    }

    /// Makes an empty database, which the caller drops.
    func createDatabase(named name: String, _ options: String = "") async throws {
        await dropReleased()
        try await psql("CREATE DATABASE \(name) \(options)")
    }

    static var newName: String { "test_\(UInt64.random(in: .min ... .max))" }

    /// Makes a copy of a database with the game's schema that nobody is connected to.
    public func copyDatabase(_ template: String) async throws -> ThrowawayDatabase {
        let name = Self.newName
        try await copyDatabase(template, named: name)
        return ThrowawayDatabase(name, on: [self])
    }

    /// Makes a copy, which the caller drops.
    func copyDatabase(_ template: String, named name: String) async throws {
        await dropReleased()
        try await psql("CREATE DATABASE \(name) TEMPLATE \(template)")
        // Rights on the database itself are not copied.
        try await psql(
            "GRANT TEMP ON DATABASE \(name) TO CURRENT_USER; REVOKE TEMP, CREATE ON DATABASE \(name) FROM PUBLIC")
    }

    /// Has a database dropped before others are made.
    func release(_ name: String) { released.withLock { $0.append(name) } }

    /// Drops what was released. Each drop has the server write all changed pages to the disk, so some are dropped at a time.
    private func dropReleased() async {
        let names = released.withLock { names in
            guard names.count >= 8 else { return [String]() }
            defer { names = [] }
            return names
        }
        for name in names {
            // A test may have left the server, or what is in the database, in any state: it is tried again with the next ones.
            do { try await psql("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") } catch { release(name) }
        }
    }

    /// Runs SQL as `psql` does and returns what that prints, unaligned and without headers. Names without a schema are
    /// looked up in `juliet`, where the game is, then in `public`.
    ///
    /// - Parameter settings: More settings of the session, `name=value`.
    @discardableResult
    public func psql(
        _ sql: String, database: String = "postgres", settings: [String] = []
    ) async throws -> String {
        // A statement that waits for ever ends a test, and does not hang it.
        let own = [
            "search_path=juliet,public", "statement_timeout=600s", "client_encoding=UTF8", "client_min_messages=notice",
            #"default_transaction_isolation=read\\ committed"#,
        ]
        let options = (own + settings).map { "-c\($0)" }
            .joined(separator: " ")
        return try await PlainSQL.run(sql, on: connectionString(database: database) + " options='\(options)'")
    }
}

// MARK: - What can happen to it

extension PostgresCluster {
    /// Starts the server and waits until it answers.
    public func start() async throws {
        let command = [
            "\(programs)/pg_ctl", "-D", "\(directory)/data", "-l", log, "-w", "-t", "60", "start",
        ]
        do {
            try await Command.run(Command.accountPrefix + command)
        } catch {
            let text = try? String(contentsOfFile: log, encoding: .utf8)
            throw Command.Failure(command: "\(error)", output: String((text ?? "").suffix(2000)))
        }
    }

    /// Has the server speak TLS with a certificate for 127.0.0.1 that it signs itself, and refuse TCP without it.
    ///
    /// - Returns: The path of the certificate, for `sslrootcert`. It needs the program `openssl`.
    public func enableTLS() async throws -> String {
        let data = "\(directory)/data"
        try await Command.run(
            Command.accountPrefix + [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(data)/server.key", "-out",
                "\(data)/server.crt",
            ])
        let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n"
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(data)/pg_hba.conf"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(rules.utf8))
        try file.close()
        try append(settings: ["ssl": "on"])
        try await restart()
        return "\(data)/server.crt"
    }

    /// Stops the server: `fast` rolls back what is open, `immediate` is a crash.
    public func stop(mode: String = "fast") async throws {
        try await Command.run(
            Command.accountPrefix + ["\(programs)/pg_ctl", "-D", "\(directory)/data", "-w", "-m", mode, "stop"])
    }

    /// Stops and starts the server.
    public func restart() async throws {
        try await stop()
        try await start()
    }

    /// Makes a standby a primary and waits until it is.
    public func promote() async throws {
        try await Command.run(
            Command.accountPrefix + ["\(programs)/pg_ctl", "-D", "\(directory)/data", "-w", "promote"])
    }

    /// Kills every process of the server at once, as a power cut would. ``start()`` recovers it.
    public func kill() async throws {
        for process in try signal(SIGKILL) {
            // Gone, or a zombie that nobody has waited for yet.
            while let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                !state.contains(") Z")
            { try await Task.sleep(for: .milliseconds(2)) }
        }
        // In a container nobody may ever wait for them, and the server takes a zombie for a living predecessor.
        for lock in ["data/postmaster.pid", ".s.PGSQL.\(port).lock"] {
            try FileManager.default.removeItem(atPath: "\(directory)/\(lock)")
        }
    }

    /// Freezes every process of the server.
    public func pause() throws { try signal(SIGSTOP) }

    /// Ends a ``pause()``.
    public func resume() throws { try signal(SIGCONT) }

    /// Stops the server, removes everything, and waits until that is done.
    public func remove() { watcher.stop() }

    @discardableResult
    private func signal(_ signal: Int32) throws -> [Int32] {
        let file = try String(contentsOfFile: "\(directory)/data/postmaster.pid", encoding: .utf8)
        guard let postmaster = file.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw Command.Failure(command: "read postmaster.pid", output: file)
        }
        let children = try? String(contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)
        // The postmaster first, or it would answer the death of its children.
        let processes = [postmaster] + (children ?? "").split(separator: " ").compactMap { Int32($0) }
        for process in processes { _ = Foundation.kill(process, signal) }
        return processes
    }
}

/// A shell that waits for the end of its input, which comes when the tests end, and cleans up.
private final class Watcher: Sendable {
    private let shell: ChildProcess
    private let input: Int32
    private let isStopped = Locked(false)

    init(directory: String, programs: String) throws {
        let stop = Command.accountPrefix + ["\(programs)/pg_ctl", "-D", "\(directory)/data", "-m", "immediate", "stop"]
        // The folder, and the command that stops the server.
        let arguments = ["watcher", directory] + stop
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Command.Failure(command: "pipe", output: "errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Ctrl-C on the tests must not end it before it has done its work.
        let script = #"trap '' INT TERM HUP; cat; folder=$1; shift; "$@" >/dev/null 2>&1; rm -rf "$folder""#
        shell = try ChildProcess(["/bin/sh", "-c", script] + arguments, input: .descriptor(ends[0]))
        close(ends[0])
        input = ends[1]
    }

    deinit { isStopped.withLock { if !$0 { close(input) } } }

    func stop() {
        isStopped.withLock { isStopped in
            guard !isStopped else { return }
            isStopped = true
            close(input)
            shell.waitForEnd()
        }
    }
}
