import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("The pool")
struct PoolTests {
    @Test("a queue that is full refuses one more at once")
    func queueFull() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient({
                $0.waitingLimit = 5
                $0.batchSize = 1
            }) { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 1)) }
                try await fixture.untilActive("pg_sleep(")
                let results = await outcomes(20) { (_) async throws(PostgresError) in
                    try await client.execute(Bump(id: "p0"))
                }
                #expect(results.filter { $0.code == .queueFull }.count == 15)
                #expect(results.filter { $0.code == nil }.count == 5)
                _ = try await slow.value
            }
        }
    }

    @Test("one that waits too long for a connection is told so")
    func queueTimeout() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.withClient({ $0.queueTimeout = .milliseconds(100) }) { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 3)) }
                try await fixture.untilActive("pg_sleep(")
                let results = await outcomes(3) { (_) async throws(PostgresError) in
                    try await client.execute(Bump(id: "p0"))
                }
                #expect(results.allSatisfy { $0.code == .queueTimeout })
                _ = try await slow.value
            }
            #expect(try await fixture.psql("SELECT n FROM players") == "0")
        }
    }

    @Test("a statement given before the client runs keeps its timeout", .timeLimit(.minutes(1)))
    func beforeRun() async throws {
        try await Fixture.run { fixture in
            let client = PostgresClient(configuration: fixture.configuration(), loops: [fixture.loop])
            let error = await #expect(throws: PostgresError.self) {
                _ = try await client.execute(Bump(id: "p0"), timeout: .milliseconds(100))
            }
            #expect(error?.code == .deadlineExceeded)
        }
    }

    @Test("connections are replaced when they have grown old, and nothing fails")
    func retirement() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            try await fixture.psql("ALTER TABLE players DROP CONSTRAINT players_n_check")
            struct PID: Statement {
                var sql: StaticString { "SELECT pg_backend_pid()" }
                static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
            }
            try await fixture.withClient({ $0.connectionLifetime = .milliseconds(200) }) { client in
                var pids: Set<Int32> = []
                let end = ContinuousClock.now + .seconds(2)
                while ContinuousClock.now < end {
                    if let pid = try await client.first(PID()) { pids.insert(pid) }
                    _ = try await client.execute(Bump(id: "p0"))
                }
                #expect(pids.count >= 3)
            }
        }
    }

    @Test("calls come from anywhere: from the pool's loop, from another loop, from no loop")
    func anywhere() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let loops = try (0..<2).map { try EventLoop(label: "loop \($0)") }
            defer { for loop in loops { loop.shutdown() } }
            try await fixture.withClient(loops: loops) { client in
                for loop in loops + [fixture.loop] {
                    let task = Task(executorPreference: loop) {
                        let n = try await client.first(Bump(id: "p0"))
                        #expect(loop.isCurrent)
                        return n
                    }
                    _ = try await task.value
                }
                let n = try await client.first(Bump(id: "p0"))
                #expect(n == 4)
            }
        }
    }

    @Test("a client that stops lets what is under way end and refuses the rest")
    func stop() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let client = PostgresClient(configuration: fixture.configuration(), loops: [fixture.loop])
            let running = Task { try await client.run() }
            let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 3)) }
            try await fixture.untilActive("pg_sleep(")
            let waiting = Task { try await client.execute(Bump(id: "p0")) }
            try await Task.sleep(for: .milliseconds(20))
            running.cancel()
            #expect(await failure(of: waiting)?.code == .closed)
            _ = try await slow.value
            try await running.value
            let late = Task { try await client.execute(Bump(id: "p0")) }
            #expect(await failure(of: late)?.code == .closed)
            let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(fixture.database)'"
            try await fixture.until(.seconds(5)) { try await fixture.cluster.psql(sql) == "0" }
        }
    }

    @Test("a batch that fails while the client stops is run again before it has stopped")
    func stopDuringFailure() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(2)
            let client = PostgresClient(configuration: fixture.configuration(), loops: [fixture.loop])
            let running = Task { try await client.run() }
            let first = Task { try await client.execute(SlowMark(mark: 1, seconds: 0.5)) }
            try await fixture.untilActive("pg_sleep(")
            let slow = Task { try await client.execute(SlowMark(mark: 2, seconds: 1)) }
            let good = Task { try await client.first(Bump(id: "p0")) }
            let bad = Task { try await client.first(Bump(id: "p1", by: 2000)) }
            _ = try await first.value
            try await fixture.untilActive("pg_sleep(")
            running.cancel()
            #expect(await failure(of: bad)?.sqlState == .checkViolation)
            #expect(try await good.value == 1)
            _ = try await slow.value
            try await running.value
            #expect(try await fixture.psql("SELECT sum(n) FROM players") == "1")
        }
    }

    @Test("neighbours of one that waits for a lock are run again before the client has stopped")
    func stopDuringLockTimeout() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(2)
            var configuration = fixture.configuration()
            configuration.lockTimeout = .milliseconds(100)
            let client = PostgresClient(configuration: configuration, loops: [fixture.loop])
            let running = Task { try await client.run() }
            try await fixture.withConnection { holder in
                try await holder.executeScript("BEGIN; UPDATE players SET n = n WHERE id = 'p1'")
                let first = Task { try await client.execute(SlowMark(mark: 1, seconds: 0.5)) }
                try await fixture.untilActive("pg_sleep(")
                let slow = Task { try await client.execute(SlowMark(mark: 2, seconds: 1)) }
                let good = Task { try await client.first(Bump(id: "p0")) }
                let held = Task { try await client.first(Bump(id: "p1")) }
                _ = try await first.value
                try await fixture.untilActive("pg_sleep(")
                running.cancel()
                #expect(await failure(of: held)?.code == .closed)
                #expect(try await good.value == 1)
                _ = try await slow.value
                try await running.value
            }
            #expect(try await fixture.psql("SELECT sum(n) FROM players") == "1")
        }
    }

    @Test("a connection string that cannot be read fails the run and every call")
    func badConfiguration() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let client = PostgresClient(configuration: .init(connectionString: "nonsense"), loops: [loop])
        let results = await outcomes(1) { (_) async throws(PostgresError) in try await client.execute(Bump(id: "p0")) }
        #expect(results.first?.code == .configuration)
        await #expect(throws: PostgresError.self) { try await client.run() }
    }

    @Test("behind PgBouncer in transaction mode everything works but sessions")
    func pgBouncer() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(30)
            let bouncer = try await PgBouncer.start(for: fixture.cluster, database: fixture.database)
            defer { bouncer.stop() }
            try await fixture.withClient({
                $0.connectionString = "host=127.0.0.1 port=\(bouncer.port) user=postgres dbname=\(fixture.database)"
                $0.route = .transactionPooler
                $0.connectionsPerLoop = 4
                $0.lockTimeout = .milliseconds(100)
            }) { client in
                for _ in 0..<5 {
                    let results = await outcomes(30) { (index) async throws(PostgresError) in
                        try await client.first(Bump(id: "p\(index)", by: index == 3 ? 2000 : 1))
                    }
                    for (index, result) in results.enumerated() {
                        #expect(result.sqlState == (index == 3 ? .checkViolation : nil))
                    }
                }
                let n = try await client.withTransaction { try await $0.first(Bump(id: "p0")) }
                #expect(n == 6)
                let late = await outcomes(1) { (_) async throws(PostgresError) in
                    try await client.execute(SlowMark(mark: 1, seconds: 60), timeout: .milliseconds(200))
                }
                #expect(late.first?.code == .deadlineExceeded)
                try await fixture.withConnection { holder in
                    try await holder.executeScript("BEGIN; UPDATE players SET n = n WHERE id = 'p7'")
                    let locked = Task { try await client.first(Bump(id: "p7")) }
                    try await Task.sleep(for: .milliseconds(300))
                    try await holder.executeScript("COMMIT")
                    #expect(try await locked.value == 6)
                }
                let again = try await client.first(Bump(id: "p1"))
                #expect(again == 6)
            }
        }
    }

    /// Says which session it runs on, and whether it is prepared there.
    private struct Whereabouts: Statement {
        var sql: StaticString {
            """
            SELECT pg_backend_pid(), EXISTS (SELECT FROM pg_prepared_statements WHERE statement LIKE '%whereabouts%')
            """
        }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (pid: Int32, isPrepared: Bool) {
            (try row.next(), try row.next())
        }
    }

    private struct Refused: Statement {
        var sql: StaticString { "SELECT 1 / 0" }
        typealias Row = NoRow
    }

    @Test("a pooler that follows prepared statements has them on every session; with another one they are given up")
    func preparingPooler() async throws {
        let follows = try await PgBouncer.followsPreparedStatements()
        try await Fixture.run { fixture in
            try await fixture.createPlayers(10)
            let bouncer = try await PgBouncer.start(for: fixture.cluster, database: fixture.database)
            defer { bouncer.stop() }
            let observer = Watcher()
            try await fixture.withClient({
                $0.connectionString = "host=127.0.0.1 port=\(bouncer.port) user=postgres dbname=\(fixture.database)"
                $0.route = .preparingTransactionPooler
                $0.readConnectionsPerLoop = 0
                $0.leasedConnectionsPerLoop = 1
                $0.observer = observer
            }) { client in
                // The pooler replaces a session after each transaction.
                var pids: Set<Int32> = []
                for round in 0..<5 {
                    let place = try await client.first(Whereabouts())
                    pids.insert(try #require(place).pid)
                    if round > 0 { #expect(place?.isPrepared == follows) }
                }
                #expect(pids.count == 5)
                // What comes behind a refusal is not prepared with it, and can be later.
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 2)) }
                try await fixture.untilActive("pg_sleep(")
                async let refused = outcomes(1) { (_) async throws(PostgresError) in
                    try await client.execute(Refused())
                }
                async let neighbour = client.first(Bump(id: "p0"))
                #expect(await refused.first?.sqlState == "22012")
                #expect(try await neighbour == 1)
                _ = try await slow.value
                #expect(try await client.first(Bump(id: "p0")) == 2)
                for command: SQLText in ["DISCARD ALL", "DEALLOCATE ALL"] {
                    let places = try await client.withConnection { connection in
                        let before = try await connection.first(Whereabouts())
                        if command == "DISCARD ALL" {
                            try await connection.executeScript("DISCARD ALL")
                        } else {
                            try await connection.run(command)
                        }
                        return (before, try await connection.first(Whereabouts()))
                    }
                    #expect(places.1?.isPrepared == true || !follows)
                }
                let n = try await client.withTransaction { transaction in
                    _ = try await transaction.first(Bump(id: "p0"))
                    return try await transaction.first(Bump(id: "p0"))
                }
                #expect(n == 4)
            }
            #expect(observer.seen.lost.isEmpty)
        }
    }

    @Test("behind a pooler a plan that a migration has outdated is given up, and with it preparing on that session")
    func outdatedPlanBehindPooler() async throws {
        struct Everything: Statement {
            var sql: StaticString { "SELECT * FROM players WHERE id = 'p0'" }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { row.columnCount }
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(1)
            let bouncer = try await PgBouncer.start(
                for: fixture.cluster, database: fixture.database, poolSize: 1, lifetime: 3600)
            defer { bouncer.stop() }
            try await fixture.withClient({
                $0.connectionString = "host=127.0.0.1 port=\(bouncer.port) user=postgres dbname=\(fixture.database)"
                $0.route = .preparingTransactionPooler
                $0.readConnectionsPerLoop = 0
            }) { client in
                #expect(try await client.first(Everything()) == 2)
                for count in 3...4 {
                    try await fixture.psql("ALTER TABLE players ADD COLUMN c\(count) int")
                    #expect(try await client.first(Everything()) == count)
                }
                #expect(try await client.first(Whereabouts())?.isPrepared == false)
            }
        }
    }
}
