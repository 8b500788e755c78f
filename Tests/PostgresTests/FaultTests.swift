import EventLoop
import Postgres
import Synchronization
import TestSupport
import Testing

/// An operation that must take effect exactly as often as it was acknowledged.
struct Record: Statement {
    var sql: StaticString { "INSERT INTO operations (id) VALUES ($1)" }
    let id: Int
    func bind(to parameters: inout Parameters) { parameters.append(id) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NoRow { NoRow() }
}

/// Callers that each do one operation after the other, and keep account of what they were told.
actor Load {
    private(set) var acknowledged: Set<Int> = []
    private(set) var refused: Set<Int> = []
    private(set) var unknown: Set<Int> = []
    private(set) var codes: Set<PostgresError.Code> = []
    private var next = 0

    /// Runs callers until the task is cancelled.
    func run(_ client: PostgresClient, callers: Int = 32) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    while !Task.isCancelled {
                        let id = await self.begin()
                        // Unstructured, for an operation once begun must be told how it ended.
                        let outcome = await Task {
                            await outcomes(1) { (_) async throws(PostgresError) in
                                try await client.execute(Record(id: id))
                            }
                        }.value.first
                        await self.end(id, outcome?.code)
                    }
                }
            }
        }
    }

    /// How many operations were acknowledged so far.
    var count: Int { acknowledged.count }

    private func begin() -> Int {
        next += 1
        return next
    }

    private func end(_ id: Int, _ code: PostgresError.Code?) {
        switch code {
        case nil: acknowledged.insert(id)
        case .outcomeUnknown?: unknown.insert(id)
        default: refused.insert(id)
        }
        if let code { codes.insert(code) }
    }
}

/// How soon after a fault's end an operation must succeed: before the timeouts of connecting and of waiting for a connection, 5 s,
/// would end what hangs.
private let recovery = Duration.seconds(4)

extension Fixture {
    /// Runs a fault under load and compares what the callers were told with what the database holds. After the fault's end
    /// operations must succeed again.
    func underLoad(
        _ configure: (inout PostgresConfiguration) -> Void = { _ in },
        database: (() async throws -> [Int])? = nil,
        fault: @escaping @Sendable (Load) async throws -> Void
    ) async throws -> Load {
        try await psql("CREATE TABLE IF NOT EXISTS operations (id bigint NOT NULL)")
        let load = Load()
        try await withClient(configure) { client in
            let running = Task { await load.run(client) }
            try await until(.seconds(10)) { await load.count > 100 }
            try await fault(load)
            let before = await load.count
            try await until(recovery) { await load.count > before }
            running.cancel()
            await running.value
        }
        let rows: [Int]
        if let database {
            rows = try await database()
        } else {
            rows = try await psql("SELECT id FROM operations").split(separator: "\n").compactMap { Int($0) }
        }
        let present = Set(rows)
        #expect(present.count == rows.count, "applied twice")
        #expect(await load.acknowledged.subtracting(present).isEmpty, "acknowledged and lost")
        #expect(await load.refused.intersection(present).isEmpty, "refused and done")
        // No session is left behind.
        if database == nil {
            let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(self.database)'"
            try await until(.seconds(5)) { try await cluster.psql(sql) == "0" }
        }
        return load
    }

    /// Waits for a condition, and fails if it does not come about in time.
    func until(
        _ limit: Duration, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("not within \(limit)", sourceLocation: sourceLocation)
    }
}

@Suite("Faults", .serialized)
struct FaultTests {
    @Test("backends terminated under load")
    func terminatedBackends() async throws {
        try await Fixture.run { fixture in
            let load = try await fixture.underLoad { _ in
                for _ in 0..<10 {
                    try await fixture.cluster.psql(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(fixture.database)'")
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            #expect(await load.codes.subtracting([.outcomeUnknown, .notSent]).isEmpty)
        }
    }

    @Test("a backend terminated while a statement runs: nothing has happened, and the pool runs it again")
    func terminatedWithinStatement() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep(")
                try await fixture.psql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE '%pg_sleep(%' AND pid <> pg_backend_pid()
                    """)
                _ = try await slow.value
            }
            #expect(try await fixture.psql("SELECT count(*) FROM marks") == "1")
        }
    }

    @Test("a backend killed while a write runs leaves its outcome unknown, and a read is run again")
    func killedWithinStatement() async throws {
        struct SlowRead: Statement {
            var sql: StaticString { "SELECT n FROM players, pg_sleep(5)" }
            var access: StatementAccess { .read }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
        }
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        try await Fixture.run(cluster: cluster) { fixture in
            try await fixture.createPlayers(1)
            // A server that recovers on a busy machine takes its time.
            try await fixture.withClient({
                $0.queueTimeout = .seconds(60)
                $0.statementTimeout = .seconds(60)
            }) { client in
                let read = Task { try await client.first(SlowRead()) }
                let write = Task { try await client.execute(SlowMark(mark: 1, seconds: 60)) }
                try await fixture.untilActive("pg_sleep(", count: 2)
                try await cluster.kill()
                #expect(await failure(of: write)?.code == .outcomeUnknown)
                try await cluster.start()
                #expect(try await read.value == 0)
            }
            #expect(try await fixture.psql("SELECT count(*) FROM marks") == "0")
        }
    }

    @Test("a transaction whose backend is terminated at each of its steps")
    func terminatedWithinTransaction() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                for step in 0..<3 {
                    let error = await #expect(throws: PostgresTransactionError.self) {
                        try await client.withTransaction { transaction in
                            for current in 0..<3 {
                                if current == step {
                                    try await fixture.psql(
                                        "SELECT pg_terminate_backend(\(transaction.backendPID), 5000)")
                                }
                                if current < 2 { _ = try await transaction.execute(Bump(id: "p0")) }
                            }
                        }
                    }
                    #expect(error?.mayHaveCommitted == false)
                }
                _ = try await client.withTransaction { try await $0.execute(Bump(id: "p0")) }
            }
            #expect(try await fixture.psql("SELECT n FROM players") == "1")
        }
    }

    @Test("the server killed -9 and restarted under load")
    func killedServer() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        try await Fixture.run(cluster: cluster) { fixture in
            // So long that nobody gives up before the server has started, however busy the machine is.
            let load = try await fixture.underLoad({ $0.queueTimeout = .seconds(60) }) { _ in
                try await cluster.kill()
                try await Task.sleep(for: .milliseconds(500))
                try await cluster.start()
            }
            #expect(await load.codes.subtracting([.outcomeUnknown, .notSent, .connectionFailed]).isEmpty)
        }
    }

    @Test("the server restarted under load")
    func restartedServer() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        try await Fixture.run(cluster: cluster) { fixture in
            let load = try await fixture.underLoad({ $0.queueTimeout = .seconds(60) }) { _ in
                try await cluster.restart()
            }
            #expect(await load.codes.subtracting([.outcomeUnknown, .notSent]).isEmpty)
        }
    }

    @Test("a network that swallows everything for a while")
    func blackHole() async throws {
        try await Fixture.run { fixture in
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            let load = try await fixture.underLoad({
                $0.connectionString = fixture.connectionString(through: proxy)
                $0.statementTimeout = .milliseconds(500)
                $0.queueTimeout = .milliseconds(400)
                $0.cancellationTimeout = .milliseconds(200)
                $0.connectTimeout = .milliseconds(500)
            }) { load in
                proxy.silence()
                // First those that were sent, then those that wait for a connection, which none can make.
                try await fixture.until(.seconds(60)) {
                    await load.codes.isSuperset(of: [.outcomeUnknown, .queueTimeout])
                }
                proxy.resume()
            }
            #expect(await load.codes.isSuperset(of: [.outcomeUnknown, .queueTimeout]))
        }
    }

    @Test("connections cut by the network")
    func cutConnections() async throws {
        try await Fixture.run { fixture in
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            _ = try await fixture.underLoad({
                $0.connectionString = fixture.connectionString(through: proxy)
            }) { _ in
                for _ in 0..<10 {
                    proxy.cut()
                    try await Task.sleep(for: .milliseconds(30))
                }
            }
        }
    }

    @Test("the server's limit of connections reached, then not any more")
    func connectionLimit() async throws {
        let cluster = try await PostgresCluster.start(settings: [
            "max_connections": "6", "superuser_reserved_connections": "1",
        ])
        defer { cluster.remove() }
        try await Fixture.run(cluster: cluster) { fixture in
            try await fixture.createPlayers(1)
            try await fixture.psql("CREATE ROLE guest LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO guest")
            var hogs: [PostgresConnection] = []
            var configuration = fixture.configuration()
            configuration.parameters["user"] = "guest"
            for _ in 0..<5 { hogs.append(try await PostgresConnection.connect(configuration, on: fixture.loop)) }
            let others = hogs
            try await fixture.withClient({
                $0.parameters["user"] = "guest"
                $0.queueTimeout = .milliseconds(300)
            }) { client in
                let results = await outcomes(1) { (_) async throws(PostgresError) in
                    try await client.execute(Bump(id: "p0"))
                }
                #expect(results.first?.code == .connectionFailed)
                for hog in others { await hog.close() }
                try await fixture.until(recovery) { (try? await client.execute(Bump(id: "p0"))) != nil }
            }
        }
    }

    @Test("errors of a full disk and of a read-only server are the statement's, and pass")
    func refusals() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(5)
            try await fixture.psql(
                """
                CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
                CREATE TRIGGER full_disk BEFORE UPDATE ON players EXECUTE FUNCTION full_disk()
                """)
            try await fixture.withClient { client in
                let full = await outcomes(5) { (_) async throws(PostgresError) in
                    try await client.execute(Bump(id: "p0"))
                }
                #expect(full.allSatisfy { $0.sqlState == .diskFull })
                try await fixture.psql("DROP TRIGGER full_disk ON players")
                _ = try await client.execute(Bump(id: "p0"))
                try await fixture.psql("ALTER DATABASE \(fixture.database) SET default_transaction_read_only = on")
                try await fixture.psql(
                    """
                    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """)
                // What is sent to a session whose end nobody has noticed yet has no known outcome.
                try await fixture.until(.seconds(10)) {
                    try await fixture.psql(
                        """
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                            AND backend_type = 'client backend'
                        """) == "2"
                }
                // Of several players: those of one would wait for one another's new sessions.
                let readOnly = await outcomes(5) { (index) async throws(PostgresError) in
                    try await client.execute(Bump(id: "p\(index)"))
                }
                #expect(
                    readOnly.allSatisfy { $0.sqlState == .readOnlyTransaction },
                    "\(readOnly)")
                try await fixture.cluster.psql("ALTER DATABASE \(fixture.database) RESET default_transaction_read_only")
                // A session that has become read-only is replaced, so the next statement finds a fresh one.
                try await fixture.until(recovery) { (try? await client.execute(Bump(id: "p0"))) != nil }
            }
        }
    }
}

/// Not one after the other with the faults above, which would all wait for it; it needs no processor.
@Suite("A server that stands still")
struct FrozenServerTests {
    @Test("the server frozen until connections to it are given up, and no new one can be made")
    func frozenServer() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        try await Fixture.run(cluster: cluster) { fixture in
            let observer = Watcher()
            let load = try await fixture.underLoad({
                $0.statementTimeout = .seconds(2)
                $0.queueTimeout = .seconds(1)
                $0.cancellationTimeout = .milliseconds(500)
                $0.connectTimeout = .seconds(3)
                $0.observer = observer
            }) { load in
                try cluster.pause()
                try await fixture.until(.seconds(30)) {
                    // Each caller was refused more than once, too.
                    let (codes, refused) = await (load.codes, load.refused.count)
                    return codes.contains(.queueTimeout) && refused > 64 && !observer.seen.lost.isEmpty
                        && !observer.seen.failed.isEmpty
                }
                try cluster.resume()
            }
            // The batch under way is unknown; whoever waited is told in time.
            let codes = await load.codes
            #expect(codes.contains(.queueTimeout), "\(codes)")
            #expect(await load.unknown.count <= 64)
        }
    }
}

@Suite("Faults of a server with a standby", .serialized)
struct StandbyFaultTests {
    @Test("a failover to a promoted standby")
    func failover() async throws {
        let primary = try await PostgresCluster.start(settings: [
            "synchronous_standby_names": "", "max_wal_senders": "5",
        ])
        defer { primary.remove() }
        try await Fixture.run(cluster: primary) { fixture in
            let standby = try await primary.makeStandby()
            defer { standby.remove() }
            // What is acknowledged is on the standby too.
            try await primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try await primary.psql("SELECT pg_reload_conf()")
            _ = try await fixture.underLoad(
                {
                    $0.connectionString =
                        "host=127.0.0.1,127.0.0.1 port=\(primary.port),\(standby.port) user=postgres "
                        + "dbname=\(fixture.database) target_session_attrs=read-write"
                },
                database: {
                    try await standby.psql("SELECT id FROM operations", database: fixture.database)
                        .split(separator: "\n").compactMap { Int($0) }
                }
            ) { _ in
                try await primary.kill()
                try await standby.promote()
            }
        }
    }

    @Test("a commit whose wait for the standby is cut short is not acknowledged", arguments: [false, true])
    func standbyOutOfReach(isTransaction: Bool) async throws {
        let primary = try await PostgresCluster.start()
        defer { primary.remove() }
        try await Fixture.run(cluster: primary) { fixture in
            try await fixture.psql("CREATE TABLE operations (id bigint NOT NULL); CREATE TABLE probes (id bigint)")
            try await fixture.withClient({ $0.statementTimeout = .milliseconds(300) }) { client in
                _ = try await client.execute(Record(id: 1))
                try await primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                try await primary.psql("SELECT pg_reload_conf()")
                // Commits wait from when the checkpointer has read the setting, which no view shows: until one does.
                let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                try await fixture.until(.seconds(60)) {
                    let isOver = Locked(false)
                    let probe = Task {
                        defer { isOver.withLock { $0 = true } }
                        try await fixture.psql("INSERT INTO probes VALUES (1)")
                    }
                    var isCancelled = false
                    while !isOver.withLock({ $0 }) {
                        isCancelled = try await primary.psql(cancel) == "t" || isCancelled
                    }
                    _ = try await probe.value
                    return isCancelled
                }
                if isTransaction {
                    // A commit has no deadline of ours, but an operator may lose patience.
                    let transaction = Task {
                        try await client.withTransaction { _ = try await $0.execute(Record(id: 2)) }
                    }
                    try await fixture.until(.seconds(60)) { try await primary.psql(cancel) == "t" }
                    let error = await #expect(throws: PostgresTransactionError.self) { try await transaction.value }
                    #expect(error?.mayHaveCommitted == true)
                } else {
                    let error = await #expect(throws: PostgresError.self) { try await client.execute(Record(id: 2)) }
                    #expect(error?.code == .outcomeUnknown)
                }
                // It is there, so whoever asks again with its name gets its answer once the standby has it, too.
                #expect(try await fixture.psql("SELECT count(*) FROM operations") == "2")
                try await primary.psql("ALTER SYSTEM RESET synchronous_standby_names")
                try await primary.psql("SELECT pg_reload_conf()")
                try await fixture.until(.seconds(5)) { (try? await client.execute(Record(id: 3))) != nil }
            }
        }
    }
}
