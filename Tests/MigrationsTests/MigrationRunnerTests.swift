import EventLoop
import Postgres
import TestSupport
import Testing

@testable import Migrations

@Suite("The runner, against a real server", .timeLimit(.minutes(5)))
struct MigrationRunnerTests {
    /// A fresh database and what is needed to migrate it.
    private final class Sandbox: Sendable {
        let cluster: PostgresCluster
        let lease: ThrowawayDatabase
        var database: String { lease.name }
        let loop: EventLoop
        let events = Locked<[String]>([])

        init() async throws {
            cluster = try await PostgresCluster.shared()
            lease = try await cluster.createDatabase()
            loop = try EventLoop(label: "migrations")
        }

        deinit { loop.shutdown() }

        func connect(
            as name: String = "juliet migrate", port: Int? = nil
        ) async throws(PostgresError) -> PostgresConnection {
            var configuration = PostgresConfiguration(
                connectionString: cluster.connectionString(database: database, tcp: port != nil))
            configuration.applicationName = name
            if let port { configuration.parameters["port"] = "\(port)" }
            return try await PostgresConnection.connect(configuration, on: loop)
        }

        /// - Parameter port: Of a proxy before the server.
        func runner(
            port: Int? = nil, _ adjust: (inout MigrationRunner.Options) -> Void = { _ in }
        ) -> MigrationRunner {
            var options = MigrationRunner.Options()
            adjust(&options)
            return MigrationRunner(
                connect: { () async throws(PostgresError) in try await self.connect(port: port) }, options: options,
                report: { event in
                    let text: String? =
                        switch event {
                        case .waiting: "waiting"
                        case .began: nil
                        case .running(let step, _): "running \(step.migration.version)"
                        case .retrying(let file, let line, let attempt, _):
                            "retry \(file):\(line) after \(attempt)"
                        case .droppedInvalidIndex(let name): "dropped \(name)"
                        case .foundFinishedIndex(let name): "found \(name)"
                        case .finished(let step, _): "\(step.direction) \(step.migration.version)"
                        case .changedCode(let lines):
                            "code: " + lines.map { "\($0.status.rawValue) \($0.object)" }.joined(separator: ", ")
                        }
                    if let text { self.events.withLock { $0.append(text) } }
                })
        }

        /// What it has said; that a step runs on is left out, which may be said of any step on a busy machine.
        func said(withProgress: Bool = false) -> [String] {
            events.withLock { $0.filter { withProgress || !$0.hasPrefix("running ") } }
        }

        func psql(_ sql: String) async throws -> String { try await cluster.psql(sql, database: database) }
    }

    private func file(_ version: Int, _ up: String, down: String = "", marks: String = "") throws -> Migration {
        let text = marks + "-- migrate:up\n\(up)\n" + (down.isEmpty ? "" : "-- migrate:down\n\(down)\n")
        return try Migration(fileName: "000\(version)_m\(version).sql", contents: Array(text.utf8))
    }

    @Test("up applies in order and records; again there is nothing to do; down takes back")
    func upAndDown() async throws {
        let sandbox = try await Sandbox()
        let files = try [
            file(1, "CREATE TABLE a (id int);\nINSERT INTO a VALUES (1);", down: "DROP TABLE a;"),
            file(2, "CREATE TABLE b (id int);", down: "DROP TABLE b;", marks: "-- migrate:backward-compatible\n"),
        ]
        let runner = sandbox.runner()
        #expect(try await runner.state(of: files).lines.map(\.status) == [.pending, .pending])
        #expect(try await sandbox.psql("SELECT to_regclass('schema_migrations') IS NULL") == "t")
        #expect(try await runner.up(files, to: 1).steps.map(\.migration.version) == [1])
        #expect(try await runner.up(files).steps.map(\.migration.version) == [2])
        #expect(try await runner.up(files).isEmpty)
        let state = try await runner.state(of: files)
        #expect(state.lines.map(\.status) == [.applied, .applied])
        #expect(state.lines.map(\.entry?.isBackwardCompatible) == [false, true])
        #expect(state.lines.allSatisfy { $0.entry?.appliedAt?.count == 20 && $0.entry?.milliseconds != nil })
        #expect(sandbox.said() == ["up 1", "up 2"])
        #expect(try await runner.down(files, count: 2).steps.map(\.migration.version) == [2, 1])
        #expect(try await sandbox.psql("SELECT to_regclass('a') IS NULL AND to_regclass('b') IS NULL") == "t")
        #expect(try await runner.state(of: files).pending.count == 2)
    }

    @Test("a statement that fails takes its whole migration with it, and is named by file and line")
    func failure() async throws {
        let sandbox = try await Sandbox()
        let files = try [
            file(1, "CREATE TABLE a (id int);"),
            file(2, "CREATE TABLE b (id int);\n\nINSERT INTO nowhere VALUES (1);"),
            file(3, "CREATE TABLE c (id int);"),
        ]
        let error = await #expect(throws: MigrationError.self) { try await sandbox.runner().up(files) }
        #expect(error?.description == "0002_m2.sql:4: relation \"nowhere\" does not exist (SQLSTATE 42P01)")
        #expect(try await sandbox.psql("SELECT to_regclass('a') IS NOT NULL AND to_regclass('b') IS NULL") == "t")
        #expect(try await sandbox.runner().state(of: files).lines.map(\.status) == [.applied, .pending, .pending])
    }

    @Test("a commit whose answer is lost is neither called a success nor a failure", arguments: [true, false])
    func lostCommit(isDelivered: Bool) async throws {
        let sandbox = try await Sandbox()
        let proxy = try Proxy(to: sandbox.cluster.port)
        defer { proxy.close() }
        let files = try [file(1, "CREATE TABLE a (id int);", down: "DROP TABLE a;")]
        proxy.cut(whenClientSends: "COMMIT\0", delivering: isDelivered)
        let error = await #expect(throws: MigrationError.self) {
            try await sandbox.runner(port: proxy.port).up(files)
        }
        guard case .outcomeUnknown(let file, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(file == files.first?.fileName)
        let advice = "0001_m1.sql: the connection was lost before the server confirmed it ("
        #expect(error?.description.hasPrefix(advice) == true)
        #expect(error?.description.hasSuffix("`juliet migrate status` shows whether it is done") == true)
        #expect(sandbox.said().isEmpty)
        // The server may still be at it.
        let expected = isDelivered ? SchemaState.Status.applied : .pending
        var status: SchemaState.Status?
        for _ in 0..<500 where status != expected {
            status = try await sandbox.runner().state(of: files).lines.first?.status
        }
        #expect(status == expected)
        #expect(try await sandbox.runner().up(files).steps.count == (isDelivered ? 0 : 1))

        proxy.cut(whenClientSends: "COMMIT\0", delivering: isDelivered)
        let undoing = await #expect(throws: MigrationError.self) {
            try await sandbox.runner(port: proxy.port).down(files)
        }
        #expect(undoing?.description.hasPrefix(advice) == true)
    }

    @Test("a statement outside a transaction that loses its connection may be done")
    func lostOutsideTransaction() async throws {
        let sandbox = try await Sandbox()
        let proxy = try Proxy(to: sandbox.cluster.port)
        defer { proxy.close() }
        let files = try [
            file(1, "CREATE TABLE a (id int);"),
            file(2, "CREATE INDEX CONCURRENTLY a_idx ON a (id);", marks: "-- migrate:no-transaction\n"),
        ]
        _ = try await sandbox.runner().up(files, to: 1)
        for text in ["CREATE INDEX", "INSERT INTO schema_migrations (version, name, checksum, backward_compatible, a"] {
            proxy.cut(whenClientSends: text, delivering: false)
            let error = await #expect(throws: MigrationError.self) {
                try await sandbox.runner(port: proxy.port).up(files)
            }
            guard case .outcomeUnknown = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await sandbox.runner().state(of: files).lines.map(\.status) == [.applied, .interrupted])
        }
        #expect(try await sandbox.runner().up(files).steps.count == 1)
        #expect(sandbox.said() == ["up 1", "found public.a_idx", "up 2"])
    }

    @Test("eight at once: one applies, seven find it done", arguments: [nil, "home"])
    func eightAtOnce(schema: String?) async throws {
        let sandbox = try await Sandbox()
        let files = try [
            file(1, "CREATE TABLE a (id int);\nINSERT INTO a SELECT generate_series(1, 1000);"),
            // Would wait for ever for runners that wait inside the server.
            file(
                2, "CREATE INDEX CONCURRENTLY a_idx ON a (id);", marks: "-- migrate:no-transaction\n"),
            file(3, "INSERT INTO a VALUES (0);\nSELECT pg_sleep(0.2);"),
        ]
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await sandbox.runner { $0.schema = schema }.up(files).steps.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.sorted() == [0, 0, 0, 0, 0, 0, 0, 3])
        let home = schema ?? "public"
        #expect(try await sandbox.psql("SELECT count(*) FROM \(home).a WHERE id = 0") == "1")
        #expect(try await sandbox.psql("SELECT count(*) FROM \(home).schema_migrations") == "3")
    }

    @Test("a role without rights on the ledger cannot keep others from migrating")
    func strangers() async throws {
        let sandbox = try await Sandbox()
        let files = try [file(1, "CREATE TABLE a (id int);"), file(2, "CREATE TABLE b (id int);")]
        _ = try await sandbox.runner().up(files, to: 1)
        let role = "stranger_\(UInt32.random(in: 0 ... .max))"
        _ = try await sandbox.psql("CREATE ROLE \(role)")
        let stranger = try await sandbox.connect(as: "a stranger")
        try await stranger.executeScript("SET ROLE \(role)")
        for mode in ["ROW SHARE", "SHARE UPDATE EXCLUSIVE", "ACCESS EXCLUSIVE"] {
            let error = await #expect(throws: PostgresError.self) {
                try await stranger.executeScript("BEGIN; LOCK TABLE schema_migrations IN \(mode) MODE")
            }
            #expect(error?.sqlState == "42501")
            try await stranger.executeScript("ROLLBACK")
        }
        // What it can have.
        try await stranger.executeScript("BEGIN; SELECT FROM schema_migrations; SELECT pg_advisory_lock(495874206049)")
        // The session that has just migrated may not have ended yet; this waits for it.
        #expect(try await sandbox.runner { $0.lockWait = .seconds(20) }.up(files).steps.count == 1)
        await stranger.close()
        _ = try await sandbox.psql("DROP ROLE \(role)")
    }

    @Test("the session that migrates is named when the wait ends, and how to end it")
    func lockedOut() async throws {
        let sandbox = try await Sandbox()
        let migrator = try await sandbox.connect(as: "someone else")
        let pid = migrator.backendPID
        let holder = try await sandbox.connect(as: "a lock")
        let runner = sandbox.runner { $0.lockWait = .milliseconds(600) }
        let files = try [file(1, "CREATE TABLE a (id int);"), file(2, "CREATE TABLE b (id int);")]
        _ = try await sandbox.runner().up(files, to: 1)
        // The session that has just had it may not have ended yet; this waits for it.
        let take = MigrationLock.take(in: nil, for: pid).replacing("NOWAIT", with: "")
        try await holder.executeScript(take)
        let error = await #expect(throws: MigrationError.self) { try await runner.up(files) }
        guard case .locked(let session?, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(session.processID == pid)
        #expect(session.application == "someone else")
        #expect(error?.description.hasPrefix("the migration lock is held by session \(pid) (") == true)
        #expect(error?.description.hasSuffix(" s. `SELECT pg_terminate_backend(\(pid))` ends it") == true)
        #expect(sandbox.said() == ["up 1", "waiting"])
        await migrator.close()
        // A lock that was left is named itself.
        let left = await #expect(throws: MigrationError.self) { try await runner.up(files) }
        #expect(
            left?.description.hasPrefix("the migration lock is held by session \(holder.backendPID) (") == true,
            "\(left?.description ?? "")")
        await holder.close()
        #expect(try await runner.up(files).steps.count == 1)
    }

    @Test("a locked table is waited for briefly, again and again, and others get through in between")
    func lockedTable() async throws {
        let sandbox = try await Sandbox()
        let files = try [file(1, "CREATE TABLE a (id int);"), file(2, "ALTER TABLE a ADD COLUMN b int;")]
        let runner = sandbox.runner {
            $0.lockTimeout = .milliseconds(50)
            $0.lockAttempts = 3
            $0.lockPause = .milliseconds(100)
        }
        _ = try await runner.up(files, to: 1)
        let player = try await sandbox.connect(as: "player")
        try await player.executeScript("BEGIN; SELECT FROM a")
        let error = await #expect(throws: MigrationError.self) { try await runner.up(files) }
        #expect(
            error?.description.hasPrefix(
                "0002_m2.sql:2: a table stayed locked in 3 attempts, nothing changed; the oldest transaction here is that "
                    + "of session ") == true)
        #expect(error?.description.contains("\"player\"") == true)
        #expect(sandbox.said() == ["up 1", "retry 0002_m2.sql:2 after 1", "retry 0002_m2.sql:2 after 2"])
        async let done = runner.up(files)
        try await Task.sleep(for: .milliseconds(120))
        await player.close()
        #expect(try await done.steps.count == 1)
    }

    @Test("a right that somebody else changes at the same moment is granted in a second try")
    func overtakenInCatalog() async throws {
        let sandbox = try await Sandbox()
        let files = try [file(1, "CREATE TABLE a (id int);"), file(2, "GRANT SELECT ON a TO PUBLIC;")]
        let runner = sandbox.runner { $0.lockTimeout = .seconds(60) }
        _ = try await runner.up(files, to: 1)
        let other = try await sandbox.connect(as: "other")
        try await other.executeScript("BEGIN; GRANT INSERT ON a TO PUBLIC")
        async let done = runner.up(files)
        // It waits for the other's transaction, which then turns out to have changed the row.
        while try await sandbox.psql(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted"
                + " AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())") == "0"
        { try await Task.sleep(for: .milliseconds(10)) }
        try await other.executeScript("COMMIT")
        #expect(try await done.steps.count == 1)
        #expect(sandbox.said() == ["up 1", "retry 0002_m2.sql:2 after 1", "up 2"])
        await other.close()
    }

    @Test("an invalid index that a failed concurrent build left is dropped before the next try")
    func invalidIndex() async throws {
        let sandbox = try await Sandbox()
        let files = try [
            file(1, "CREATE TABLE \"Ä\" (id int);\nINSERT INTO \"Ä\" VALUES (1), (1);"),
            file(
                2, "CREATE UNIQUE INDEX CONCURRENTLY \"Ä_key\" ON \"Ä\" (id);",
                down: "DROP INDEX CONCURRENTLY \"Ä_key\";", marks: "-- migrate:no-transaction\n"),
        ]
        let runner = sandbox.runner()
        let error = await #expect(throws: MigrationError.self) { try await runner.up(files) }
        #expect(error?.description.hasPrefix("0002_m2.sql:3: could not create unique index \"Ä_key\"") == true)
        #expect(try await sandbox.psql("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == "1")
        #expect(try await runner.state(of: files).lines.map(\.status) == [.applied, .pending])
        _ = try await sandbox.psql("DELETE FROM \"Ä\"")
        #expect(try await runner.up(files).steps.count == 1)
        #expect(try await sandbox.psql("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == "0")
        #expect(sandbox.said() == ["up 1", "dropped public.\"Ä_key\"", "up 2"])
        #expect(try await runner.down(files).steps.count == 1)
        #expect(try await runner.state(of: files).lines.map(\.status) == [.applied, .pending])
    }

    @Test("an index that was finished but not recorded is recorded, and one that somebody else made is not")
    func finishedIndex() async throws {
        let sandbox = try await Sandbox()
        let files = try [
            file(1, "CREATE TABLE a (id int);"),
            file(2, "CREATE INDEX CONCURRENTLY a_idx ON a (id);", marks: "-- migrate:no-transaction\n"),
        ]
        let runner = sandbox.runner()
        _ = try await runner.up(files, to: 1)
        _ = try await sandbox.psql("CREATE INDEX a_idx ON a (id)")
        let error = await #expect(throws: MigrationError.self) { try await runner.up(files) }
        #expect(error?.description == "0002_m2.sql:3: relation \"a_idx\" already exists (SQLSTATE 42P07)")
        // What a run leaves that is killed between the index and its record.
        _ = try await sandbox.psql(
            """
            INSERT INTO schema_migrations (version, name, checksum, backward_compatible) VALUES (2, 'm2', '', false)
            """)
        #expect(try await runner.state(of: files).lines.map(\.status) == [.applied, .interrupted])
        #expect(try await runner.up(files).steps.count == 1)
        #expect(try await runner.state(of: files).lines.map(\.status) == [.applied, .applied])
        #expect(sandbox.said() == ["up 1", "found public.a_idx", "up 2"])
    }

    @Test("drift stops everything until it is mended or accepted")
    func drift() async throws {
        let sandbox = try await Sandbox()
        let original = try file(1, "CREATE TABLE a (id int);")
        let gone = try file(2, "CREATE TABLE b (id int);")
        let next = try file(3, "CREATE TABLE c (id int);")
        let runner = sandbox.runner()
        _ = try await runner.up([original, gone])
        let edited = try file(1, "CREATE TABLE a (id bigint);")
        let error = await #expect(throws: MigrationError.self) { try await runner.up([edited, next]) }
        #expect(
            error?.description == """
                0001_m1: its file was edited after it was applied; restore it, or run juliet migrate repair --accept 1 --migrations FOLDER
                0002_m2: applied, but its file is gone; restore it, or run juliet migrate repair --accept 2 --migrations FOLDER
                """)
        #expect(try await runner.accept(version: 1, files: [edited, next]).status == .edited)
        #expect(try await runner.accept(version: 2, files: [edited, next]).status == .missing)
        await #expect(throws: MigrationError.self) { try await runner.accept(version: 1, files: [edited, next]) }
        #expect(try await runner.up([edited, next]).steps.count == 1)
    }

    @Test("a long step says that it runs, and stops saying so when it is done")
    func longStep() async throws {
        let sandbox = try await Sandbox()
        let runner = sandbox.runner { $0.progressInterval = .milliseconds(100) }
        _ = try await runner.up([try file(1, "SELECT pg_sleep(0.35);")])
        let said = sandbox.said(withProgress: true)
        #expect(said.first == "running 1")
        #expect(said.last == "up 1")
        try await Task.sleep(for: .milliseconds(250))
        #expect(sandbox.said(withProgress: true) == said)
    }

    @Test("what a migration sets for its session does not reach its record or the next one")
    func sessionState() async throws {
        let sandbox = try await Sandbox()
        let files = try [
            file(1, "CREATE SCHEMA s;\nSELECT set_config('search_path', 's', false);\nCREATE TABLE a (id int);"),
            file(2, "CREATE TABLE b (id int);"),
        ]
        #expect(try await sandbox.runner().up(files).steps.count == 2)
        #expect(
            try await sandbox.psql("SELECT to_regclass('s.a') IS NOT NULL AND to_regclass('public.b') IS NOT NULL")
                == "t")
    }

    @Test("a service sees whether the schema fits it")
    func fitness() async throws {
        let sandbox = try await Sandbox()
        let files = try [
            file(1, "CREATE TABLE a (id int);"),
            file(2, "ALTER TABLE a ADD b int;", marks: "-- migrate:backward-compatible\n"),
            file(3, "DROP TABLE a;"),
        ]
        func fitness(_ required: Int) async throws -> SchemaFitness {
            let connection = try await sandbox.connect()
            let ledger = try await Ledger.entries { (statement) async throws(PostgresError) in
                try await connection.execute(statement)
            }
            await connection.close()
            return SchemaFitness(SchemaState(files: Array(files.prefix(required)), ledger: ledger))
        }
        #expect(try await fitness(1) == .behind(newestApplied: nil))
        _ = try await sandbox.runner().up(files, to: 1)
        #expect(try await fitness(1) == .ready)
        #expect(try await fitness(2) == .behind(newestApplied: 1))
        _ = try await sandbox.runner().up(files, to: 2)
        #expect(try await fitness(1) == .readyOnNewer([2], release: nil))
        _ = try await sandbox.runner().up(files)
        #expect(try await fitness(1) == .tooNew([3]))
        #expect(try await fitness(2) == .tooNew([3]))
        #expect(try await fitness(3) == .ready)
        _ = try await sandbox.psql("UPDATE schema_migrations SET checksum = 'other' WHERE version = 2")
        #expect(try await fitness(2) == .otherFiles(["0002_m2", "0003_m3"]))
        #expect(try await fitness(3) == .otherFiles(["0002_m2"]))
    }
}
