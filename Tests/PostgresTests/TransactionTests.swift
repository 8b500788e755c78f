import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("Transactions and leases")
struct TransactionTests {
    @Test("a transaction is committed, or rolled back when its body throws")
    func commitAndRollback() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(2)
            try await fixture.withClient { client in
                let n = try await client.withTransaction { transaction in
                    _ = try await transaction.execute(Bump(id: "p0"))
                    return try await transaction.first(Bump(id: "p0"))
                }
                #expect(n == 2)
                struct Stop: Error {}
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await client.withTransaction { transaction in
                        _ = try await transaction.execute(Bump(id: "p1"))
                        throw Stop()
                    }
                }
                #expect(error?.body is Stop)
                #expect(error?.mayHaveCommitted == false)
            }
            #expect(try await fixture.psql("SELECT string_agg(n::text, ',' ORDER BY id) FROM players") == "2,0")
        }
    }

    @Test("a failure that the body hides does not become a commit")
    func hiddenFailure() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await client.withTransaction { transaction in
                        _ = try await transaction.execute(Bump(id: "p0"))
                        _ = try? await transaction.execute(Bump(id: "p0", by: 5000))
                    }
                }
                #expect(error?.commit?.code == .misuse)
                #expect(error?.rollback == nil)
            }
            #expect(try await fixture.psql("SELECT n FROM players") == "0")
        }
    }

    @Test("a cancelled transaction is rolled back and its connection comes back")
    func cancellation() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient({ $0.leasedConnectionsPerLoop = 1 }) { client in
                let task = Task {
                    try await client.withTransaction { transaction in
                        _ = try await transaction.execute(Bump(id: "p0"))
                        _ = try await transaction.execute(SlowMark(mark: 1, seconds: 60))
                    }
                }
                try await fixture.untilActive("pg_sleep(")
                task.cancel()
                let result = await task.result
                #expect(throws: PostgresTransactionError.self) { try result.get() }
                _ = try await client.withTransaction { try await $0.execute(Bump(id: "p0")) }
            }
            #expect(try await fixture.psql("SELECT n FROM players") == "1")
        }
    }

    @Test("transactions that conflict run again within their budget")
    func serializationFailures() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient({ $0.leasedConnectionsPerLoop = 4 }) { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await client.withTransaction(isolation: .serializable, attempts: 50) { transaction in
                                let n = try await transaction.first(ReadCounter(id: "p0")) ?? 0
                                try await transaction.run("UPDATE players SET n = $1", [n + 1])
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                // Without a budget the conflict is the caller's.
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await client.withTransaction(isolation: .repeatableRead, attempts: 1) { transaction in
                        _ = try await transaction.execute(ReadCounter(id: "p0"))
                        _ = try await client.execute(Bump(id: "p0"))
                        _ = try await transaction.execute(Bump(id: "p0"))
                    }
                }
                #expect(error?.isTransient == true)
                #expect((error?.body as? PostgresError)?.sqlState == .serializationFailure)
            }
            #expect(try await fixture.psql("SELECT n FROM players") == "5")
        }
    }

    @Test("a session that died before the commit is lost, and one that is closed says so")
    func lostSession() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withConnection { connection in
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await connection.withTransaction { transaction in
                        _ = try await transaction.execute(Bump(id: "p0"))
                        try await fixture.psql("SELECT pg_terminate_backend(\(connection.backendPID), 5000)")
                    }
                }
                #expect(error?.commit?.code == .notSent)
                #expect(error?.mayHaveCommitted == false)
                let closed = await #expect(throws: PostgresTransactionError.self) {
                    try await connection.withTransaction { _ in }
                }
                #expect(closed?.begin?.code == .closed)
            }
            #expect(try await fixture.psql("SELECT n FROM players") == "0")
        }
    }

    @Test("an outdated prepared statement is worth another attempt")
    func staleStatements() async throws {
        struct ReadAll: Statement {
            var sql: StaticString { "SELECT * FROM players" }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withConnection { connection in
                // Within a block nobody sees it.
                let dropping = "DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$"
                for (change, sqlState) in [
                    ("ALTER TABLE players ADD COLUMN m int", "0A000"), (dropping, "26000"),
                ] as [(String, SQLState)] {
                    let fresh = try await PostgresConnection.connect(fixture.configuration(), on: fixture.loop)
                    _ = try await fresh.execute(ReadAll())
                    try await (sqlState == "26000" ? fresh : connection).executeScript(change)
                    let error = await #expect(throws: PostgresTransactionError.self) {
                        try await fresh.withTransaction(attempts: 1) { _ = try await $0.execute(ReadAll()) }
                    }
                    #expect((error?.body as? PostgresError)?.sqlState == sqlState)
                    #expect(error?.isTransient == true)
                    await fresh.close()
                }
                let other = await #expect(throws: PostgresTransactionError.self) {
                    try await connection.withTransaction(attempts: 1) { try await $0.executeScript("EXECUTE nothing") }
                }
                #expect((other?.body as? PostgresError)?.sqlState == .invalidStatementName)
            }
        }
    }

    @Test("a transaction can be read-only and deferrable")
    func access() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await client.withTransaction(access: .readOnly) { _ = try await $0.execute(Bump(id: "p0")) }
                }
                #expect((error?.body as? PostgresError)?.sqlState == .readOnlyTransaction)
                _ = try await client.withTransaction(access: .readWrite) { try await $0.execute(Bump(id: "p0")) }
                let settings = try await client.withTransaction(
                    isolation: .serializable, access: .readOnly, isDeferrable: true
                ) { transaction in
                    try await transaction.query(
                        """
                        SELECT concat_ws(',', current_setting('transaction_isolation'),
                            current_setting('transaction_read_only'), current_setting('transaction_deferrable'))
                        """
                    ) { (row) throws(PostgresDecodingError) in try row.next(String.self) }
                }
                #expect(settings == ["serializable,on,on"])
                for (isolation, access) in [
                    (.serializable, nil), (.serializable, .readWrite), (.repeatableRead, .readOnly),
                ] as [(IsolationLevel, TransactionAccess?)] {
                    let misuse = await #expect(throws: PostgresTransactionError.self) {
                        try await client.withTransaction(
                            isolation: isolation, access: access, isDeferrable: true
                        ) { _ in }
                    }
                    #expect(misuse?.begin?.code == .misuse)
                }
            }
        }
    }

    @Test("a lease is clean, whatever the one before did with it")
    func cleanLeases() async throws {
        try await Fixture.run { fixture in
            try await fixture.withClient({ $0.leasedConnectionsPerLoop = 1 }) { client in
                let first = try await client.withConnection { connection in
                    try await connection.executeScript(
                        "SET work_mem = '17MB'; CREATE TEMPORARY TABLE t (a int); SELECT pg_advisory_lock(1)")
                    _ = try await connection.execute(ConnectionTests.Add(left: 1, right: 1))
                    return connection.backendPID
                }
                try await client.withConnection { connection in
                    #expect(connection.backendPID == first)
                    let left = try await connection.query(
                        """
                        SELECT current_setting('work_mem') = '17MB' OR to_regclass('t') IS NOT NULL
                            OR EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
                        """
                    ) { (row) throws(PostgresDecodingError) in try row.next(Bool.self) }
                    #expect(left == [false])
                    let sum = try await connection.first(ConnectionTests.Add(left: 1, right: 1))
                    #expect(sum == 2)
                }
            }
        }
    }

    @Test("a transaction that changed its session leaves nothing of it behind")
    func cleanAfterTransaction() async throws {
        try await Fixture.run { fixture in
            try await fixture.withClient({ $0.leasedConnectionsPerLoop = 1 }) { client in
                try await client.withTransaction { try await $0.executeScript("SET work_mem = '17MB'") }
                let setting = try await client.withTransaction { transaction in
                    try await transaction.query("SHOW work_mem") { (row) throws(PostgresDecodingError) in
                        try row.next(String.self)
                    }
                }
                #expect(setting != ["17MB"])
            }
        }
    }

    @Test("a lease that ends within a transaction is rolled back and reported")
    func openTransaction() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                let error = await #expect(throws: PostgresError.self) {
                    try await client.withConnection { connection in
                        try await connection.executeScript("BEGIN")
                        _ = try await connection.execute(Bump(id: "p0"))
                    }
                }
                #expect(error?.code == .misuse)
                let kept = try await client.withConnection { $0 }
                let late = await #expect(throws: PostgresError.self) { try await kept.execute(Bump(id: "p0")) }
                #expect(late?.code == .closed)
            }
            #expect(try await fixture.psql("SELECT n FROM players") == "0")
        }
    }

    @Test("who waits for a lease too long is told so, and leases are bounded")
    func boundedLeases() async throws {
        try await Fixture.run { fixture in
            try await fixture.withClient({
                $0.leasedConnectionsPerLoop = 1
                // The first lease makes its connection in that time.
                $0.queueTimeout = .seconds(2)
            }) { client in
                try await client.withConnection { _ in
                    let error = await #expect(throws: PostgresError.self) { try await client.withConnection { _ in } }
                    #expect(error?.code == .queueTimeout)
                }
                try await client.withConnection { _ in }
            }
        }
    }

    @Test("rows stream in order and in one snapshot, and stop when the reader throws")
    func streaming() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                var next: Int32 = 1
                var chunks = 0
                try await connection.stream(
                    "SELECT i FROM generate_series(1, $1) AS i", [Int32(100_000)], chunk: 5000,
                    decode: { (row) throws(PostgresDecodingError) in try row.next(Int32.self) }
                ) { rows in
                    chunks += 1
                    for row in rows {
                        #expect(row == next)
                        next += 1
                    }
                }
                #expect(next == 100_001)
                #expect(chunks == 20)
                struct Enough: Error {}
                await #expect(throws: Enough.self) {
                    try await connection.stream(
                        "SELECT 1", decode: { (row) throws(PostgresDecodingError) in try row.next(Int32.self) }
                    ) { _ in throw Enough() }
                }
                #expect(await connection.transactionState() == .idle)
            }
        }
    }
}
