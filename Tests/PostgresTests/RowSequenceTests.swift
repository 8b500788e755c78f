import EventLoop
import TestSupport
import Testing

@testable import Postgres

@Suite("Sequences of rows", .timeLimit(.minutes(2)))
struct RowSequenceTests {
    private func numbers(
        _ connection: PostgresConnection, _ sql: SQLText, _ parameters: [any PostgresEncodable] = [],
        timeout: Duration? = nil
    ) -> PostgresRowSequence<Int32> {
        connection.rows(sql, parameters, timeout: timeout) { (row) throws(PostgresDecodingError) in
            try row.next(Int32.self)
        }
    }

    private func works(_ connection: PostgresConnection) async throws {
        #expect(try await connection.first(ConnectionTests.Add(left: 1, right: 1)) == 2)
    }

    /// What an iteration gave before it ended, and how it did.
    private func all(_ rows: PostgresRowSequence<Int32>) async -> ([Int32], PostgresError?) {
        var seen: [Int32] = []
        do throws(PostgresError) {
            for try await row in rows { seen.append(row) }
            return (seen, nil)
        } catch {
            return (seen, error)
        }
    }

    @Test("rows come in order and whole, of one-off and of typed statements, none from statements that have none")
    func inOrder() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(3)
            try await fixture.withConnection { (connection) async throws in
                let count: Int32 = 20_000
                let rows = connection.rows(
                    "SELECT i, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE repeat('x', i % 100) END FROM "
                        + "generate_series(1, $1) AS i", [count]
                ) { (row) throws(PostgresDecodingError) in
                    (number: try row.next(Int32.self), text: try row.next(String?.self), isAtEnd: row.isAtEnd)
                }
                // Twice: each iteration runs it anew.
                for _ in 0..<2 {
                    var last: Int32 = 0
                    for try await row in rows {
                        last += 1
                        let length = last % 3 == 1 ? 0 : Int(last % 100)
                        #expect(row.number == last && row.isAtEnd)
                        #expect(row.text == (last % 3 == 0 ? nil : String(repeating: "x", count: length)))
                    }
                    #expect(last == count)
                }
                var counters: [Int32] = []
                for try await counter in connection.rows(Bump(id: "p1")) { counters.append(counter) }
                for try await counter in connection.rows(Bump(id: "p1")) { counters.append(counter) }
                #expect(counters == [1, 2])
                for sql in ["SELECT 1 WHERE false", "CREATE TABLE t ()", ""] as [SQLText] {
                    let (seen, error) = await all(numbers(connection, sql))
                    #expect(seen.isEmpty && error == nil)
                }
                try await works(connection)
            }
        }
    }

    @Test("a gigabyte for who takes three rows: the server has made no more than fits the buffers on the way")
    func backPressure() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE SEQUENCE made")
            try await fixture.withConnection { (connection) async throws in
                let size = 1 << 20
                let rows = connection.rows(
                    "SELECT nextval('made'), repeat('x', $1) FROM generate_series(1, 1000)", [Int32(size)]
                ) {
                    (row) throws(PostgresDecodingError) in
                    let number = try row.next(Int.self)
                    return (number: number, size: try row.next(String.self).utf8.count)
                }
                var iterator = rows.makeAsyncIterator()
                for number in 1...3 { #expect(try await iterator.next()?.number == number) }
                // Nobody takes more, and so the server waits until it can write.
                let sql = "SELECT wait_event FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
                try await fixture.until(.seconds(60)) { try await fixture.psql(sql) == "ClientWrite" }
                let stream = iterator.reader.stream
                let buffered = await connection.onLoop { _ in stream.value.stream?.bufferedBytes ?? -1 }
                #expect((0...size + 64 * 1024).contains(buffered))
                // The rows taken, those in the buffers here, in libpq and in the sockets: some megabytes.
                let made = try #require(Int(try await fixture.psql("SELECT last_value FROM made")))
                #expect(made < 50)
                // The rest, as fast as it comes.
                var count = 3
                while let row = try await iterator.next() {
                    count += 1
                    #expect(row.number == count && row.size == size)
                }
                #expect(count == 1000)
                let largest = await connection.onLoop { _ in stream.value.stream?.largestBuffer ?? -1 }
                #expect((size...size + 64 * 1024).contains(largest))
                try await works(connection)
            }
        }
    }

    @Test("many small rows are gathered up to 64 KiB, whoever is faster")
    func smallRows() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                var iterator = numbers(connection, "SELECT i::int4 FROM generate_series(1, 300000) AS i")
                    .makeAsyncIterator()
                var sum = 0
                while let number = try await iterator.next() { sum += Int(number) }
                #expect(sum == 300_000 * 300_001 / 2)
                let stream = iterator.reader.stream
                let largest = await connection.onLoop { _ in stream.value.stream?.largestBuffer ?? -1 }
                #expect((1...RowBuffer.limit * 2).contains(largest))
            }
        }
    }

    @Test("an error comes behind the rows before it, and nothing behind the error")
    func errorInTheMiddle() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE late (a int4 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            try await fixture.withConnection { (connection) async throws in
                let rows = numbers(connection, "SELECT i / (5000 - i) FROM generate_series(1, 10000) AS i")
                var iterator = rows.makeAsyncIterator()
                var count = 0
                let error = await #expect(throws: PostgresError.self) {
                    while try await iterator.next() != nil { count += 1 }
                }
                #expect(error?.sqlState == "22012")
                #expect(count == 4999)
                #expect(try await iterator.next() == nil)
                try await works(connection)

                let (seen, refused) = await all(
                    numbers(connection, "INSERT INTO late VALUES (1), (2), (1) RETURNING a"))
                #expect(seen == [1, 2, 1] && refused?.sqlState == .uniqueViolation)
                #expect(try await fixture.psql("SELECT count(*) FROM late") == "0")

                let wrong = await all(
                    numbers(connection, "SELECT CASE WHEN i = 3 THEN NULL ELSE i END FROM generate_series(1, 5) AS i"))
                #expect(wrong.0 == [1, 2] && wrong.1?.decoding?.reason == .null)
                try await works(connection)

                for (sql, code) in [
                    ("nonsense", .server), ("COPY late FROM STDIN", .misuse),
                ] as [(SQLText, PostgresError.Code)] {
                    let (none, error) = await all(numbers(connection, sql))
                    #expect(none.isEmpty && error?.code == code, "\(sql)")
                    try await works(connection)
                }
                let parameter = PostgresDate(daysSince1970: .min + 1)
                #expect(await all(numbers(connection, "SELECT $1", [parameter])).1?.code == .misuse)
                try await works(connection)
            }
        }
    }

    @Test("who leaves the loop stops the server; within a transaction, which goes on, the rest is dropped")
    func earlyEnd() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let endless: SQLText = "SELECT generate_series(1, 2000000000)"
                for try await number in numbers(connection, endless) where number >= 1000 { break }
                try await works(connection)
                // One that was begun and never iterated to a row, and one that was never begun.
                do { _ = numbers(connection, endless).makeAsyncIterator() }
                try await works(connection)

                try await connection.withTransaction { transaction in
                    for try await number in numbers(transaction, "SELECT i::int4 FROM generate_series(1, 200000) AS i")
                    where number >= 10 { break }
                    #expect(try await transaction.run("SELECT 1") == 1)
                    #expect(await transaction.transactionState() == .open)

                    // The rest may take longer than the rows that were wanted.
                    let slow: SQLText = """
                        SELECT i::int4, repeat('x', 100000), pg_sleep(CASE i WHEN 3 THEN 5 ELSE 0 END)
                        FROM generate_series(1, 3) AS i
                        """
                    for try await _ in numbers(transaction, slow, timeout: .seconds(3)) { break }
                    #expect(try await transaction.run("SELECT 1") == 1)
                }
            }
        }
    }

    @Test("given up when the server has done all, it is not said to be undone")
    func lateCancellation() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE made (i int4, text text)")
            try await fixture.withConnection { (connection) async throws in
                // More than is gathered, less than the sockets take besides.
                let insert: SQLText = """
                    INSERT INTO made SELECT i, repeat('x', 1000) FROM generate_series(1, 200) AS i RETURNING i, text
                    """
                let rows = numbers(connection, insert)
                let task = Task { () async throws -> PostgresError? in
                    var iterator = rows.makeAsyncIterator()
                    _ = try await iterator.next()
                    let sql = "SELECT state FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
                    try await fixture.until(.seconds(20)) { try await fixture.psql(sql) == "idle" }
                    withUnsafeCurrentTask { $0?.cancel() }
                    do throws(PostgresError) {
                        while try await iterator.next() != nil {}
                        return nil
                    } catch {
                        return error
                    }
                }
                #expect(try await task.value?.code == .outcomeUnknown)
                #expect(try await fixture.psql("SELECT count(*) FROM made") == "200")
                try await works(connection)
            }
        }
    }

    @Test("rows without columns are counted, and no text about them is left behind")
    func noColumns() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let rows = connection.rows("SELECT FROM generate_series(1, 5)") {
                    (row) throws(PostgresDecodingError) in row.columnCount
                }
                var widths: [Int] = []
                for try await width in rows { widths.append(width) }
                #expect(widths == [0, 0, 0, 0, 0])
                #expect(await connection.onLoop { $0.connection.handle.errorMessage } == "")
                try await works(connection)
                #expect(await connection.onLoop { $0.connection.handle.errorMessage } == "")
            }
        }
    }

    @Test("a task that is cancelled, and a time that is over, stop the server")
    func cancellation() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let slow: SQLText = "SELECT i::int4 FROM generate_series(1, 3) AS i, pg_sleep(3600 * (i - 1))"
                let task = Task { await all(numbers(connection, slow)) }
                try await fixture.untilActive("pg_sleep")
                // Another one waits for its turn, and is given up before.
                let waiting = Task { await all(numbers(connection, "SELECT 1")) }
                waiting.cancel()
                #expect(await waiting.value.1?.code == .cancelled)
                task.cancel()
                #expect(await task.value.1?.code == .cancelled)
                try await works(connection)
                let late = await all(numbers(connection, slow, timeout: .milliseconds(100)))
                #expect(late.1?.code == .deadlineExceeded)
                try await works(connection)

                // While the server waits for somebody who takes rows.
                var iterator = numbers(
                    connection, "SELECT generate_series(1, 2000000000)", timeout: .seconds(5)
                ).makeAsyncIterator()
                #expect(try await iterator.next() == 1)
                let sql = "SELECT state FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
                try await fixture.until(.seconds(20)) { try await fixture.psql(sql) == "idle" }
                let over = await #expect(throws: PostgresError.self) {
                    while try await iterator.next() != nil {}
                }
                #expect(over?.code == .deadlineExceeded)
                try await works(connection)
            }
        }
    }

    @Test("a session that is lost in the middle ends the rows with an error")
    func loss() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                var iterator = numbers(connection, "SELECT generate_series(1, 2000000000)")
                    .makeAsyncIterator()
                #expect(try await iterator.next() == 1)
                try await fixture.psql("SELECT pg_terminate_backend(\(connection.backendPID))")
                let lost = await #expect(throws: PostgresError.self) { while try await iterator.next() != nil {} }
                #expect(lost?.sqlState == .adminShutdown || lost?.code == .outcomeUnknown)
                #expect(try await iterator.next() == nil)
                let closed = await all(numbers(connection, "SELECT 1"))
                #expect(closed.1?.code == .closed)
            }
        }
    }

    @Test("iterations and other calls on a session have their turns")
    func turns() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for index in 0..<20 {
                        group.addTask {
                            if index % 3 == 0 { return try await connection.run("SELECT 1") }
                            var count = 0
                            for try await _ in numbers(connection, "SELECT i::int4 FROM generate_series(1, 20000) AS i")
                            {
                                count += 1
                                if index % 3 == 1, count == 5000 { break }
                            }
                            return count
                        }
                    }
                    let counts = try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                    #expect(counts == [1: 7, 5000: 7, 20000: 6])
                }
            }
        }
    }
}
