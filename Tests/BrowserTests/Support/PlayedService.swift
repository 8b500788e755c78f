import EventLoop
import Foundation
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `juliet serve` on a database of its own with all words, made by the commands that an operator types. It ends with
/// its last use.
final class PlayedService: Sendable {
    /// Its port on 127.0.0.1.
    let port: Int
    /// The port of metrics, health and the admin page.
    let adminPort: Int
    /// What comes before the page's path.
    let basePath: String
    /// What browsers call it: passkeys are for names alone.
    private let host: String

    private let database: Database
    private let settings: [String: String]
    private let environment: [String: String]
    private let process = Locked<ChildProcess?>(nil)

    /// Starts a service on a new database and waits until it is ready.
    ///
    /// - Parameters:
    ///   - settings: Environment variables such as `JULIET_HTTP_BASE_PATH`.
    ///   - hasPasskeys: Whether it takes passkeys.
    static func start(_ settings: [String: String] = [:], hasPasskeys: Bool = false) async throws -> PlayedService {
        let port = try Command.freePort()
        let origin = hasPasskeys ? ["JULIET_ACCOUNTS_ORIGIN": "http://localhost:\(port)"] : [:]
        let service = PlayedService(
            port: port, adminPort: try Command.freePort(), host: hasPasskeys ? "localhost" : "127.0.0.1",
            settings: settings.merging(origin) { own, _ in own }, database: try await Database.make())
        try await service.start()
        return service
    }

    /// Ends it, and starts another one in its place, on the same port and database, with more settings.
    func restarted(_ more: [String: String]) async throws -> PlayedService {
        kill()
        let other = PlayedService(
            port: port, adminPort: adminPort, host: host, settings: settings.merging(more) { _, new in new },
            database: database)
        try await other.start()
        return other
    }

    private init(port: Int, adminPort: Int, host: String, settings: [String: String], database: Database) {
        self.settings = settings
        self.port = port
        self.adminPort = adminPort
        self.host = host
        self.database = database
        basePath = settings["JULIET_HTTP_BASE_PATH"] ?? ""
        environment = ProcessInfo.processInfo.environment
            .merging(["JULIET_ADMIN_PORT": "\(adminPort)"]) { _, own in own }.merging(settings) { _, own in own }
    }

    deinit { kill() }

    /// Where the page is, as this machine sees it.
    var address: String { "http://\(host):\(port)\(basePath)/" }

    /// Where the admin page is.
    var adminAddress: String { "http://127.0.0.1:\(adminPort)/admin" }

    /// Makes a key of the admin page.
    func addAdminKey(_ name: String, role: String = "owner") async throws -> String {
        let arguments = [
            "admin", "keys", "add", name, "--role", role, "--database", database.address(user: "postgres"),
        ]
        let lines = try await Command.run([Program.juliet] + arguments).split(separator: "\n")
        guard let key = lines.first(where: { $0.hasPrefix("juliet-admin-") }) else {
            throw Failure(description: "no key was made")
        }
        return String(key)
    }

    /// Ends a key.
    func revokeAdminKey(_ name: String) async throws {
        let arguments = ["admin", "keys", "revoke", name, "--database", database.address(user: "postgres")]
        try await Command.run([Program.juliet] + arguments)
    }

    /// Starts the next draw of the lottery as operators do, and returns what is printed when it is over.
    func drawLottery() async throws -> String {
        try await Command.run([Program.juliet, "lottery", "draw", "--database", database.address(user: "postgres")])
    }

    /// Runs SQL as the superuser.
    @discardableResult
    func psql(_ sql: String) async throws -> String { try await database.psql(sql) }

    /// Leaves two hundred words to deal, so that a debug build looks back at a game in no time.
    func shortenList() async throws {
        _ = try await psql(
            """
            UPDATE words SET retired_at = now() WHERE is_secret AND language = 'en' AND word NOT IN (
                SELECT word FROM words WHERE is_secret AND language = 'en' ORDER BY md5(word) LIMIT 200);
            SELECT refresh_word_lists()
            """)
    }

    /// Starts it and waits until it is ready.
    func start() async throws {
        let process = try ChildProcess(
            [Program.juliet, "serve", "--port", "\(port)", "--database", database.address(user: "browser_service")],
            environment: environment, folder: Program.root)
        self.process.withLock { $0 = process }
        let deadline = ContinuousClock.now + .seconds(30)
        while (try? await status(of: "/ready")) != 200 {
            guard process.isRunning, ContinuousClock.now < deadline else {
                throw Failure(description: "juliet serve does not get ready")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The status that GET of a path is answered with.
    func status(of path: String) async throws -> Int? {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { return nil }
        return (try await URLSession.shared.data(from: url).1 as? HTTPURLResponse)?.statusCode
    }

    /// Ends it as nothing else does, SIGKILL, and waits for its end.
    func kill() {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        process?.signal(SIGKILL)
        process?.waitForEnd()
    }

    /// The word of a game, which only the superuser sees before its end.
    func secret(of game: GameAnswer) async throws -> String {
        try await database.psql("SELECT word FROM judged_games WHERE id = '\(game.id)'")
    }

    /// Puts another word into a running game, with the commitment that fits, as nobody should.
    func swap(_ game: GameAnswer, to word: String) async throws {
        try await database.psql(
            """
            UPDATE judged_games SET word = '\(word)', commitment = commitment(salt, '\(word)') WHERE id = '\(game.id)'
            """)
    }

    /// How many players there are.
    func playerCount() async throws -> Int {
        Int(try await database.psql("SELECT count(*) FROM users")) ?? -1
    }
}

/// A database of one test.
private struct Database: Sendable {
    let cluster: PostgresCluster
    let lease: ThrowawayDatabase
    var name: String { lease.name }

    /// Copies the one that was made by commands.
    static func make() async throws -> Database {
        let template = try await template.value
        let lease =
            if CitusCluster.isWanted {
                try await CitusCluster.shared().copyDatabase(template.name)
            } else {
                try await template.cluster.copyDatabase(template.name)
            }
        return Database(cluster: template.cluster, lease: lease)
    }

    /// Its players are spread over several servers where `TEST_LAYOUT=citus`.
    private static let template = Task {
        let servers = CitusCluster.isWanted ? try await CitusCluster.shared() : nil
        let cluster = if let servers { servers.coordinator } else { try await PostgresCluster.shared() }
        let lease = if let servers { try await servers.createDatabase() } else { try await cluster.createDatabase() }
        let database = Database(cluster: cluster, lease: lease)
        let owner = database.address(user: "postgres")
        try await Command.run([Program.juliet, "migrate", "up", "--database", owner])
        try await Command.run(
            [Program.juliet, "words", "import", "--database", owner]
                + ["guessable", "secret"].map { "\(Program.root)/config/words/english-\($0).txt" })
        // Where rows are on several servers, an update may call only what depends on nothing else: not an interval's subtraction.
        try await database.psql(
            """
            CREATE FUNCTION public.earlier(at timestamptz, by interval) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE
            AS 'BEGIN RETURN at - by; END';
            REVOKE ALL ON FUNCTION public.earlier(timestamptz, interval) FROM PUBLIC
            """)
        for server in servers?.servers ?? [cluster] {
            try await server.psql("CREATE ROLE browser_service LOGIN IN ROLE juliet_service")
        }
        if let servers {
            try await Command.run([Program.juliet, "migrate", "distribute", "--shards", "4", "--database", owner])
            try await servers.close(database.name)
        }
        return database
    }

    func address(user: String) -> String {
        "host=\(cluster.directory) port=\(cluster.port) user=\(user) dbname=\(name)"
    }

    @discardableResult
    func psql(_ sql: String) async throws -> String { try await cluster.psql(sql, database: name) }
}

/// What was built with these tests.
private enum Program {
    /// The repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized.path

    /// The program `juliet`.
    static let juliet: String = {
        let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "juliet")
        return FileManager.default.isExecutableFile(atPath: beside.path) ? beside.path : "\(root)/.build/debug/juliet"
    }()
}
