import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("Transactions within transactions")
struct SavepointTests {
    private struct Stop: Error {}

    /// Calls a closure with a session and two players.
    private func run(_ body: @Sendable (Fixture, PostgresConnection) async throws -> Void) async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(2)
            try await fixture.withConnection { try await body(fixture, $0) }
        }
    }

    /// Compares what the players have.
    private func expectCounters(
        _ fixture: Fixture, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let counters = try await fixture.psql("SELECT string_agg(n::text, ',' ORDER BY id) FROM players")
        #expect(counters == expected, sourceLocation: sourceLocation)
    }

    @Test("what an inner one did is kept with the outer one, and undone alone when it throws")
    func keptAndUndone() async throws {
        try await run { fixture, connection in
            let result = try await connection.withTransaction { outer in
                _ = try await outer.execute(Bump(id: "p0"))
                let kept = try await outer.withTransaction { try await $0.first(Bump(id: "p0")) }
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await outer.withTransaction { inner in
                        _ = try await inner.execute(Bump(id: "p1"))
                        try await inner.withTransaction { _ = try await $0.execute(Bump(id: "p1")) }
                        throw Stop()
                    }
                }
                #expect(error?.body is Stop)
                #expect(error?.rollback == nil)
                _ = try await outer.execute(Bump(id: "p0"))
                return kept
            }
            #expect(result == 2)
            try await expectCounters(fixture, "3,0")
        }
    }

    @Test("an inner failure that is caught leaves the outer one usable, at any depth")
    func caughtFailure() async throws {
        try await run { fixture, connection in
            try await connection.withTransaction { outer in
                _ = try await outer.execute(Bump(id: "p0"))
                try await outer.withTransaction { middle in
                    _ = try await middle.execute(Bump(id: "p1"))
                    for _ in 0..<2 {
                        let error = await #expect(throws: PostgresTransactionError.self) {
                            try await middle.withTransaction { _ = try await $0.execute(Bump(id: "p1", by: 5000)) }
                        }
                        #expect((error?.body as? PostgresError)?.sqlState == .checkViolation)
                    }
                    // Hidden by the body, and found at the end of it.
                    let hidden = await #expect(throws: PostgresTransactionError.self) {
                        try await middle.withTransaction { _ = try? await $0.execute(Bump(id: "p1", by: 5000)) }
                    }
                    #expect(hidden?.release?.code == .misuse)
                    #expect(hidden?.commit == nil)
                    #expect(hidden?.rollback == nil)
                }
            }
            try await expectCounters(fixture, "1,1")
        }
    }

    @Test("an inner failure that passes through takes the outer one with it, and is told in full")
    func passedFailure() async throws {
        try await run { fixture, connection in
            let error = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction { outer in
                    _ = try await outer.execute(Bump(id: "p0"))
                    try await outer.withTransaction { _ = try await $0.execute(Bump(id: "p1", by: 5000)) }
                }
            }
            #expect(
                error?.description
                    == "transaction failed (body: transaction failed (body: "
                    + "server 23514 (table players, constraint players_n_check)))")
            try await expectCounters(fixture, "0,0")
            #expect(await connection.transactionState() == .idle)
        }
    }

    @Test("a conflict within an inner one is the outermost one's to run again")
    func retries() async throws {
        try await run { fixture, connection in
            var outerRuns = 0
            var innerRuns = 0
            let error = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction(attempts: 3) { outer in
                    outerRuns += 1
                    try await outer.withTransaction { inner in
                        innerRuns += 1
                        try await inner.executeScript("DO $$ BEGIN RAISE 'conflict' USING ERRCODE = '40001'; END $$")
                    }
                }
            }
            #expect(error?.isTransient == true)
            #expect(outerRuns == 3)
            #expect(innerRuns == 3)
            // And helps when the conflict is gone.
            try await connection.withTransaction { outer in
                outerRuns += 1
                _ = try await outer.execute(Bump(id: "p0"))
                try await outer.withTransaction { inner in
                    guard outerRuns == 4 else { return }
                    try await inner.executeScript("DO $$ BEGIN RAISE 'conflict' USING ERRCODE = '40P01'; END $$")
                }
            }
            #expect(outerRuns == 5)
            try await expectCounters(fixture, "1,0")
        }
    }

    @Test("an inner one cannot ask for more isolation than the outermost has")
    func isolation() async throws {
        try await run { _, connection in
            try await connection.withTransaction(isolation: .repeatableRead) { outer in
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await outer.withTransaction(isolation: .serializable) { _ in }
                }
                #expect(error?.begin?.code == .misuse)
                try await outer.withTransaction(isolation: .repeatableRead) { _ in }
                let level = try await outer.withTransaction { inner in
                    try await inner.query("SHOW transaction_isolation") { (row) throws(PostgresDecodingError) in
                        try row.next(String.self)
                    }
                }
                #expect(level == ["repeatable read"])
            }
        }
    }

    @Test("an inner one can be read-only, and within a read-only one it cannot be anything else")
    func access() async throws {
        try await run { fixture, connection in
            try await connection.withTransaction { outer in
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await outer.withTransaction(access: .readOnly) { _ = try await $0.execute(Bump(id: "p0")) }
                }
                #expect((error?.body as? PostgresError)?.sqlState == .readOnlyTransaction)
                try await outer.withTransaction(access: .readOnly) { _ = try await $0.execute(ReadCounter(id: "p0")) }
                _ = try await outer.execute(Bump(id: "p0"))
            }
            try await connection.withTransaction(access: .readOnly) { outer in
                let error = await #expect(throws: PostgresTransactionError.self) {
                    try await outer.withTransaction(access: .readWrite) { _ in }
                }
                #expect(error?.begin?.code == .server)
                let n = try await outer.first(ReadCounter(id: "p0"))
                #expect(n == 1)
            }
            try await expectCounters(fixture, "1,0")
        }
    }

    @Test("a transaction that was begun or ended by hand is not joined")
    func byHand() async throws {
        try await run { fixture, connection in
            try await connection.executeScript("BEGIN")
            let error = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction { _ in }
            }
            #expect(error?.begin?.code == .misuse)
            #expect(await connection.transactionState() == .open)
            try await connection.executeScript("ROLLBACK")
            let ended = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction { outer in
                    _ = try await outer.execute(Bump(id: "p0"))
                    try await outer.withTransaction { try await $0.executeScript("COMMIT") }
                }
            }
            #expect((ended?.body as? PostgresTransactionError)?.release?.code == .misuse)
            let after = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction { outer in
                    try await outer.executeScript("ROLLBACK")
                    try await outer.withTransaction { _ in }
                }
            }
            #expect((after?.body as? PostgresTransactionError)?.begin?.code == .misuse)
            let failed = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction { outer in
                    _ = try? await outer.execute(Bump(id: "p0", by: 5000))
                    try await outer.withTransaction { _ in }
                }
            }
            #expect((failed?.body as? PostgresTransactionError)?.begin?.code == .misuse)
            // Nothing of all that is left in the bookkeeping.
            try await connection.withTransaction { _ = try await $0.execute(Bump(id: "p1")) }
            try await expectCounters(fixture, "1,1")
        }
    }

    @Test("two that overlap on one connection are refused, not mixed up")
    func overlap() async throws {
        try await run { fixture, connection in
            try await connection.withTransaction { outer in
                let (gate, opener) = AsyncStream.makeStream(of: Void.self)
                let sibling = Task {
                    for await _ in gate {}
                    _ = try await outer.withTransaction { try await $0.execute(Bump(id: "p1")) }
                }
                try await outer.withTransaction { inner in
                    _ = try await inner.execute(Bump(id: "p0"))
                    opener.finish()
                    let error = await #expect(throws: PostgresTransactionError.self) { try await sibling.value }
                    #expect(error?.begin?.code == .misuse)
                }
                let stranger = Task.detached { try await outer.withTransaction { _ in } }
                let error = await #expect(throws: PostgresTransactionError.self) { try await stranger.value }
                #expect(error?.begin?.code == .misuse)
                // A child task by itself may.
                async let child = outer.withTransaction { try await $0.first(Bump(id: "p0")) }
                #expect(try await child == 2)
            }
            try await expectCounters(fixture, "2,0")
        }
    }

    @Test("one session's transactions are nothing to another one's")
    func twoSessions() async throws {
        try await run { fixture, connection in
            try await fixture.withConnection { other in
                try await connection.withTransaction { outer in
                    try await other.withTransaction(isolation: .serializable) { own in
                        _ = try await own.execute(Bump(id: "p1"))
                        try await outer.withTransaction { _ = try await $0.execute(Bump(id: "p0")) }
                    }
                }
            }
            try await expectCounters(fixture, "1,1")
        }
    }

    @Test("a cancelled inner one is rolled back with the outer one")
    func cancellation() async throws {
        try await run { fixture, connection in
            let task = Task {
                try await connection.withTransaction { outer in
                    _ = try await outer.execute(Bump(id: "p0"))
                    try await outer.withTransaction { _ = try await $0.execute(SlowMark(mark: 1, seconds: 60)) }
                }
            }
            try await fixture.untilActive("pg_sleep(")
            task.cancel()
            await #expect(throws: PostgresTransactionError.self) { try await task.value }
            let late = Task {
                try await connection.withTransaction { outer in
                    _ = try await outer.execute(Bump(id: "p0"))
                    withUnsafeCurrentTask { $0?.cancel() }
                    // Never begun: the outer one is as it was.
                    await #expect(throws: PostgresTransactionError.self) { try await outer.withTransaction { _ in } }
                    #expect(await outer.transactionState() == .open)
                }
            }
            await #expect(throws: PostgresTransactionError.self) { try await late.value }
            #expect(await connection.transactionState() == .idle)
            try await expectCounters(fixture, "0,0")
        }
    }

    @Test("a session that dies within an inner one has had no effect")
    func death() async throws {
        try await run { fixture, connection in
            let error = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction { outer in
                    try await outer.withTransaction { inner in
                        _ = try await inner.execute(Bump(id: "p0"))
                        try await fixture.psql("SELECT pg_terminate_backend(\(connection.backendPID), 5000)")
                    }
                }
            }
            #expect((error?.body as? PostgresTransactionError)?.release?.code == .notSent)
            #expect(error?.mayHaveCommitted == false)
            try await expectCounters(fixture, "0,0")
        }
    }

    @Test("a release whose answer is lost has had no effect, a commit may have", arguments: ["RELEASE", "COMMIT\0"])
    func lostAnswer(text: String) async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            var configuration = fixture.configuration(tcp: true)
            configuration.parameters["port"] = "\(proxy.port)"
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            proxy.cut(whenClientSends: text, delivering: true)
            let error = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withTransaction { outer in
                    try await outer.withTransaction { _ = try await $0.execute(Bump(id: "p0")) }
                }
            }
            #expect(error?.mayHaveCommitted == (text.hasPrefix("COMMIT")))
            if text.hasPrefix("COMMIT") {
                try await fixture.until(.seconds(10)) { try await fixture.psql("SELECT n FROM players") == "1" }
            } else {
                #expect((error?.body as? PostgresTransactionError)?.release?.code == .notSent)
                #expect(try await fixture.psql("SELECT n FROM players") == "0")
            }
        }
    }

    // MARK: Rolled back in any case

    @Test("a transaction for tests leaves nothing behind, and what lies in it works as ever")
    func rolledBack() async throws {
        try await run { fixture, connection in
            let n = try await connection.withRolledBackTransaction { test in
                _ = try await test.execute(Bump(id: "p0"))
                let n = try await test.withTransaction { try await $0.first(Bump(id: "p0")) }
                await #expect(throws: PostgresTransactionError.self) {
                    try await test.withTransaction { _ = try await $0.execute(Bump(id: "p0", by: 5000)) }
                }
                #expect(try await test.first(ReadCounter(id: "p0")) == 2)
                return n
            }
            #expect(n == 2)
            try await expectCounters(fixture, "0,0")
            await #expect(throws: Stop.self) { try await connection.withRolledBackTransaction { _ in throw Stop() } }
            // A failure that was hidden is gone with the rest.
            try await connection.withRolledBackTransaction { _ = try? await $0.execute(Bump(id: "p0", by: 5000)) }
            #expect(await connection.transactionState() == .idle)
            try await connection.withTransaction { outer in
                _ = try await outer.execute(Bump(id: "p1"))
                _ = try await outer.withRolledBackTransaction { try await $0.execute(Bump(id: "p1")) }
            }
            try await fixture.withClient { client in
                _ = try await client.withRolledBackTransaction(isolation: .serializable) { test in
                    try await test.withTransaction(isolation: .serializable) { try await $0.execute(Bump(id: "p0")) }
                }
            }
            try await expectCounters(fixture, "0,1")
        }
    }

    @Test("a transaction for tests that could not be rolled back says so")
    func notRolledBack() async throws {
        try await run { fixture, connection in
            let error = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withRolledBackTransaction { test in
                    _ = try await test.execute(Bump(id: "p0"))
                    try await test.executeScript("COMMIT")
                }
            }
            #expect(error?.rollback?.code == .misuse)
            try await expectCounters(fixture, "1,0")
            await connection.close()
            let closed = await #expect(throws: PostgresTransactionError.self) {
                try await connection.withRolledBackTransaction { _ in }
            }
            #expect(closed?.begin?.code == .closed)
        }
    }
}
