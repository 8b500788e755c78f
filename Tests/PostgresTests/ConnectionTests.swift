import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("A session")
struct ConnectionTests {
    struct Add: Statement {
        var sql: StaticString { "SELECT $1 + $2" }
        let left: Int32
        let right: Int32
        func bind(to parameters: inout Parameters) {
            parameters.append(left)
            parameters.append(right)
        }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
    }

    struct PreparedNames: Statement {
        var sql: StaticString { "SELECT name FROM pg_prepared_statements ORDER BY prepare_time, name" }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }

    struct Sleep: Statement {
        var sql: StaticString { "SELECT 1 FROM pg_sleep($1)" }
        let seconds: Double
        func bind(to parameters: inout Parameters) { parameters.append(seconds) }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
    }

    @Test("runs a typed statement, and prepares it once under a stable name")
    func typedStatement() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                for number in 1...5 as ClosedRange<Int32> {
                    #expect(try await connection.first(Add(left: number, right: 2)) == number + 2)
                }
                let names = try await connection.execute(PreparedNames())
                #expect(names.count == 2)
                #expect(names.first?.hasPrefix("Add_") == true)
                let again = try await fixture.withConnection { other in
                    _ = try await other.execute(Add(left: 1, right: 1))
                    return try await other.execute(PreparedNames())
                }
                #expect(again == names)
            }
        }
    }

    @Test("answers concurrent calls in order, each its own rows")
    func concurrentCalls() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<100 as Range<Int32> {
                        group.addTask {
                            let sum = try await connection.first(Add(left: number, right: 0))
                            #expect(sum == number)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("runs a one-off query and a command")
    func oneOff() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await connection.executeScript(
                    "CREATE TABLE t (a int); INSERT INTO t SELECT generate_series(1, 10)")
                let rows = try await connection.query("SELECT a FROM t WHERE a > $1 ORDER BY a", [Int32(8)]) {
                    (row) throws(PostgresDecodingError) in try row.next(Int32.self)
                }
                #expect(rows == [9, 10])
                #expect(try await connection.run("DELETE FROM t WHERE a <= $1", [Int32(3)]) == 3)
            }
        }
    }

    @Test("a script is done wholly or not at all, and says where it failed")
    func scripts() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.executeScript("CREATE TABLE t (a int); SELECT nonsense")
                }
                #expect(error?.sqlState == "42703")
                #expect(error?.position == 32)
                #expect(try await fixture.psql("SELECT count(*) FROM pg_class WHERE relname = 't'") == "0")
                try await connection.executeScript("")
                try await connection.executeScript("BEGIN")
                #expect(await connection.transactionState() == .open)
                await #expect(throws: PostgresError.self) { try await connection.executeScript("nonsense") }
                #expect(await connection.transactionState() == .failed)
                try await connection.executeScript("ROLLBACK")
                #expect(await connection.transactionState() == .idle)
                #expect(try await connection.first(Add(left: 1, right: 1)) == 2)
            }
        }
    }

    @Test("passes notices on and tells who it is")
    func notices() async throws {
        try await Fixture.run { fixture in
            let (notices, continuation) = AsyncStream.makeStream(of: PostgresNotice.self)
            let connection = try await PostgresConnection.connect(fixture.configuration(), on: fixture.loop) {
                continuation.yield($0)
            }
            try await connection.executeScript("DO $$ BEGIN RAISE WARNING 'look out'; END $$")
            var iterator = notices.makeAsyncIterator()
            let notice = await iterator.next()
            #expect(notice?.severity == "WARNING")
            #expect(notice?.message == "look out")
            #expect(notice?.description == "WARNING 01000")
            #expect(connection.serverVersion >= 140000)
            let pid = try await connection.query("SELECT pg_backend_pid()") {
                (row) throws(PostgresDecodingError) in try row.next(Int32.self)
            }
            #expect(pid == [Int32(connection.backendPID)])
            #expect(await connection.parameterStatus("client_encoding") == "UTF8")
            await connection.close()
        }
    }

    @Test("copies data in, a megabyte and more, and undoes it when the source fails")
    func copyIn() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await connection.executeScript("CREATE TABLE t (a int PRIMARY KEY, b text)")
                var next = 0
                let copied = try await connection.copyIn("COPY t FROM STDIN") {
                    guard next < 200_000 else { return nil }
                    defer { next += 10_000 }
                    return Array((next..<next + 10_000).map { "\($0)\tnumber \($0)\n" }.joined().utf8)
                }
                #expect(copied == 200_000)
                struct Broken: Error {}
                var calls = 0
                await #expect(throws: Broken.self) {
                    try await connection.copyIn("COPY t FROM STDIN") {
                        calls += 1
                        if calls == 3 { throw Broken() }
                        return Array("\(-calls)\tx\n".utf8)
                    }
                }
                let duplicate = await #expect(throws: PostgresError.self) {
                    var once = Optional(Array("5\tagain\n".utf8))
                    return try await connection.copyIn("COPY t FROM STDIN") {
                        defer { once = nil }
                        return once
                    }
                }
                #expect(duplicate?.sqlState == .uniqueViolation)
                await #expect(throws: PostgresError.self) { try await connection.copyIn("SELECT 1") { nil } }
                await #expect(throws: PostgresError.self) { try await connection.copyIn("nonsense") { nil } }
                #expect(try await fixture.psql("SELECT count(*) FROM t") == "200000")
                #expect(try await connection.first(Add(left: 1, right: 1)) == 2)
            }
        }
    }

    @Test("a cancelled call stops the statement and leaves the session usable")
    func cancellation() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                let task = Task { try await connection.execute(Sleep(seconds: 60)) }
                try await fixture.untilActive("pg_sleep")
                let waiting = Task { try await connection.execute(Sleep(seconds: 60)) }
                waiting.cancel()
                let early = await #expect(throws: PostgresError.self) { _ = try await waiting.value }
                #expect(early?.code == .cancelled)
                task.cancel()
                let error = await #expect(throws: PostgresError.self) { _ = try await task.value }
                #expect(error?.code == .cancelled)
                #expect(try await connection.first(Add(left: 1, right: 1)) == 2)
                let never = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await connection.first(Add(left: 1, right: 1))
                }
                let before = await #expect(throws: PostgresError.self) { _ = try await never.value }
                #expect(before?.code == .cancelled)
            }
        }
    }

    @Test("a call that passes its timeout stops the statement and leaves the session usable")
    func timeout() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.execute(Sleep(seconds: 60), timeout: .milliseconds(50))
                }
                #expect(error?.code == .deadlineExceeded)
                let sum = try await connection.first(Add(left: 1, right: 1), timeout: .seconds(10))
                #expect(sum == 2)
                let script = await #expect(throws: PostgresError.self) {
                    try await connection.executeScript("SELECT pg_sleep(60)", timeout: .milliseconds(50))
                }
                #expect(script?.code == .deadlineExceeded)
                #expect(try await connection.first(Add(left: 1, right: 1)) == 2)
            }
        }
    }

    @Test("a session that was terminated says so, and what waited was never sent")
    func termination() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                let running = Task { try await connection.execute(Sleep(seconds: 60)) }
                try await fixture.untilActive("pg_sleep")
                let waiting = Task { try await connection.execute(Add(left: 1, right: 1)) }
                try await fixture.psql("SELECT pg_terminate_backend(\(connection.backendPID))")
                // The server said FATAL before the statement was done: it cannot have taken effect.
                let lost = await #expect(throws: PostgresError.self) { _ = try await running.value }
                #expect(lost?.code == .notSent)
                let never = await #expect(throws: PostgresError.self) { _ = try await waiting.value }
                #expect(never?.code == .closed)
                let later = await #expect(throws: PostgresError.self) {
                    try await connection.executeScript("SELECT 1")
                }
                #expect(later?.code == .closed)
            }
        }
    }

    @Test(
        "connecting fails with one clear error",
        arguments: [
            "host=/nowhere", "host=127.0.0.1 port=1", "host=does-not-exist.invalid", "host=/nowhere,127.0.0.1 port=1",
        ])
    func connectionRefused(connectionString: String) async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let error = await #expect(throws: PostgresError.self) {
            _ = try await PostgresConnection.connect(.init(connectionString: connectionString), on: loop)
        }
        #expect(error?.code == .connectionFailed)
        #expect(error?.description == "connectionFailed")
        #expect(error?.operatorMessage?.isEmpty == false)
    }

    @Test("a connection string that cannot be read is refused without being quoted")
    func badConnectionString() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let error = await #expect(throws: PostgresError.self) {
            _ = try await PostgresConnection.connect(.init(connectionString: "password=secret nonsense"), on: loop)
        }
        #expect(error?.code == .configuration)
        #expect(error.map { "\($0.debugDescription)".contains("secret") } == false)
    }

    @Test("a name is resolved off the loop, and of several hosts the first that answers is taken")
    func severalHosts() async throws {
        try await Fixture.run { fixture in
            var configuration = fixture.configuration(tcp: true)
            configuration.parameters = ["host": "127.0.0.1,localhost", "port": "1,\(fixture.cluster.port)"]
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            #expect(try await connection.first(Add(left: 1, right: 1)) == 2)
            await connection.close()
        }
    }

    @Test("session settings hold, with blanks and backslashes")
    func sessionSettings() async throws {
        try await Fixture.run { fixture in
            var configuration = fixture.configuration()
            configuration.sessionSettings = ["test.text": #"a b\c"#, "work_mem": "17MB"]
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            let values = try await connection.query(
                "SELECT current_setting('test.text'), current_setting('work_mem')"
            ) { (row) throws(PostgresDecodingError) in [try row.next(String.self), try row.next(String.self)] }
            #expect(values == [[#"a b\c"#, "17MB"]])
            await connection.close()
        }
    }
}

extension Fixture {
    /// Waits until the server is at work on SQL that contains a text.
    func untilActive(_ text: String, count: Int = 1) async throws {
        let sql = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = '\(database)' AND state = 'active' AND query LIKE '%\(text)%' AND pid <> pg_backend_pid()
            """
        try await until(.seconds(60)) { try await Int(cluster.psql(sql)) ?? 0 >= count }
    }
}
