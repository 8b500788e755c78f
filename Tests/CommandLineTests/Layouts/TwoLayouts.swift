import Foundation
import Migrations
import Postgres
import TestSupport

@testable import JulietGame
@testable import juliet

/// Two databases with the same rows, in which everything has happened once: one on one server, one whose players are on
/// several. The second was a copy of the first when it was distributed, so both have the same ids, times and secrets.
struct TwoLayouts: Sendable {
    /// The one on one server. It counts the calls of functions.
    let plain: Program
    /// The one on several.
    let spread: Program
    /// What questions name.
    let facts: Facts

    /// One of each, with the files that questions name.
    private let folders: [TemporaryFolder]
    /// The rows as they were made, a file a table, on the server that has both databases.
    private let rows: String
    /// What is in these rows.
    private let known: String
    /// The first second after the rows were made, as PostgreSQL prints it.
    private let madeAt: String

    static let shared = Task { try await TwoLayouts() }

    private init() async throws {
        let cluster = try await CitusCluster.shared()
        plain = Program(database: try await cluster.coordinator.createDatabase(), in: cluster.coordinator)
        try await plain.require(["migrate", "up"])
        try await plain.psql(Program.earlier)
        try await plain.makeHistory()
        try await Task.sleep(for: .seconds(1))
        madeAt = try await plain.psql("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')")
        facts = try await Facts(of: plain)

        let copy = try await cluster.copyToAll(plain.database)
        for server in cluster.servers {
            try await server.psql(
                "DO $$ BEGIN CREATE ROLE audit_somebody; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        }
        try await cluster.addExtension(to: copy.name)
        spread = Program(database: copy, in: cluster.coordinator)
        try await spread.require(["migrate", "distribute"])

        let path = "\(cluster.coordinator.directory)/rows"
        try await plain.write(to: path)
        var texts = ""
        for table in try await plain.tables() {
            texts += try String(contentsOfFile: "\(path).\(table)", encoding: .utf8)
        }
        (rows, known) = (path, texts)
        folders = [try TemporaryFolder(), try TemporaryFolder()]
        for folder in folders { try folder.writeQuestions() }
        try await plain.psql("ALTER DATABASE \(plain.database) SET track_functions = 'all'")
    }

    /// Does damage to both, where each damage is a statement of one server: what it changed there is copied.
    func harm(_ damages: [Damage]) async throws {
        for damage in damages { try await plain.harm(damage.sql) }
        for damage in damages where damage.undo != nil { try await spread.harm(damage.sql) }
        try await plain.write(to: "\(rows).harmed")
        for table in try await changed() { try await spread.read(table, from: "\(rows).harmed") }
    }

    /// Has both as they were made again.
    func restore(_ damages: [Damage] = []) async throws {
        for undo in damages.compactMap(\.undo) {
            try await plain.harm(undo)
            try await spread.harm(undo)
        }
        try await plain.write(to: "\(rows).harmed")
        for table in try await changed() {
            try await plain.read(table, from: rows)
            try await spread.read(table, from: rows)
        }
    }

    /// The same, whatever happened to either.
    func restoreAll() async throws {
        for table in try await plain.tables() {
            try await plain.read(table, from: rows)
            try await spread.read(table, from: rows)
        }
    }

    /// The tables whose files differ.
    private func changed() async throws -> [String] {
        try await plain.tables().filter {
            !FileManager.default.contentsEqual(atPath: "\(rows).\($0)", andPath: "\(rows).harmed.\($0)")
        }
    }

    /// Both answers to a question, without what may differ: names of the databases, how long something took, and what was
    /// made or happened since.
    func answers(to question: Question) async throws -> (plain: String, spread: String) {
        async let one = plain.answer(to: question, in: folders[0])
        async let other = spread.answer(to: question, in: folders[1])
        return (comparable(try await one), comparable(try await other))
    }

    private func comparable(_ answer: String) -> String {
        answer.replacing(plain.database, with: "<database>").replacing(spread.database, with: "<database>")
            .replacing(#/\([0-9.,]+ m?s\)/#, with: "(<time>)")
            .replacing(#/"seconds" ?: ?[0-9.e-]+/#, with: "\"seconds\": <time>")
            .replacing(#/Player \d{4}\b/#, with: "<made name>")
            .replacing(#/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{32}/#) {
                known.contains($0.output) ? String($0.output) : "<new>"
            }
            .replacing(#/(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00)?/#) {
                "\($0.1) \($0.2)" >= madeAt ? "<now>" : String($0.0)
            }
    }

    /// The functions that nobody has called in the database on one server, of those that questions are to call.
    func uncalled() async throws -> [String] {
        let elsewhere = Set(Schema.code.functions.filter { !Self.isAsked($0.file) }.compactMap { $0.function?.name })
        let uncalled = try await plain.psql(
            """
            SELECT DISTINCT proname FROM pg_proc LEFT JOIN pg_stat_user_functions ON funcid = oid
            WHERE pronamespace = 'juliet'::regnamespace AND coalesce(calls, 0) = 0
                AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
                -- PostgreSQL puts these into the statements that name them.
                AND NOT (prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql') AND NOT prosecdef AND proconfig IS NULL)
            ORDER BY 1
            """)
        return uncalled.split(separator: "\n").map(String.init).filter { !elsewhere.contains($0) }
    }

    /// Whether the functions of a file are asked for here. The tests of the contract call those of the other folders.
    private static func isAsked(_ file: String) -> Bool {
        let folders = [
            "accounts", "boards", "challenges", "energy", "leagues", "names", "operations", "play", "players",
            "purchases",
            "rules",
            "services", "trails", "users", "words",
        ]
        return !folders.contains { file.hasPrefix("\($0)/") }
            || ["accounts/operators.sql", "leagues/operators.sql", "players/export_player.sql"].contains(file)
    }
}

/// Ids in both databases.
struct Facts: Sendable {
    let lastGame, runningGame, league, invite, code, ownCode, passkey, session, participant: String

    /// For who only looks at the questions.
    static let placeholders = Facts()

    private init() {
        (lastGame, runningGame, league, invite, code) = ("", "", "", "", "")
        (ownCode, passkey, session, participant) = ("", "", "", "")
    }

    fileprivate init(of program: Program) async throws {
        func one(_ sql: String) async throws -> String { try await program.psql(sql) }
        let ada = "user_id = '\(Someone.ada)'"
        lastGame = try await one("SELECT max(id::text) FROM judged_games WHERE \(ada) AND ended_at IS NOT NULL")
        runningGame = try await one("SELECT max(id::text) FROM judged_games WHERE \(ada) AND ended_at IS NULL")
        league = try await one("SELECT id FROM leagues WHERE name = 'The Crew'")
        invite = try await one("SELECT invite FROM leagues WHERE name = 'The Crew'")
        code = try await one("SELECT min(code) FROM challenges WHERE deleted_at IS NULL AND NOT is_own_word")
        ownCode = try await one("SELECT code FROM challenges WHERE is_own_word AND deleted_at IS NULL")
        passkey = try await one("SELECT id FROM passkeys WHERE \(ada)")
        session = try await one("SELECT id FROM sessions WHERE user_id = '\(Someone.bob)' ORDER BY id LIMIT 1")
        participant = try await one("SELECT number FROM lottery_participants WHERE user_id = 'BEN'")
    }
}

extension Program {
    /// Runs a command that has to succeed.
    fileprivate func require(_ arguments: [String]) async throws {
        let outcome = try await run(arguments)
        guard outcome.status == 0 else { throw Unusable(notes: "\(arguments): \(outcome.notes)") }
    }

    /// Players of weeks ago, of whom some have come back, and old entries in the archive; then all that an audit looks at;
    /// then what operators do on the page.
    fileprivate func makeHistory() async throws {
        for (days, players) in [(500, 1...2), (40, 3...9), (9, 10...20), (2, 21...30)] {
            let ids = "FROM generate_series(\(players.lowerBound), \(players.upperBound)) AS i"
            try await psql("SELECT register_user('OLD-' || i, NULL, NULL) \(ids)")
            try await psql(
                """
                SELECT pay_for_game('OLD-' || i, NULL, NULL), buy_energy('OLD-' || i, 30, 'buy-' || i, 1) \(ids)
                """)
            try await age(days: days)
        }
        try await psql(
            """
            UPDATE users SET created_at = first.created_at
            FROM (SELECT user_id, created_at FROM energy_ledger WHERE entry = 1) AS first WHERE user_id = id
            """)
        try await require(["energy", "archive"])
        try await psql("SELECT pay_for_game('OLD-' || i, NULL, NULL) FROM generate_series(1, 30, 3) AS i")
        try await psql(AuditWorld.script)
        try await psql(
            """
            SELECT admin_change_name(sha256('key'), '\(Someone.bob)', 'hide', NULL, 'rude', 'hide-1', 1)
            """)
    }

    /// The game's tables.
    func tables() async throws -> [String] {
        try await psql(
            "SELECT relname FROM pg_class WHERE relnamespace = 'juliet'::regnamespace AND relkind = 'r' ORDER BY 1"
        )
        .split(separator: "\n").map(String.init)
    }

    /// Has the server write each table's rows to a file.
    fileprivate func write(to path: String) async throws {
        try await psql(
            """
            DO $$ DECLARE name text; BEGIN
                FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'juliet'::regnamespace AND relkind = 'r' LOOP
                    EXECUTE format('COPY (SELECT * FROM juliet.%1$I AS t ORDER BY t::text) TO %2$L', name, '\(path).' || name);
                END LOOP;
            END $$
            """)
    }

    /// Has the server read a table's rows from a file, in place of its own.
    fileprivate func read(_ table: String, from path: String) async throws {
        try await harm("DELETE FROM juliet.\(table); COPY juliet.\(table) FROM '\(path).\(table)'")
    }

    /// What an audit of these parts finds.
    func findings(
        _ parts: Set<Audit.Part> = Set(Audit.Part.allCases), since: String? = nil
    ) async throws -> [AuditFinding] {
        var configuration = PostgresConfiguration(connectionString: cluster.connectionString(database: database))
        configuration.applicationName = "audit"
        return try await withSession(configuration) { connection in
            var scope = Audit.Scope()
            scope.parts = parts
            scope.since = since
            var audit = Audit(connection: connection, scope: scope)
            var findings: [AuditFinding] = []
            _ = try await audit.run { findings.append($0) }
            // Roles are every database's: those that other tests make inherit what is granted here.
            return findings.filter { $0.kind != "schema.rights" || $0.fault.contains("juliet_service ") }
        }
    }

    /// What a database says to a question.
    ///
    /// - Parameter folder: What `{folder}` stands for.
    func answer(to question: Question, in folder: TemporaryFolder) async throws -> String {
        switch question {
        case .sql(let sql):
            do { return try await psql(sql) } catch { return "refused: \(error)" }
        case .command(let arguments):
            let outcome = try await run(arguments.map { $0.replacing("{folder}", with: folder.path) })
            // Else standard error tells how far a command is.
            let notes = outcome.status == 1 ? outcome.notes : ""
            return "\(outcome.status)\n\(outcome.output)\n\(notes)".replacing(folder.path, with: "{folder}")
        }
    }
}
