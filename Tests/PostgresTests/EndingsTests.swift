import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// Endings that are rare: what comes with a commit, what a neighbour did, what a migration changed, what a body hides.
@Suite("Rare endings")
struct EndingsTests {
    /// Makes batches fill: what is submitted by `body` waits behind a slow statement and leaves together.
    private func together<Value: Sendable>(
        _ client: PostgresClient, _ fixture: Fixture, _ count: Int,
        _ call: @escaping @Sendable (Int) async throws(PostgresError) -> Value
    ) async throws -> [Result<Value, PostgresError>] {
        let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 0.5)) }
        try await fixture.untilActive("pg_sleep(")
        let results = await outcomes(count, call)
        _ = try await slow.value
        return results
    }

    @Test("a constraint that is checked at the commit fails its own statement, and no neighbour")
    func deferredConstraint() async throws {
        struct Insert: Statement {
            var sql: StaticString { "INSERT INTO deferred VALUES ($1)" }
            let id: Int
            func bind(to parameters: inout Parameters) { parameters.append(id) }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.psql(
                "CREATE TABLE deferred (id bigint UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO deferred VALUES (3)"
            )
            try await fixture.withClient { client in
                let results = try await together(client, fixture, 5) { (index) async throws(PostgresError) in
                    try await client.execute(Insert(id: index))
                }
                for (index, result) in results.enumerated() {
                    #expect(result.sqlState == (index == 3 ? .uniqueViolation : nil))
                    #expect(result.code == (index == 3 ? .server : nil))
                }
                let alone = await outcomes(1) { (_) async throws(PostgresError) in
                    try await client.execute(Insert(id: 3))
                }
                #expect(alone.first?.sqlState == .uniqueViolation)
            }
            try await fixture.withConnection { connection in
                let error = await #expect(throws: PostgresError.self) { try await connection.execute(Insert(id: 3)) }
                #expect(error?.sqlState == .uniqueViolation)
                #expect(await connection.transactionState() == .idle)
            }
            #expect(try await fixture.psql("SELECT count(*) FROM deferred") == "5")
        }
    }

    @Test("statements of one type whose text is refused are all told why")
    func refusedText() async throws {
        struct Missing: Statement {
            var sql: StaticString { "SELECT 1 FROM no_such_table WHERE $1 = 1" }
            let id: Int
            func bind(to parameters: inout Parameters) { parameters.append(id) }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(5)
            try await fixture.withClient { client in
                let results = try await together(client, fixture, 10) { (index) async throws(PostgresError) in
                    if index % 2 == 0 {
                        _ = try await client.execute(Missing(id: index))
                    } else {
                        _ = try await client.execute(Bump(id: "p\(index / 2)"))
                    }
                }
                for (index, result) in results.enumerated() {
                    #expect(result.sqlState == (index % 2 == 0 ? .undefinedTable : nil))
                }
            }
        }
    }

    @Test("a typed BEGIN or COMMIT is refused by the client, and nobody's transaction is opened or cut in two")
    func transactionControl() async throws {
        struct Begin: Statement {
            var sql: StaticString { "/* at once */ BEGIN" }
            typealias Row = NoRow
        }
        struct Commit: Statement {
            var sql: StaticString { "commit" }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(8)
            try await fixture.withClient { client in
                for _ in 0..<2 {
                    let results = try await together(client, fixture, 10) { (index) async throws(PostgresError) in
                        switch index {
                        case 3: _ = try await client.execute(Begin())
                        case 6: _ = try await client.execute(Commit())
                        default: _ = try await client.execute(Bump(id: "p\(index % 8)"))
                        }
                    }
                    for (index, result) in results.enumerated() {
                        #expect(result.code == ([3, 6].contains(index) ? .misuse : nil))
                    }
                }
            }
            #expect(try await fixture.psql("SELECT sum(n) FROM players") == "16")
            try await fixture.withConnection { connection in
                // A session of one's own may.
                _ = try await connection.execute(Begin())
                #expect(await connection.transactionState() == .open)
                _ = try await connection.execute(Commit())
                #expect(await connection.transactionState() == .idle)
            }
        }
    }

    @Test("a typed command that commits by itself is refused before it is sent, and never takes effect beside others")
    func selfCommitting() async throws {
        struct MakeIndex: Statement {
            var sql: StaticString { "/* by n */ CREATE INDEX CONCURRENTLY by_n ON players (n)" }
            typealias Row = NoRow
        }
        struct Vacuum: Statement {
            var sql: StaticString { "VACUUM players" }
            typealias Row = NoRow
        }
        struct Fail: Statement {
            var sql: StaticString { "SELECT 1 / 0" }
            var orderingKey: String? { "~" }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(4)
            let indexes = "SELECT count(*) FROM pg_class WHERE relname = 'by_n'"
            try await fixture.withClient { client in
                // Without a key they would come first in their batch, and the last one fails it.
                let results = try await together(client, fixture, 6) { (index) async throws(PostgresError) in
                    switch index {
                    case 1: _ = try await client.execute(MakeIndex())
                    case 3: _ = try await client.execute(Vacuum())
                    case 5: _ = try await client.execute(Fail())
                    default: _ = try await client.execute(Bump(id: "p\(index)"))
                    }
                }
                let expected: [PostgresError.Code?] = [nil, .misuse, nil, .misuse, nil, .server]
                #expect(results.map(\.code) == expected)
                #expect(try await fixture.psql(indexes) == "0")
                // Nor by itself: whether others share its batch is not the caller's to know.
                let error = await #expect(throws: PostgresError.self) { try await client.execute(MakeIndex()) }
                #expect(error?.code == .misuse)
                #expect(try await fixture.psql(indexes) == "0")
                #expect(try await fixture.psql("SELECT string_agg(n::text, ',' ORDER BY id) FROM players") == "1,0,1,0")
                // A session of one's own may.
                try await client.withConnection { connection in
                    _ = try await connection.execute(MakeIndex())
                    _ = try await connection.execute(Vacuum())
                }
                #expect(try await fixture.psql(indexes) == "1")
            }
        }
    }

    @Test("what was prepared before a migration, or before DISCARD ALL, is prepared anew on every kind of session")
    func staleStatements() async throws {
        struct Everything: Statement {
            var sql: StaticString { "SELECT * FROM players WHERE id = 'p0'" }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { row.columnCount }
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withConnection { connection in
                #expect(try await connection.first(Everything()) == 2)
                try await fixture.psql("ALTER TABLE players ADD COLUMN a int")
                #expect(try await connection.first(Everything()) == 3)
                // Seen by us, and not.
                for dropping in ["DISCARD ALL", "DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$"] {
                    try await connection.executeScript(dropping)
                    #expect(try await connection.first(Everything()) == 3)
                }
                // Within a transaction the error is told, and running it again cures it.
                try await fixture.psql("ALTER TABLE players ADD COLUMN b int")
                try await connection.executeScript("BEGIN")
                let error = await #expect(throws: PostgresError.self) { try await connection.first(Everything()) }
                #expect(error?.isStaleStatement == true)
                try await connection.executeScript("ROLLBACK; BEGIN")
                #expect(try await connection.first(Everything()) == 4)
                try await connection.executeScript("COMMIT")
            }
            try await fixture.withClient({ $0.leasedConnectionsPerLoop = 1 }) { client in
                for column in ["c", "d"] {
                    let count = try await client.withTransaction { try await $0.first(Everything()) }
                    let pooled = try await client.first(Everything())
                    #expect(count == pooled)
                    try await fixture.psql("ALTER TABLE players ADD COLUMN \(column) int")
                    #expect(try await client.first(Everything()) == (count ?? 0) + 1)
                    let (session, again) = try await client.withConnection { connection in
                        (connection.backendPID, try await connection.first(Everything()))
                    }
                    #expect(again == (count ?? 0) + 1)
                    // The lease is still the same session, not a new one.
                    #expect(try await client.withConnection { $0.backendPID } == session)
                }
            }
        }
    }

    @Test("a lease whose body hides a time-out gives its result, and the session is used again only if it is clean")
    func hiddenTimeout() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient({ $0.leasedConnectionsPerLoop = 1 }) { client in
                let value = try await client.withConnection { connection in
                    _ = try? await connection.execute(SlowMark(mark: 1, seconds: 60), timeout: .milliseconds(50))
                    return 7
                }
                #expect(value == 7)
                // A cancelled call of which nobody has waited for the end.
                let other = try await client.withConnection { connection in
                    let call = Task { try await connection.execute(SlowMark(mark: 2, seconds: 60)) }
                    try await fixture.untilActive("pg_sleep(")
                    call.cancel()
                    return 8
                }
                #expect(other == 8)
                // A session that was lost has nothing open.
                let lost = try await client.withConnection { connection in
                    try await fixture.psql("SELECT pg_terminate_backend(\(connection.backendPID), 5000)")
                    _ = try? await connection.first(Bump(id: "p0"))
                    return 9
                }
                #expect(lost == 9)
                #expect(try await client.withConnection { try await $0.first(Bump(id: "p0")) } == 1)
            }
            #expect(try await fixture.psql("SELECT count(*) FROM marks") == "0")
        }
    }

    @Test("a lease that grows old is replaced, and one that cannot be cleaned is closed")
    func leaseLifetime() async throws {
        try await Fixture.run { fixture in
            try await fixture.withClient({
                $0.leasedConnectionsPerLoop = 1
                $0.connectionLifetime = .milliseconds(100)
            }) { client in
                let first = try await client.withConnection { $0.backendPID }
                try await Task.sleep(for: .milliseconds(120))
                #expect(try await client.withConnection { $0.backendPID } != first)
            }
            try await fixture.withClient({
                $0.leasedConnectionsPerLoop = 1
                $0.loneLockTimeout = .milliseconds(200)
            }) { client in
                try await fixture.withConnection { holder in
                    let first = try await client.withConnection { connection in
                        try await connection.executeScript("CREATE TEMP TABLE kept AS SELECT 1 AS n")
                        let schema = try await fixture.psql(
                            "SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'kept'")
                        // What DISCARD ALL would drop is locked by somebody else.
                        try await holder.executeScript("BEGIN; LOCK TABLE \(schema).kept IN ACCESS SHARE MODE")
                        return connection.backendPID
                    }
                    #expect(try await client.withConnection { $0.backendPID } != first)
                    try await holder.executeScript("ROLLBACK")
                }
            }
        }
    }

    @Test("a result that the server did not send leaves the outcome unknown: nothing runs twice")
    func resultWithoutSQLState() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            try await fixture.withClient({
                $0.connectionString = fixture.connectionString(through: proxy)
            }) { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep(")
                // A row that nobody has described: libpq makes an error of its own of it.
                proxy.inject([UInt8(ascii: "D"), 0, 0, 0, 6, 0, 0])
                #expect(await failure(of: slow)?.code == .outcomeUnknown)
                _ = try await client.first(Bump(id: "p0"))
            }
            let marks = try await fixture.psql("SELECT count(*) FROM marks")
            #expect(["0", "1"].contains(marks))
        }
    }

    @Test("what a pooler says on its own account leaves the outcome unknown: it does not know what is committed")
    func poolersError() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            try await fixture.withClient({
                $0.connectionString = fixture.connectionString(through: proxy)
            }) { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep(")
                // As PgBouncer writes it: a severity in words, a code and a text.
                let fields = "SERROR\0C08P01\0Mserver conn crashed?\0\0".utf8
                proxy.inject([UInt8(ascii: "E"), 0, 0, 0, UInt8(4 + fields.count)] + fields)
                #expect(await failure(of: slow)?.code == .outcomeUnknown)
                _ = try await client.first(Bump(id: "p0"))
            }
        }
    }

    @Test(
        "a request to cancel that gets lost is made again; if all are, that costs the session, not the caller's patience",
        arguments: [1, .max])
    func swallowedCancellation(times: Int) async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            var configuration = fixture.configuration()
            configuration.connectionString = fixture.connectionString(through: proxy)
            configuration.cancellationTimeout = times == 1 ? .seconds(40) : .milliseconds(200)
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            proxy.swallowCancellations(times)
            // The one that costs the session would be done before long.
            let error = await #expect(throws: PostgresError.self) {
                try await connection.execute(
                    SlowMark(mark: 1, seconds: times == 1 ? 3600 : 4), timeout: .milliseconds(50))
            }
            #expect(error?.code == (times == 1 ? .deadlineExceeded : .outcomeUnknown))
            #expect(await connection.transactionState() == (times == 1 ? .idle : .unknown))
        }
    }

    @Test("a conflict that the server resolves at our expense is tried again where the statement says so")
    func conflicts() async throws {
        struct Conflicting: Statement {
            var sql: StaticString { "SELECT conflict($1)" }
            var attempts: Int { 3 }
            let failures: Int32
            func bind(to parameters: inout Parameters) { parameters.append(failures) }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            // A sequence keeps its count when its transaction is rolled back.
            try await fixture.psql(
                """
                CREATE SEQUENCE tries;
                CREATE FUNCTION conflict(failures int) RETURNS int LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('tries') <= failures THEN
                        RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure';
                    END IF;
                    RETURN 1;
                END $$
                """)
            @Sendable func reset() async throws { try await fixture.psql("SELECT setval('tries', 1, false)") }
            try await fixture.withClient { client in
                _ = try await client.execute(Conflicting(failures: 2))
                try await reset()
                let error = await #expect(throws: PostgresError.self) {
                    try await client.execute(Conflicting(failures: 3))
                }
                #expect(error?.sqlState == .serializationFailure)
                #expect(try await fixture.psql("SELECT last_value FROM tries") == "3")
            }
            try await reset()
            try await fixture.withConnection { connection in
                _ = try await connection.execute(Conflicting(failures: 2))
                #expect(try await fixture.psql("SELECT last_value FROM tries") == "3")
                // Within a transaction it is the transaction that has to run again.
                try await reset()
                try await connection.executeScript("BEGIN")
                _ = try? await connection.execute(Conflicting(failures: 2))
                #expect(try await fixture.psql("SELECT last_value FROM tries") == "1")
            }
        }
    }

    @Test("a dead connection is noticed while nobody needs it")
    func keepAlive() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            let observer = Watcher()
            try await fixture.withClient({
                $0.connectionString = fixture.connectionString(through: proxy)
                $0.keepAliveInterval = .milliseconds(100)
                $0.connectTimeout = .milliseconds(300)
                $0.readConnectionsPerLoop = 0
                $0.observer = observer
            }) { client in
                _ = try await client.first(Bump(id: "p0"))
                try await Task.sleep(for: .milliseconds(500))
                #expect(observer.seen.lost.isEmpty, "a sign of life is no loss")
                proxy.silence()
                try await fixture.until(.seconds(5)) { observer.seen.lost.count == 1 }
                proxy.resume()
                #expect(try await client.first(Bump(id: "p0")) == 2)
            }
        }
    }

    @Test("limits of the server's own and of the kernel are set where they are asked for")
    func limits() async throws {
        struct Show: Statement {
            var sql: StaticString { "SELECT current_setting('statement_timeout')" }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
        }
        struct Forever: Statement {
            var sql: StaticString { "SELECT pg_sleep(60)" }
            typealias Row = NoRow
        }
        for route in [PostgresConfiguration.Route.direct, .transactionPooler, .preparingTransactionPooler] {
            try await Fixture.run { fixture in
                try await fixture.withClient({
                    $0.route = route
                    $0.serverStatementTimeout = .milliseconds(250)
                    $0.tcpUserTimeout = .seconds(20)
                }) { client in
                    let shown = try await client.first(Show())
                    #expect(shown == "250ms")
                    let error = await #expect(throws: PostgresError.self) { try await client.execute(Forever()) }
                    #expect(error?.code == .server)
                    #expect(error?.sqlState == .queryCanceled)
                }
            }
        }
        var configuration = PostgresConfiguration(connectionString: "host=127.0.0.1")
        configuration.tcpUserTimeout = .milliseconds(1500)
        let settings = try ConnectionSettings(configuration, sessionSettings: [])
        #expect(settings.settings.first { $0.keyword == "tcp_user_timeout" }?.value == "1500")
    }

    @Test("a name that nobody knows is told at once, and libpq does not ask for it once more")
    func unknownName() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let configuration = PostgresConfiguration(connectionString: "host=unknown.test")
        var settings = try ConnectionSettings(configuration, sessionSettings: [])
        settings.addresses = { _ in [] }
        let connector = Confined(
            Connector(loop: loop, configuration: configuration, settings: settings) { _ in }, to: loop)
        let error = await withCheckedContinuation { continuation in
            loop.execute {
                _ = connector.value.connect { result in
                    if case .failure(let error) = result { continuation.resume(returning: error as PostgresError?) }
                }
            }
        }
        #expect(error?.code == .connectionFailed)
        #expect(error?.serverMessage == "the name service knows no address of the host")
    }

    /// Connects once and closes. Returns the process of the session; 0: there was none.
    private func connect(by connector: Confined<Connector>) async -> Int {
        await withCheckedContinuation { continuation in
            connector.loop.execute {
                _ = connector.value.connect { result in
                    let connection = try? result.get()
                    continuation.resume(returning: connection?.handle.backendPID ?? 0)
                    connection?.close()
                }
            }
        }
    }

    @Test("a name with several addresses, the first of them silent, is reached, and the next time at once")
    func silentAddress() async throws {
        try await Fixture.run { fixture in
            let port = fixture.cluster.port
            // Nobody ever accepts what the kernel connects.
            let silent = try SilentListener(address: "127.0.0.2", port: port)
            defer { silent.close() }
            var configuration = PostgresConfiguration(
                connectionString: "host=several.test port=\(port) user=postgres dbname=\(fixture.database)")
            configuration.connectTimeout = .seconds(2)
            var settings = try ConnectionSettings(configuration, sessionSettings: [])
            settings.addresses = { _ in ["127.0.0.2", "127.0.0.1"] }
            let (ready, loop) = (settings, fixture.loop)
            let connector = Confined(
                Connector(loop: loop, configuration: configuration, settings: ready) { _ in }, to: loop)
            for isFirst in [true, false] {
                let begin = ContinuousClock.now
                let pid = await connect(by: connector)
                #expect(pid > 0)
                #expect((ContinuousClock.now - begin < .seconds(2)) == !isFirst)
            }
        }
    }

    @Test("a standby that takes over from a silent primary is found at once, whatever time the silent one still has")
    func takeover() async throws {
        try await Fixture.run { fixture in
            let port = fixture.cluster.port
            let silent = try SilentListener(address: "127.0.0.3", port: port)
            defer { silent.close() }
            var configuration = PostgresConfiguration(
                connectionString: "host=127.0.0.3,127.0.0.1 port=\(port) user=postgres dbname=\(fixture.database) "
                    + "target_session_attrs=read-write")
            configuration.connectTimeout = .seconds(8)
            let (settings, loop) = (try ConnectionSettings(configuration, sessionSettings: []), fixture.loop)
            let connector = Confined(
                Connector(loop: loop, configuration: configuration, settings: settings) { _ in }, to: loop)
            try await fixture.psql("ALTER DATABASE \(fixture.database) SET default_transaction_read_only = on")
            var pid = await connect(by: connector)
            #expect(pid == 0, "one is silent, the other refuses")
            async let found = connect(by: connector)
            try await Task.sleep(for: .milliseconds(700))
            try await fixture.cluster.psql("ALTER DATABASE \(fixture.database) RESET default_transaction_read_only")
            let begin = ContinuousClock.now
            pid = await found
            #expect(pid > 0)
            #expect(ContinuousClock.now - begin < .seconds(4), "not the rest of the silent one's time")
        }
    }
}

/// Remembers what a pool reports.
final class Watcher: PostgresObserver {
    struct Seen {
        var statements: [PostgresStatementReport] = []
        var batches: [PostgresBatchReport] = []
        var notices: [String] = []
        var opened = 0
        var failed: [PostgresError] = []
        var lost: [PostgresError] = []
    }

    private let state = Locked(Seen())

    var seen: Seen { state.withLock { $0 } }

    func statementEnded(_ report: PostgresStatementReport) { state.withLock { $0.statements.append(report) } }
    func batchEnded(_ report: PostgresBatchReport) { state.withLock { $0.batches.append(report) } }
    func connectionOpened() { state.withLock { $0.opened += 1 } }
    func connectionFailed(_ error: PostgresError) { state.withLock { $0.failed.append(error) } }
    func connectionLost(_ error: PostgresError) { state.withLock { $0.lost.append(error) } }
    func noticeReceived(_ notice: PostgresNotice) { state.withLock { $0.notices.append(notice.message) } }
}
