import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("Pipelines", .timeLimit(.minutes(2)))
struct PipelineTests {
    /// Runs a closure with a session of a database that has players p0 to p3 and `marks`.
    private func withPlayers(
        _ body: @Sendable (Fixture, PostgresConnection) async throws -> Void
    ) async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(4)
            try await fixture.withConnection { try await body(fixture, $0) }
        }
    }

    private func counters(_ fixture: Fixture) async throws -> String {
        try await fixture.psql("SELECT string_agg(n::text, ',' ORDER BY id) FROM players")
    }

    @Test("statements of several types are one transaction, and each has its result")
    func oneTransaction() async throws {
        try await withPlayers { (fixture, connection) async throws in
            var pipeline = PostgresPipeline()
            let all = pipeline.execute(Bump(id: "p0", by: 3))
            let first = pipeline.first(ReadCounter(id: "p0"))
            let none = pipeline.first(ReadCounter(id: "nobody"))
            let changed = pipeline.run("UPDATE players SET n = n + 1")
            let names = pipeline.query("SELECT id, n FROM players WHERE n > $1 ORDER BY id", [Int32(0)]) {
                (row) throws(PostgresDecodingError) in try row.next(String.self) + "\(try row.next(Int32.self))"
            }
            #expect(pipeline.count == 5)
            // Twice: prepared anew, then by name.
            for round in 1...2 as ClosedRange<Int32> {
                let results = try await connection.execute(pipeline: pipeline).get()
                #expect(try results[all] == [round * 4 - 1])
                #expect(try results[first] == round * 4 - 1)
                #expect(try results[none] == nil)
                #expect(try results[changed] == 4)
                #expect(try results[names] == ["p0\(round * 4)", "p1\(round)", "p2\(round)", "p3\(round)"])
                #expect(results.errors.allSatisfy { $0 == nil })
            }
            #expect(try await fixture.psql("SELECT count(DISTINCT xmin::text) FROM players") == "1")
            let (left, right) = try await connection.pipelined(
                Bump(id: "p1", by: 5), ConnectionTests.Add(left: 1, right: 2))
            #expect(left == [7] && right == [3])
            // One that has nothing is a question for a sign of life.
            #expect(try await connection.execute(pipeline: PostgresPipeline()).get().errors.isEmpty)
        }
    }

    @Test("one round trip: everything is sent while no answer comes")
    func oneRoundTrip() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(4)
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            var configuration = fixture.configuration()
            configuration.connectionString = fixture.connectionString(through: proxy)
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            proxy.holdAnswers()
            var pipeline = PostgresPipeline()
            for index in 0..<4 {
                pipeline.execute(Bump(id: "p\(index)"))
                if index == 1 { pipeline.sync() }
            }
            let sent = pipeline
            let running = Task { try await connection.execute(pipeline: sent).get() }
            try await fixture.until(.seconds(20)) { try await counters(fixture) == "1,1,1,1" }
            proxy.resume()
            #expect(try await running.value.errors.count == 4)
            await connection.close()
        }
    }

    @Test("a statement that fails takes its transaction with it: what ran is rolled back, what follows is skipped")
    func oneFails() async throws {
        try await withPlayers { (fixture, connection) async throws in
            var pipeline = PostgresPipeline()
            pipeline.execute(Bump(id: "p0"))
            let culprit = pipeline.execute(Bump(id: "p1", by: 2000))
            let skipped = pipeline.execute(Bump(id: "p2"))
            pipeline.run("SELECT nonsense")
            let results = try await connection.execute(pipeline: pipeline)
            #expect(results.errors.map { $0?.code } == [.rolledBack, .server, .pipelineAborted, .pipelineAborted])
            #expect(results.errors[1]?.constraint == "players_n_check")
            #expect(throws: PostgresError.self) { try results[culprit] }
            let error = #expect(throws: PostgresError.self) { try results[skipped] }
            #expect(error?.code == .pipelineAborted)
            let cause = #expect(throws: PostgresError.self) { try results.get() }
            #expect(cause?.sqlState == .checkViolation)
            #expect(try await counters(fixture) == "0,0,0,0")
            #expect(await connection.transactionState() == .idle)
            // What was prepared on the way is known, what was not is not.
            #expect(try await connection.execute(Bump(id: "p3")) == [1])
        }
    }

    @Test("behind a sync is another transaction, which runs whatever became of the one before")
    func separateTransactions() async throws {
        try await withPlayers { (fixture, connection) async throws in
            var pipeline = PostgresPipeline()
            pipeline.sync()
            pipeline.execute(Bump(id: "p0"))
            pipeline.sync()
            pipeline.sync()
            pipeline.execute(Bump(id: "p1"))
            pipeline.execute(Bump(id: "p1", by: 2000))
            pipeline.sync()
            pipeline.execute(Bump(id: "p2"))
            pipeline.run("SELECT 1 / 0")
            pipeline.sync()
            let last = pipeline.execute(Bump(id: "p3"))
            pipeline.sync()
            for round in 1...2 as ClosedRange<Int32> {
                let results = try await connection.execute(pipeline: pipeline)
                #expect(results.errors.map { $0?.code } == [nil, .rolledBack, .server, .rolledBack, .server, nil])
                #expect(try results[last] == [round])
            }
            #expect(try await counters(fixture) == "2,0,0,2")
        }
    }

    @Test("a statement whose Parse fails spoils no later transaction")
    func failedParse() async throws {
        struct Missing: Statement {
            var sql: StaticString { "SELECT 1::int4 FROM missing" }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
        }
        try await withPlayers { (fixture, connection) async throws in
            var pipeline = PostgresPipeline()
            pipeline.execute(Missing())
            pipeline.execute(Missing())
            pipeline.sync()
            pipeline.run("CREATE TABLE missing AS SELECT 1")
            pipeline.sync()
            let found = pipeline.execute(Missing())
            let results = try await connection.execute(pipeline: pipeline)
            #expect(results.errors.map { $0?.code } == [.server, .pipelineAborted, nil, nil])
            #expect(results.errors[0]?.sqlState == .undefinedTable)
            #expect(try results[found] == [1])
            #expect(try await connection.execute(Missing()) == [1])
        }
    }

    @Test("what only the commit finds out, all statements of the transaction are told")
    func deferredConstraint() async throws {
        try await withPlayers { (fixture, connection) async throws in
            try await fixture.psql("CREATE TABLE late (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            var pipeline = PostgresPipeline()
            pipeline.run("INSERT INTO late VALUES (1)")
            pipeline.run("INSERT INTO late VALUES (1)")
            pipeline.sync()
            pipeline.run("INSERT INTO late VALUES (1)")
            let results = try await connection.execute(pipeline: pipeline)
            #expect(results.errors.map { $0?.sqlState } == [.uniqueViolation, .uniqueViolation, nil])
            #expect(try await fixture.psql("SELECT count(*) FROM late") == "1")
        }
    }

    @Test("within a transaction a pipeline is part of it: what ran has its result, and a failure fails the transaction")
    func withinTransaction() async throws {
        try await withPlayers { (fixture, connection) async throws in
            var pipeline = PostgresPipeline()
            let ran = pipeline.execute(Bump(id: "p0"))
            pipeline.run("SELECT 1 / 0")
            pipeline.execute(Bump(id: "p1"))
            pipeline.sync()
            pipeline.execute(Bump(id: "p2"))
            let failing = pipeline
            try await connection.withTransaction { transaction in
                _ = try await transaction.pipelined(Bump(id: "p3"), Bump(id: "p3"))
                await #expect(throws: PostgresTransactionError.self) {
                    try await transaction.withTransaction { inner in
                        let results = try await inner.execute(pipeline: failing)
                        #expect(try results[ran] == [1])
                        #expect(results.errors.map { $0?.code } == [nil, .server, .pipelineAborted, .server])
                        #expect(results.errors[3]?.sqlState == "25P02")
                        #expect(await inner.transactionState() == .failed)
                    }
                }
            }
            #expect(try await counters(fixture) == "0,0,0,2")
        }
    }

    @Test("nothing is sent of a pipeline that breaks a rule")
    func misuse() async throws {
        try await withPlayers { (fixture, connection) async throws in
            for sql in ["BEGIN", " /* now */ commit", "CALL p()", "DO 'BEGIN END'"] {
                var pipeline = PostgresPipeline()
                pipeline.execute(Bump(id: "p0"))
                pipeline.run(SQLText(trusted: sql))
                let sent = pipeline
                let error = await #expect(throws: PostgresError.self) { try await connection.execute(pipeline: sent) }
                #expect(error?.code == .misuse, "\(sql)")
            }
            var pipeline = PostgresPipeline()
            pipeline.execute(Bump(id: "p0"))
            pipeline.run("SELECT $1", [PostgresDate(daysSince1970: .min + 1)])
            let sent = pipeline
            let error = await #expect(throws: PostgresError.self) { try await connection.execute(pipeline: sent) }
            #expect(error?.code == .misuse)
            #expect(try await counters(fixture) == "0,0,0,0")
            #expect(try await connection.execute(Bump(id: "p0")) == [1])
            await connection.close()
            let closed = await #expect(throws: PostgresError.self) {
                try await connection.execute(pipeline: PostgresPipeline())
            }
            #expect(closed?.code == .closed)
        }
    }

    @Test("a command that commits by itself is refused beside others, wherever it stands, and runs between two syncs")
    func selfCommitting() async throws {
        try await withPlayers { (fixture, connection) async throws in
            func count(_ name: String) async throws -> String {
                try await fixture.psql("SELECT count(*) FROM pg_class WHERE relname = '\(name)'")
            }
            for isFirst in [true, false] {
                var pipeline = PostgresPipeline()
                if !isFirst { pipeline.execute(Bump(id: "p0")) }
                pipeline.run("CREATE INDEX CONCURRENTLY by_n ON players (n)")
                pipeline.run("SELECT 1 / 0")
                let errors = try await connection.execute(pipeline: pipeline).errors
                #expect(errors[isFirst ? 0 : 1]?.sqlState == "25001")
                #expect(errors.last??.code == .pipelineAborted)
                #expect(try await count("by_n") == "0")
            }
            var alone = PostgresPipeline()
            alone.execute(Bump(id: "p0"))
            alone.sync()
            alone.run("CREATE INDEX CONCURRENTLY by_n ON players (n)")
            alone.sync()
            alone.run("SELECT 1 / 0")
            let errors = try await connection.execute(pipeline: alone).errors
            #expect(errors.map { $0?.sqlState } == [nil, nil, "22012"])
            #expect(try await count("by_n") == "1")

            // Others share a transaction, and may have to come first.
            var pipeline = PostgresPipeline()
            pipeline.run("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
            pipeline.run("CREATE TABLE late (a int)")
            let level = pipeline.query("SELECT current_setting('transaction_isolation')") {
                (row) throws(PostgresDecodingError) in try row.next(String.self)
            }
            let shared = pipeline
            #expect(try await connection.execute(pipeline: shared).get()[level] == ["serializable"])
            pipeline = PostgresPipeline()
            pipeline.run("DROP TABLE late")
            pipeline.run("SELECT 1 / 0")
            #expect(try await connection.execute(pipeline: pipeline).errors.map { $0?.code } == [.rolledBack, .server])
            #expect(try await count("late") == "1")
        }
    }

    @Test("cancelled or late, the server stops every transaction that it has not ended, and the results say so")
    func cancellation() async throws {
        try await withPlayers { (fixture, connection) async throws in
            var pipeline = PostgresPipeline()
            pipeline.execute(Bump(id: "p0"))
            pipeline.sync()
            for mark in 1...3 as ClosedRange<Int32> {
                pipeline.execute(SlowMark(mark: mark, seconds: 3600))
                pipeline.execute(Bump(id: "p1"))
                pipeline.sync()
            }
            let sent = pipeline
            let late = try await connection.execute(pipeline: sent, timeout: .seconds(3))
            let stopped = [PostgresError.Code.deadlineExceeded, .pipelineAborted]
            #expect(late.errors.map { $0?.code } == [nil] + stopped + stopped + stopped)
            let task = Task { try await connection.execute(pipeline: sent) }
            try await fixture.untilActive("pg_sleep")
            // One that waits for its turn is not sent at all.
            let waiting = Task { try await connection.execute(pipeline: sent) }
            waiting.cancel()
            #expect(await failure(of: waiting)?.code == .cancelled)
            task.cancel()
            let codes = try await task.value.errors.map { $0?.code }
            let cancelled = [PostgresError.Code.cancelled, .pipelineAborted]
            #expect(codes == [nil] + cancelled + cancelled + cancelled)
            #expect(try await fixture.psql("SELECT count(*) FROM marks") == "0")
            #expect(try await counters(fixture) == "2,0,0,0")
            #expect(try await connection.execute(Bump(id: "p3")) == [1])
        }
    }

    @Test("a connection that is lost leaves nothing but the truth")
    func loss() async throws {
        try await withPlayers { (fixture, connection) async throws in
            var pipeline = PostgresPipeline()
            pipeline.execute(Bump(id: "p0"))
            pipeline.sync()
            pipeline.execute(Bump(id: "p1"))
            pipeline.run("SELECT pg_terminate_backend(pg_backend_pid())")
            pipeline.sync()
            pipeline.execute(Bump(id: "p2"))
            let results = try await connection.execute(pipeline: pipeline)
            #expect(results.errors.map { $0?.code } == [nil, .notSent, .notSent, .notSent])
            #expect(try await counters(fixture) == "1,0,0,0")
        }
    }

    @Test("a pipeline that meets an outdated plan runs once more, if nothing of it took effect")
    func stale() async throws {
        struct Everything: Statement {
            var sql: StaticString { "TABLE things" }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { row.columnCount }
        }
        try await withPlayers { (fixture, connection) async throws in
            try await fixture.psql("CREATE TABLE things AS SELECT 1 AS a")
            #expect(try await connection.execute(Everything()) == [1])
            try await fixture.psql("ALTER TABLE things ADD b int")
            let (bumped, columns) = try await connection.pipelined(Bump(id: "p0"), Everything())
            #expect(bumped == [1] && columns == [2])
            try await fixture.psql("ALTER TABLE things ADD c int")
            var pipeline = PostgresPipeline()
            pipeline.execute(Bump(id: "p0"))
            pipeline.sync()
            pipeline.execute(Everything())
            let results = try await connection.execute(pipeline: pipeline)
            #expect(results.errors.map { $0?.sqlState } == [nil, "0A000"])
            #expect(try await connection.execute(Everything()) == [3])
            #expect(try await counters(fixture) == "2,0,0,0")
        }
    }

    @Test("a pipeline larger than all buffers, both ways, blocks nobody")
    func large() async throws {
        try await withPlayers { (fixture, connection) async throws in
            let text = String(repeating: "x", count: 1 << 20)
            var pipeline = PostgresPipeline()
            let entries = (0..<32).map { _ in
                pipeline.query("SELECT $1::text", [text]) { (row) throws(PostgresDecodingError) in
                    try row.next(String.self).utf8.count
                }
            }
            let results = try await connection.execute(pipeline: pipeline).get()
            for entry in entries { #expect(try results[entry] == [1 << 20]) }
        }
    }

    @Test("a client lends a connection to a pipeline")
    func client() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(4)
            try await fixture.withClient { client in
                try await withThrowingTaskGroup(of: Int32?.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            var pipeline = PostgresPipeline()
                            let bumped = pipeline.first(Bump(id: "p0"))
                            pipeline.execute(Bump(id: "p1"))
                            return try await client.execute(pipeline: pipeline).get()[bumped]
                        }
                    }
                    let seen = try await group.reduce(into: Set<Int32?>()) { $0.insert($1) }
                    #expect(seen.count == 20)
                }
            }
            #expect(try await counters(fixture) == "20,20,0,0")
        }
    }
}
