import EventLoop
import Postgres
import TestSupport
import Testing

/// Adds to a player's counter.
struct Bump: Statement {
    var sql: StaticString { "UPDATE players SET n = n + $2 WHERE id = $1 RETURNING n" }
    let id: String
    var by: Int32 = 1
    var orderingKey: String? { id }
    func bind(to parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(by)
    }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

/// Reads a player's counter.
struct ReadCounter: Statement {
    var sql: StaticString { "SELECT n FROM players WHERE id = $1" }
    var access: StatementAccess { .read }
    let id: String
    func bind(to parameters: inout Parameters) { parameters.append(id) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

/// Takes a while, and leaves a mark.
struct SlowMark: Statement {
    var sql: StaticString { "INSERT INTO marks SELECT $1 FROM pg_sleep($2)" }
    let mark: Int32
    let seconds: Double
    func bind(to parameters: inout Parameters) {
        parameters.append(mark)
        parameters.append(seconds)
    }
    typealias Row = NoRow
}

/// A read that takes so long.
struct Sleep: Statement {
    var sql: StaticString { "SELECT 1 FROM pg_sleep($1)" }
    var access: StatementAccess { .read }
    let seconds: Double
    func bind(to parameters: inout Parameters) { parameters.append(seconds) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next(Int32.self) }
}

/// Appends to a note.
struct Append: Statement {
    var sql: StaticString { "UPDATE notes SET text = text || $2 WHERE id = $1" }
    let id: String
    let letter: String
    var orderingKey: String? { id }
    func bind(to parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(letter)
    }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NoRow { NoRow() }
}

extension Fixture {
    /// Makes `players` p0, p1 ... with counters at 0 that may not pass 1000, and `marks`.
    func createPlayers(_ count: Int) async throws {
        try await psql(
            """
            CREATE TABLE players (id text PRIMARY KEY, n int NOT NULL CONSTRAINT players_n_check CHECK (n <= 1000));
            INSERT INTO players SELECT 'p' || i, 0 FROM generate_series(0, \(count - 1)) AS i;
            CREATE TABLE marks (mark int NOT NULL)
            """)
    }

    /// Calls a closure with a client that runs, and stops it afterwards.
    func withClient<Result: Sendable>(
        _ configure: (inout PostgresConfiguration) -> Void = { _ in }, loops: [EventLoop]? = nil,
        _ body: @escaping @Sendable (PostgresClient) async throws -> Result
    ) async throws -> Result {
        var configuration = configuration()
        configure(&configuration)
        let client = PostgresClient(configuration: configuration, loops: loops ?? [loop])
        let running = Task { try await client.run() }
        do {
            let result = try await body(client)
            running.cancel()
            try await running.value
            return result
        } catch {
            running.cancel()
            try? await running.value
            throw error
        }
    }
}

/// What each of several concurrent calls came to, in the order of the calls.
func outcomes<Value: Sendable>(
    _ count: Int, _ call: @escaping @Sendable (Int) async throws(PostgresError) -> Value
) async -> [Result<Value, PostgresError>] {
    await withTaskGroup(of: (Int, Result<Value, PostgresError>).self) { group in
        for index in 0..<count {
            group.addTask {
                do throws(PostgresError) {
                    return (index, .success(try await call(index)))
                } catch {
                    return (index, .failure(error))
                }
            }
        }
        var all: [Int: Result<Value, PostgresError>] = [:]
        for await (index, outcome) in group { all[index] = outcome }
        return (0..<count).compactMap { all[$0] }
    }
}

/// The error that a task ends with.
func failure<Value: Sendable>(of task: Task<Value, any Error>) async -> PostgresError? {
    if case .failure(let error) = await task.result { error as? PostgresError } else { nil }
}

extension Result where Failure == PostgresError {
    /// The error's code, if it is one.
    var code: PostgresError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
    /// The SQLSTATE, if it is an error of the server.
    var sqlState: SQLState? {
        if case .failure(let error) = self { error.sqlState } else { nil }
    }
}

@Suite("Batches")
struct BatchTests {
    @Test("statements that come together share one transaction")
    func oneTransaction() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(50)
            try await fixture.withClient { client in
                _ = try await client.execute(Bump(id: "p0"))
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep")
                let results = await outcomes(50) { (index) async throws(PostgresError) in
                    try await client.first(Bump(id: "p\(index)"))
                }
                _ = try await slow.value
                #expect(results.allSatisfy { $0.code == nil })
            }
            // xmin is the transaction that wrote the row.
            #expect(try await fixture.psql("SELECT count(DISTINCT xmin::text), sum(n) FROM players") == "1|51")
        }
    }

    @Test("one that violates a constraint among 50 fails alone")
    func constraintAmongFifty() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(50)
            try await fixture.withClient { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep")
                let results = await outcomes(50) { (index) async throws(PostgresError) in
                    try await client.first(Bump(id: "p\(index)", by: index == 23 ? 2000 : 1))
                }
                _ = try await slow.value
                for (index, outcome) in results.enumerated() {
                    switch outcome {
                    case .success(let n):
                        #expect(index != 23)
                        #expect(n == 1)
                    case .failure(let error):
                        #expect(index == 23)
                        #expect(error.code == .server)
                        #expect(error.sqlState == .checkViolation)
                        #expect(error.constraint == "players_n_check")
                        #expect(error.table == "players")
                    }
                }
            }
            #expect(try await fixture.psql("SELECT sum(n), max(n) FROM players") == "49|1")
        }
    }

    @Test("one among 50 that is cancelled when it is under way is done with them, and none runs again")
    func cancellationAmongFifty() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(50)
            try await fixture.withClient { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep(")
                // Without a key it comes first in its batch.
                let cancelled = Task { try await client.execute(SlowMark(mark: 2, seconds: 1)) }
                let others = Task {
                    await outcomes(49) { (index) async throws(PostgresError) in
                        try await client.first(Bump(id: "p\(index)"))
                    }
                }
                _ = try await slow.value
                try await fixture.untilActive("pg_sleep(")
                cancelled.cancel()
                #expect(await failure(of: cancelled) == nil)
                let done = await others.value
                #expect(done.allSatisfy { (try? $0.get()) == 1 })
            }
            #expect(
                try await fixture.psql("SELECT sum(n), (SELECT string_agg(mark::text, ',') FROM marks) FROM players")
                    == "49|1,2")
        }
    }

    @Test("a slow read holds up no others, whether they came with it or after it")
    func slowRead() async throws {
        try await Fixture.run { fixture in
            try await fixture.withClient { client in
                let quick = { @Sendable in try await client.first(Sleep(seconds: 0)) }
                let slow = (0..<2).map { _ in Task { try await client.first(Sleep(seconds: 4)) } }
                let others = (0..<20).map { _ in Task { try await quick() } }
                try await fixture.untilActive("pg_sleep(")
                let late = (0..<20).map { _ in Task { try await quick() } }
                let ended = Locked(false)
                let last = Task {
                    for task in slow { _ = try await task.value }
                    ended.withLock { $0 = true }
                }
                for task in others + late { _ = try await task.value }
                #expect(!ended.withLock { $0 })
                try await last.value
            }
        }
    }

    @Test("one that is cancelled while it waits is never sent, and one cancelled before it is handed in neither")
    func cancelledInQueue() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(2)
            try await fixture.withClient { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep")
                let waiting = Task { try await client.execute(Bump(id: "p0")) }
                try await Task.sleep(for: .milliseconds(20))
                waiting.cancel()
                #expect(await failure(of: waiting)?.code == .cancelled)
                #expect(await cancelledBeforehand(client) == .cancelled)
                _ = try await slow.value
            }
            #expect(try await fixture.psql("SELECT sum(n) FROM players") == "0")
        }
    }

    @Test("where nobody listens for it, too: a cancelled one is not sent, and one that runs alone is stopped")
    func unheardCancellation() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            var configuration = fixture.configuration()
            configuration.followsCancellation = false
            let client = PostgresClient(configuration: configuration, loops: [fixture.loop])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                let alone = Task { try await client.execute(SlowMark(mark: 1, seconds: 60), timeout: .seconds(100)) }
                try await fixture.untilActive("pg_sleep(")
                let waiting = Task { try await client.execute(Bump(id: "p0"), timeout: .seconds(100)) }
                try await Task.sleep(for: .milliseconds(20))
                waiting.cancel()
                #expect(await failure(of: waiting)?.code == .cancelled)
                alone.cancel()
                #expect(await failure(of: alone)?.code == .cancelled)
                group.cancelAll()
            }
            #expect(try await fixture.psql("SELECT sum(n), (SELECT count(*) FROM marks) FROM players") == "0|0")
        }
    }

    private func cancelledBeforehand(_ client: PostgresClient) async -> PostgresError.Code? {
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await outcomes(1) { (_) async throws(PostgresError) in try await client.execute(Bump(id: "p1")) }
        }.value.first?.code
    }

    @Test("statements of one player keep their order")
    func orderOfOnePlayer() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql(
                "CREATE TABLE notes (id text, text text); INSERT INTO notes VALUES ('a', ''), ('b', '')")
            try await fixture.createPlayers(1)
            let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
            try await fixture.withClient { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep")
                // On the loop tasks begin in the order in which they are made.
                let tasks = try await fixture.loop.run {
                    letters.flatMap { letter in
                        ["b", "a"].map { id in
                            Task(executorPreference: fixture.loop) {
                                try await client.execute(Append(id: id, letter: letter))
                            }
                        }
                    }
                }
                for task in tasks { _ = try await task.value }
                _ = try await slow.value
            }
            #expect(try await fixture.psql("SELECT DISTINCT text FROM notes") == letters.joined())
        }
    }

    @Test("a deadline stops the slow one; its neighbours are done")
    func deadline() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(10)
            try await fixture.withClient { client in
                _ = try await client.execute(Bump(id: "p0"))
                let results = await outcomes(10) { (index) async throws(PostgresError) in
                    if index == 5 {
                        _ = try await client.execute(SlowMark(mark: 5, seconds: 60), timeout: .milliseconds(200))
                    } else {
                        _ = try await client.first(Bump(id: "p\(index)"))
                    }
                }
                for (index, outcome) in results.enumerated() {
                    #expect(outcome.code == (index == 5 ? .deadlineExceeded : nil))
                }
            }
            #expect(try await fixture.psql("SELECT sum(n), (SELECT count(*) FROM marks) FROM players") == "10|0")
        }
    }

    @Test("one that waits for a lock held elsewhere runs alone; its neighbours do not wait with it")
    func lockHeldElsewhere() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(20)
            try await fixture.withConnection { holder in
                try await holder.executeScript("BEGIN; UPDATE players SET n = n WHERE id = 'p7'")
                try await fixture.withClient({ $0.lockTimeout = .milliseconds(100) }) { client in
                    let locked = Task { try await client.first(Bump(id: "p7")) }
                    let clock = ContinuousClock()
                    let begin = clock.now
                    let results = await outcomes(19) { (index) async throws(PostgresError) in
                        try await client.first(Bump(id: "p\(index < 7 ? index : index + 1)"))
                    }
                    #expect(results.allSatisfy { (try? $0.get()) == 1 })
                    #expect(clock.now - begin < .seconds(2))
                    // A later one of the same player joins it and holds nobody up either.
                    let second = Task { try await client.first(Bump(id: "p7")) }
                    for _ in 0..<5 { _ = try await client.first(Bump(id: "p1")) }
                    try await holder.executeScript("COMMIT")
                    #expect(try await locked.value == 1)
                    #expect(try await second.value == 2)
                }
            }
        }
    }

    @Test("a lock that is never released becomes SQLSTATE 55P03")
    func lockNeverReleased() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withConnection { holder in
                try await holder.executeScript("BEGIN; UPDATE players SET n = n WHERE id = 'p0'")
                try await fixture.withClient({
                    $0.lockTimeout = .milliseconds(50)
                    $0.loneLockTimeout = .milliseconds(200)
                }) { client in
                    let error = await #expect(throws: PostgresError.self) { try await client.execute(Bump(id: "p0")) }
                    #expect(error?.sqlState == .lockNotAvailable)
                }
            }
        }
    }

    @Test("reads do not wait for a writer's transaction")
    func readsPassWrites() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 3)) }
                try await fixture.untilActive("pg_sleep")
                let begin = ContinuousClock.now
                #expect(try await client.first(ReadCounter(id: "p0")) == 0)
                #expect(ContinuousClock.now - begin < .seconds(2))
                _ = try await slow.value
            }
        }
    }

    @Test("a plan that a migration has made stale is made anew")
    func stalePlan() async throws {
        struct Everything: Statement {
            var sql: StaticString { "SELECT * FROM players WHERE id = 'p0'" }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { row.columnCount }
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                #expect(try await client.first(Everything()) == 2)
                try await fixture.psql("ALTER TABLE players ADD COLUMN m int")
                #expect(try await client.first(Everything()) == 3)
                try await fixture.psql("ALTER TABLE players ADD COLUMN o int")
                let again = await outcomes(20) { (_) async throws(PostgresError) in try await client.first(Everything())
                }
                #expect(again.allSatisfy { (try? $0.get()) == 4 })
            }
        }
    }

    @Test("a column that cannot be decoded is named, and the statement is done")
    func decodingError() async throws {
        struct Wrong: Statement {
            var sql: StaticString { "UPDATE players SET n = 7 WHERE id = 'p0' RETURNING n AS the_number" }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                let error = await #expect(throws: PostgresError.self) { try await client.execute(Wrong()) }
                #expect(error?.code == .decodingFailed)
                #expect(error?.description == #"decodingFailed: column 0 "the_number" is of int4, expected String"#)
                let n = try await client.first(ReadCounter(id: "p0"))
                #expect(n == 7)
            }
        }
    }

    @Test("a statement that copies is refused by a client, and closes a session of one's own")
    func copyIsRefused() async throws {
        struct CopyOut: Statement {
            var sql: StaticString { "COPY players TO STDOUT" }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient { client in
                let error = await #expect(throws: PostgresError.self) { try await client.execute(CopyOut()) }
                #expect(error?.code == .misuse)
                let n = try await client.first(Bump(id: "p0"))
                #expect(n == 1)
            }
            try await fixture.withConnection { connection in
                await #expect(throws: PostgresError.self) { try await connection.execute(CopyOut()) }
                #expect(await connection.transactionState() == .unknown)
            }
        }
    }
}
