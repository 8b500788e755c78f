import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("Copying in", .timeLimit(.minutes(2)))
struct CopyTests {
    private func works(_ connection: PostgresConnection) async throws {
        #expect(await connection.transactionState() == .idle)
        #expect(try await connection.first(ConnectionTests.Add(left: 1, right: 1)) == 2)
    }

    @Test("a copy that waits for a table to begin can be cancelled and times out")
    func startOfCopyIn() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int)")
            try await fixture.withConnection { holder in
                try await holder.executeScript("BEGIN; LOCK TABLE t")
                try await fixture.withConnection { connection in
                    let late = await #expect(throws: PostgresError.self) {
                        try await connection.copyIn("COPY t FROM STDIN", timeout: .milliseconds(50)) { nil }
                    }
                    #expect(late?.code == .deadlineExceeded)
                    try await works(connection)
                    let task = Task { try await connection.copyIn("COPY t FROM STDIN") { nil } }
                    try await fixture.untilActive("COPY t")
                    let waiting = Task { try await connection.copyIn("COPY t FROM STDIN") { nil } }
                    waiting.cancel()
                    let early = await #expect(throws: PostgresError.self) { _ = try await waiting.value }
                    #expect(early?.code == .cancelled)
                    task.cancel()
                    let error = await #expect(throws: PostgresError.self) { _ = try await task.value }
                    #expect(error?.code == .cancelled)
                    try await works(connection)
                }
            }
        }
    }

    @Test("a copy that is cancelled while the server's consent is on its way ends at once")
    func consentOnItsWay() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int)")
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            var configuration = fixture.configuration()
            configuration.connectionString = fixture.connectionString(through: proxy)
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            proxy.holdAnswers()
            let copy = Task {
                try await connection.copyIn("COPY t FROM STDIN") {
                    Issue.record("no data is wanted")
                    return nil
                }
            }
            // The server has consented, and waits for data.
            let sql = """
                SELECT wait_event FROM pg_stat_activity WHERE pid = \(connection.backendPID) AND query LIKE 'COPY t%'
                """
            try await fixture.until(.seconds(20)) { try await fixture.psql(sql) == "ClientRead" }
            copy.cancel()
            // When the loop answers it has heard of that.
            _ = await connection.transactionState()
            proxy.resume()
            let error = await #expect(throws: PostgresError.self) { _ = try await copy.value }
            #expect(error?.code == .cancelled)
            try await works(connection)
            await connection.close()
        }
    }

    @Test("the server is free when the time is over, though the source hangs")
    func slowSource() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int)")
            try await fixture.withConnection { connection in
                var calls = 0
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("COPY t FROM STDIN", timeout: .seconds(1)) {
                        calls += 1
                        guard calls > 1 else { return Array("1\n".utf8) }
                        let sql = "SELECT state FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
                        try await fixture.until(.seconds(20)) { try await fixture.psql(sql) == "idle" }
                        return Array("2\n".utf8)
                    }
                }
                #expect(error?.code == .deadlineExceeded)
                #expect(calls == 2)
                try await works(connection)
                #expect(try await fixture.psql("SELECT count(*) FROM t") == "0")
                let copied = try await connection.copyIn("COPY t FROM STDIN", timeout: .seconds(10)) { nil }
                #expect(copied == 0)
            }
        }
    }

    @Test("a copy stops when the server has refused what it got, though the source has no end")
    func refusedEarly() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int)")
            try await fixture.withConnection { connection in
                let chunk = Array(String(repeating: "2\n", count: 32_768).utf8)
                let end = ContinuousClock.now + .seconds(20)
                var calls = 0
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("COPY t FROM STDIN") {
                        calls += 1
                        if calls == 1 { return Array("x\n".utf8) }
                        guard ContinuousClock.now < end else {
                            Issue.record("the source was asked for 20 s")
                            return nil
                        }
                        return chunk
                    }
                }
                #expect(error?.sqlState == "22P02")
                try await works(connection)
                #expect(try await fixture.psql("SELECT count(*) FROM t") == "0")
            }
        }
    }

    @Test("a notice is no refusal, however long the source takes after it")
    func noticedCopyIn() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql(
                """
                CREATE TABLE t (a int);
                CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE NOTICE 'row %', NEW.a; RETURN NEW; END $$;
                CREATE TRIGGER tell BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION tell();
                """)
            try await fixture.withConnection { connection in
                var calls = 0
                let count = try await connection.copyIn("COPY t FROM STDIN") {
                    calls += 1
                    if calls == 2 { try await fixture.psql("SELECT pg_sleep(2)") }
                    return calls <= 2 ? Array("\(calls)\n".utf8) : nil
                }
                #expect(count == 2)
            }
        }
    }

    @Test(
        "a refusal is seen though it comes together with notices, short ones or one in many pieces",
        arguments: [1, 40_000])
    func noticedRefusal(length: Int) async throws {
        try await Fixture.run { fixture in
            try await fixture.psql(
                """
                CREATE TABLE t (a int);
                CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    RAISE NOTICE '%', repeat('x', \(length));
                    IF NEW.a = 3 THEN RAISE 'no'; END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER tell BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION tell();
                """)
            let proxy = try Proxy(to: fixture.cluster.port)
            defer { proxy.close() }
            var configuration = fixture.configuration()
            configuration.connectionString = fixture.connectionString(through: proxy)
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            let state = "SELECT state FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
            let end = ContinuousClock.now + .seconds(30)
            var calls = 0
            let error = await #expect(throws: PostgresError.self) {
                try await connection.copyIn("COPY t FROM STDIN") {
                    calls += 1
                    if calls == 1 {
                        proxy.holdAnswers()
                        return Array("1\n2\n3\n".utf8)
                    }
                    if calls == 2 {
                        // All that the server says comes at once.
                        try await fixture.until(.seconds(20)) { try await fixture.psql(state) == "idle" }
                        proxy.resume()
                    }
                    guard ContinuousClock.now < end else {
                        Issue.record("the source was asked for 30 s")
                        return nil
                    }
                    try await Task.sleep(for: .milliseconds(10))
                    return Array("4\n".utf8)
                }
            }
            #expect(error?.sqlState == "P0001")
            try await works(connection)
            #expect(try await fixture.psql("SELECT count(*) FROM t") == "0")
            await connection.close()
        }
    }

    @Test(
        "over TLS, where nobody looks into the bytes, a refusal is seen within a second though the source goes on",
        arguments: [false, true])
    func refusedOverTLS(isNoticed: Bool) async throws {
        let cluster = try await PostgresCluster.start()
        let certificate = try await cluster.enableTLS()
        try await Fixture.run(cluster: cluster) { fixture in
            try await fixture.psql(
                """
                CREATE TABLE t (a int);
                CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF \(isNoticed) THEN RAISE NOTICE 'row %', NEW.a; END IF;
                    IF NEW.a = 3 THEN RAISE 'no'; END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER tell BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION tell();
                """)
            let configuration = PostgresConfiguration(
                connectionString: "host=127.0.0.1 port=\(cluster.port) user=postgres dbname=\(fixture.database)"
                    + " sslmode=verify-full sslrootcert=\(certificate)")
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            let state = "SELECT state FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
            var refusedAt = ContinuousClock.now
            var calls = 0
            let error = await #expect(throws: PostgresError.self) {
                try await connection.copyIn("COPY t FROM STDIN") {
                    calls += 1
                    if calls == 1 { return Array("1\n2\n3\n".utf8) }
                    if calls == 2 {
                        try await fixture.until(.seconds(20)) { try await fixture.psql(state) == "idle" }
                        refusedAt = .now
                    }
                    guard ContinuousClock.now - refusedAt < .seconds(30) else {
                        Issue.record("the source was asked for 30 s")
                        return nil
                    }
                    try await Task.sleep(for: .milliseconds(10))
                    return Array("4\n".utf8)
                }
            }
            #expect(error?.sqlState == "P0001")
            // A busy machine may take its time.
            #expect(ContinuousClock.now - refusedAt < .seconds(4))
            try await works(connection)
            #expect(try await fixture.psql("SELECT count(*) FROM t") == "0")
            await connection.close()
        }
    }

    @Test("a piece of exactly 1 GiB is sent in slices that the server takes")
    func gibibyte() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a text)")
            try await fixture.withConnection { connection in
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 30)
                for end in stride(from: 1 << 20, through: bytes.count, by: 1 << 20) {
                    bytes[end - 1] = UInt8(ascii: "\n")
                }
                let source = Locked<[UInt8]?>(bytes)
                bytes = []
                let count = try await connection.copyIn("COPY t FROM STDIN WHERE length(a) = 3") {
                    source.withLock { source in
                        defer { source = nil }
                        return source
                    }
                }
                #expect(count == 0)
                try await works(connection)
            }
        }
    }

    @Test("a copy whose session is lost before its end has loaded nothing")
    func lostCopyIn() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int)")
            try await fixture.withConnection { connection in
                var isCut = false
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("COPY t FROM STDIN") {
                        if isCut { return nil }
                        try await fixture.psql("SELECT pg_terminate_backend(\(connection.backendPID), 5000)")
                        isCut = true
                        return Array("1\n".utf8)
                    }
                }
                #expect(error?.code == .notSent || error?.sqlState == .adminShutdown)
                let later = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("COPY t FROM STDIN") { nil }
                }
                #expect(later?.code == .closed)
            }
        }
    }

    // MARK: What is no such copy

    @Test("what is no copy into a table is refused, and the session stays")
    func misuse() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int)")
            try await fixture.withConnection { connection in
                for sql in ["SELECT 1", "COPY (SELECT generate_series(1, 100000)) TO STDOUT", ""] as [SQLText] {
                    let error = await #expect(throws: PostgresError.self) { try await connection.copyIn(sql) { nil } }
                    #expect(error?.code == .misuse)
                    try await works(connection)
                }
                let nonsense = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("nonsense") { nil }
                }
                #expect(nonsense?.sqlState == .syntaxError)
                try await works(connection)
            }
        }
    }

    @Test("a script drops what a copy sends, and is refused a copy that wants data")
    func scripts() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await connection.executeScript(
                    """
                    CREATE TABLE t (a int);
                    COPY (SELECT generate_series(1, 200000)) TO STDOUT;
                    COPY t TO STDOUT;
                    INSERT INTO t VALUES (1)
                    """)
                #expect(try await fixture.psql("SELECT a FROM t") == "1")
                try await works(connection)
                let failing = await #expect(throws: PostgresError.self) {
                    try await connection.executeScript(
                        "COPY (SELECT 1 / (5 - i) FROM generate_series(1, 9) AS i) TO STDOUT")
                }
                #expect(failing?.sqlState == "22012")
                let late = await #expect(throws: PostgresError.self) {
                    try await connection.executeScript(
                        "COPY (SELECT pg_sleep(60)) TO STDOUT", timeout: .milliseconds(50))
                }
                #expect(late?.code == .deadlineExceeded)
                try await works(connection)
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.executeScript("INSERT INTO t VALUES (2); COPY t FROM STDIN")
                }
                #expect(error?.code == .misuse)
                #expect(try await fixture.psql("SELECT a FROM t") == "1")
                try await works(connection)
            }
        }
    }
}
