import EventLoop
import TestSupport
import Testing

@testable import Postgres

@Suite("Copying rows", .timeLimit(.minutes(2)))
struct CopyRowsTests {
    private struct Enough: Error {}

    private func works(_ connection: PostgresConnection) async throws {
        #expect(try await connection.first(ConnectionTests.Add(left: 1, right: 1)) == 2)
        #expect(await connection.transactionState() == .idle)
    }

    private func numbers(
        _ connection: PostgresConnection, _ query: SQLText, _ format: PostgresCopyFormat = .binary,
        timeout: Duration? = nil
    ) -> PostgresRowSequence<Int32> {
        connection.rows(copying: query, format: format, timeout: timeout) { (row) throws(PostgresDecodingError) in
            try row.next(Int32.self)
        }
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

    // MARK: In

    @Test("rows of an asynchronous sequence are loaded, of which no more is made than fits the buffers on the way")
    func asynchronous() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int4, b text); CREATE TABLE held (a int4)")
            try await fixture.withConnection { (connection) async throws in
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    let rows = AsyncStream<Int32> { continuation in
                        for number in 1...50_000 { continuation.yield(Int32(number)) }
                        continuation.finish()
                    }
                    let count = try await connection.copyIn(
                        rows, into: "public.t", columns: ["b", "a"], format: format
                    ) { row, number in row.append("row \(number)", number) }
                    #expect(count == 50_000)
                    let sql = "SELECT count(*), sum(a), count(*) FILTER (WHERE b = 'row ' || a) FROM t"
                    #expect(try await fixture.psql(sql) == "50000|1250025000|50000")
                    try await connection.executeScript("TRUNCATE t")
                    let none: [Int32] = []
                    // Whoever may only insert can load.
                    try await connection.executeScript(
                        "DROP ROLE IF EXISTS loader; CREATE ROLE loader; GRANT INSERT ON t TO loader; SET ROLE loader")
                    #expect(
                        try await connection.copyIn(none, into: "t", columns: ["a"], format: format) { $0.append($1) }
                            == 0)
                    try await connection.executeScript("RESET ROLE; DROP OWNED BY loader; DROP ROLE loader")
                }
                try await works(connection)
            }
        }
    }

    @Test("while the server takes nothing no rows are asked for")
    func backPressureIn() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql(
                """
                CREATE TABLE t (a text);
                CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_advisory_xact_lock(43); RETURN NEW; END $$;
                CREATE TRIGGER hold BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION hold();
                """)
            try await fixture.withConnection { (holder) async throws in
                try await holder.run("SELECT pg_advisory_lock(43)")
                try await fixture.withConnection { (connection) async throws in
                    let made = Locked(0)
                    let text = String(repeating: "x", count: 10_000)
                    let copy = Task {
                        let rows = (0..<10_000).lazy.map { _ in
                            made.withLock { $0 += 1 }
                            return text
                        }
                        return try await connection.copyIn(rows, into: "t", columns: ["a"]) { $0.append($1) }
                    }
                    let sql = "SELECT wait_event FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
                    try await fixture.until(.seconds(20)) { try await fixture.psql(sql) == "advisory" }
                    // Until the sockets are full: then the number stays.
                    var last = -1
                    try await fixture.until(.seconds(20)) {
                        defer { last = made.withLock { $0 } }
                        _ = try await fixture.psql("SELECT pg_sleep(0.2)")
                        return last == made.withLock { $0 }
                    }
                    #expect(made.withLock { $0 } < 2000)
                    copy.cancel()
                    let error = await #expect(throws: PostgresError.self) { _ = try await copy.value }
                    #expect(error?.code == .cancelled)
                    try await works(connection)
                }
            }
            #expect(try await fixture.psql("SELECT count(*) FROM t") == "0")
        }
    }

    @Test("nothing is loaded when a row cannot be sent, the source throws or the server refuses")
    func refusedRows() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int4 CHECK (a < 1000000), b date DEFAULT '2024-02-29')")
            try await fixture.withConnection { (connection) async throws in
                let rows = (1...20_000).map { Int32($0) }
                func failure(
                    _ format: PostgresCopyFormat, columns: [String] = ["a"], table: SQLText = "t",
                    _ encode: (inout CopyRowWriter, Int32) throws -> Void
                ) async throws -> (any Error)? {
                    do {
                        try await connection.copyIn(rows, into: table, columns: columns, format: format, encode)
                        return nil
                    } catch {
                        try await works(connection)
                        #expect(try await fixture.psql("SELECT count(*) FROM t") == "0")
                        return error
                    }
                }
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    let far = PostgresDate(daysSince1970: .min + 1)
                    let unsendable = try await failure(format, columns: ["a", "b"]) { row, number in
                        row.append(number, PostgresTimestamp(microsecondsSince1970: .min + 1))
                    }
                    #expect((unsendable as? PostgresError)?.code == .misuse)
                    if format == .binary {
                        let date = try await failure(format, columns: ["a", "b"]) { $0.append($1, far) }
                        #expect((date as? PostgresError)?.reason == "row 1: a date that is out of range")
                        let type = try await failure(format) { $0.append(Int($1)) }
                        #expect((type as? PostgresError)?.reason == "row 1: column \"a\" is of int4, not of int8")
                    }
                    let few = try await failure(format, columns: ["a", "b"]) { row, number in
                        row.append(number)
                        if number != 15_000 { row.append(PostgresDate.infinity) }
                    }
                    #expect((few as? PostgresError)?.reason == "row 15000 has 1 values, not 2")
                    let thrown = try await failure(format) { row, number in
                        if number == 15_000 { throw Enough() }
                        row.append(number)
                    }
                    #expect(thrown is Enough)
                    let check = try await failure(format) { $0.append($1 == 15_000 ? 1_000_000 : $1) }
                    #expect((check as? PostgresError)?.constraint == "t_a_check")
                    let column = try await failure(format, columns: ["a", "none"]) { $0.append($1, $1) }
                    #expect((column as? PostgresError)?.sqlState == "42703")
                    let table = try await failure(format, table: "nobody") { $0.append($1) }
                    #expect((table as? PostgresError)?.sqlState == .undefinedTable)
                    let none = try await failure(format, columns: []) { $0.append($1) }
                    #expect((none as? PostgresError)?.code == .misuse)
                }
                let source = AsyncThrowingStream<Int32, any Error> { continuation in
                    for number in rows { continuation.yield(number) }
                    continuation.finish(throwing: Enough())
                }
                await #expect(throws: Enough.self) {
                    try await connection.copyIn(source, into: "t", columns: ["a"]) { $0.append($1) }
                }
                try await works(connection)
                #expect(try await fixture.psql("SELECT count(*) FROM t") == "0")
                // A transaction around it has failed, and is still there.
                let failed = await #expect(throws: PostgresTransactionError.self) {
                    try await connection.withTransaction { transaction in
                        do {
                            try await transaction.copyIn(rows, into: "t", columns: ["a"]) { _, _ in throw Enough() }
                        } catch is Enough {
                            let state = await transaction.transactionState()
                            #expect(state == .failed)
                            try await transaction.run("SELECT 1")
                        }
                    }
                }
                #expect((failed?.body as? PostgresError)?.sqlState == "25P02")
                try await works(connection)
            }
        }
    }

    @Test("rows larger than a chunk, and names that need quotes, go both ways")
    func largeRows() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql(#"CREATE TABLE "Odd ""name" ("a b" text, "C" int4)"#)
            try await fixture.withConnection { (connection) async throws in
                let table = SQLText(identifier: #"Odd "name"#)
                let sizes = [0, 10_000_000, 1, 3_000_000]
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    try await connection.run("TRUNCATE " + table)
                    try await connection.copyIn(sizes, into: table, columns: ["a b", "C"], format: format) {
                        row, size in
                        row.append(String(repeating: "\n", count: size), Int32(size))
                    }
                    let rows = connection.rows(copying: "TABLE " + table, format: format) {
                        (row) throws(PostgresDecodingError) in
                        let text = try row.value("a b", as: String.self)
                        return (text: text.utf8.count, size: try row.value("C", as: Int32.self))
                    }
                    var seen: [Int] = []
                    for try await row in rows {
                        #expect(row.text == row.size)
                        seen.append(row.text)
                    }
                    #expect(seen == sizes)
                }
            }
        }
    }

    @Test("a column's name of more than 63 bytes is cut as the server cuts it")
    func longNames() async throws {
        try await Fixture.run { fixture in
            let name = String(repeating: "ü", count: 40)
            try await fixture.psql("CREATE TABLE t (\(name) int4)")
            try await fixture.withConnection { (connection) async throws in
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    let rows = [1, 2] as [Int32]
                    #expect(
                        try await connection.copyIn(rows, into: "t", columns: [name], format: format) { $0.append($1) }
                            == 2)
                }
            }
            #expect(try await fixture.psql("SELECT sum(a) FROM t AS t (a)") == "6")
        }
    }

    // MARK: Out

    @Test("a gigabyte for who takes three rows: the server waits", arguments: [.binary, .text] as [PostgresCopyFormat])
    func backPressure(format: PostgresCopyFormat) async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE SEQUENCE made")
            try await fixture.withConnection { (connection) async throws in
                let size = 1 << 20
                let rows = connection.rows(
                    copying: "SELECT nextval('made'), repeat('x', 1048576) FROM generate_series(1, 300)", format: format
                ) { (row) throws(PostgresDecodingError) in
                    (number: try row.next(Int.self), size: try row.next(String.self).utf8.count)
                }
                var iterator = rows.makeAsyncIterator()
                for number in 1...3 { #expect(try await iterator.next()?.number == number) }
                let sql = "SELECT wait_event FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
                try await fixture.until(.seconds(60)) { try await fixture.psql(sql) == "ClientWrite" }
                let stream = iterator.reader.stream
                let buffered = await connection.onLoop { _ in stream.value.stream?.bufferedBytes ?? -1 }
                #expect((0...2 * size + 64 * 1024).contains(buffered))
                let made = try #require(Int(try await fixture.psql("SELECT last_value FROM made")))
                #expect(made < 50)
                var count = 3
                while let row = try await iterator.next() {
                    count += 1
                    #expect(row.number == count && row.size == size)
                }
                #expect(count == 300)
                let largest = await connection.onLoop { _ in stream.value.stream?.largestBuffer ?? -1 }
                #expect((size...size + 64 * 1024).contains(largest))
                try await works(connection)
            }
        }
    }

    @Test("many small rows, rows without columns, and none at all")
    func smallRows() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    let rows = numbers(connection, "SELECT i::int4 FROM generate_series(1, 300000) AS i", format)
                    // Twice: each iteration runs it anew.
                    for _ in 0..<2 {
                        var iterator = rows.makeAsyncIterator()
                        var sum = 0
                        while let number = try await iterator.next() { sum += Int(number) }
                        #expect(sum == 300_000 * 300_001 / 2)
                        let stream = iterator.reader.stream
                        let largest = await connection.onLoop { _ in stream.value.stream?.largestBuffer ?? -1 }
                        #expect((1...RowBuffer.limit * 2).contains(largest))
                    }
                    let empty = connection.rows(copying: "SELECT FROM generate_series(1, 5)", format: format) {
                        (row) throws(PostgresDecodingError) in row.columnCount
                    }
                    var widths: [Int] = []
                    for try await width in empty { widths.append(width) }
                    #expect(widths == [0, 0, 0, 0, 0])
                    let (none, error) = await all(numbers(connection, "SELECT 1 WHERE false -- none", format))
                    #expect(none.isEmpty && error == nil)
                    try await works(connection)
                }
            }
        }
    }

    @Test("an error comes behind the rows before it, a column of another type is refused by its name")
    func errors() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int4)")
            try await fixture.withConnection { (connection) async throws in
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    let (seen, error) = await all(
                        numbers(connection, "SELECT i / (5000 - i) FROM generate_series(1, 10000) AS i", format))
                    #expect(seen.count == 4999 && error?.sqlState == "22012")
                    try await works(connection)
                    let (some, null) = await all(numbers(connection, "VALUES (1), (NULL), (3)", format))
                    #expect(some == [1] && null?.decoding?.reason == .null && null?.decoding?.column == "column1")
                    try await works(connection)
                    for (sql, state) in [
                        ("SELECT nothing", "42703"), ("INSERT INTO t VALUES (1) RETURNING a", "42601"),
                        ("SELECT 1; SELECT 2", "42601"), ("", "42601"),
                    ] as [(SQLText, SQLState)] {
                        let (none, error) = await all(numbers(connection, sql, format))
                        #expect(none.isEmpty && error?.sqlState == state, "\(sql)")
                        try await works(connection)
                    }
                    #expect(await all(numbers(connection, "SELECT nothing", format)).1?.position == 8)
                }
                let wide = await all(numbers(connection, "SELECT 1::int8 AS wide")).1?.decoding
                #expect(wide?.reason == .type(.int8) && wide?.column == "wide")
                let word = await all(numbers(connection, "SELECT 'word' AS word", .text)).1?.decoding
                #expect(word?.reason == .malformed && word?.column == "word")
                #expect(await all(numbers(connection, "SELECT 3000000000", .text)).1?.decoding?.reason == .outOfRange)
                try await works(connection)
            }
        }
    }

    @Test("columns that change before the copy begins are an error, and the server is stopped")
    func changedColumns() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE t (a int4); INSERT INTO t VALUES (1)")
            func untilWaiting(_ count: Int) async throws {
                let sql = "SELECT count(*) FROM pg_locks WHERE relation = 't'::regclass AND NOT granted"
                try await fixture.until(.seconds(20)) { try await fixture.psql(sql) == "\(count)" }
            }
            try await fixture.withConnection { (connection) async throws in
                try await fixture.withConnection { (holder) async throws in
                    try await fixture.withConnection { (owner) async throws in
                        for format in [.binary, .text] as [PostgresCopyFormat] {
                            try await holder.executeScript("BEGIN; LOCK TABLE t")
                            let rows = numbers(connection, "SELECT *, generate_series(1, 2000000000) FROM t", format)
                            let copy = Task { await all(rows) }
                            try await untilWaiting(1)
                            // It has its turn when the columns are known, before the copy.
                            let change = Task {
                                let column = SQLText(identifier: "\(format)")
                                try await owner.run("ALTER TABLE t ADD " + column + " int4")
                            }
                            try await untilWaiting(2)
                            try await holder.executeScript("COMMIT")
                            try await change.value
                            let (seen, error) = await copy.value
                            #expect(seen.isEmpty && error?.code == .misuse)
                            #expect(error?.reason?.hasSuffix("the columns have changed since the copy began") == true)
                            try await works(connection)
                        }
                    }
                }
            }
        }
    }

    @Test("who leaves early, is cancelled or runs out of time stops the server; a transaction goes on")
    func earlyEnd() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    let endless: SQLText = "SELECT generate_series(1, 2000000000)"
                    for try await number in numbers(connection, endless, format) where number >= 1000 { break }
                    try await works(connection)
                    try await connection.withTransaction { transaction in
                        let rows = numbers(transaction, "SELECT i::int4 FROM generate_series(1, 200000) AS i", format)
                        for try await number in rows where number >= 10 { break }
                        #expect(try await transaction.run("SELECT 1") == 1)
                        #expect(await transaction.transactionState() == .open)
                    }
                    let slow: SQLText = "SELECT i::int4 FROM generate_series(1, 3) AS i, pg_sleep(3600 * (i - 1))"
                    let task = Task { await all(numbers(connection, slow, format)) }
                    try await fixture.untilActive("pg_sleep")
                    task.cancel()
                    #expect(await task.value.1?.code == .cancelled)
                    try await works(connection)
                    let late = await all(numbers(connection, slow, format, timeout: .milliseconds(100)))
                    #expect(late.1?.code == .deadlineExceeded)
                    try await works(connection)

                    // While the columns are asked for.
                    try await fixture.psql("CREATE TABLE IF NOT EXISTS t (a int4)")
                    try await fixture.withConnection { (holder) async throws in
                        try await holder.executeScript("BEGIN; LOCK TABLE t")
                        let waiting = Task { await all(numbers(connection, "SELECT a FROM t", format)) }
                        try await fixture.untilActive("AS copied LIMIT 0")
                        waiting.cancel()
                        #expect(await waiting.value.1?.code == .cancelled)
                    }
                    try await works(connection)
                }
                try await fixture.psql("SELECT pg_terminate_backend(\(connection.backendPID), 5000)")
                let (_, lost) = await all(numbers(connection, "SELECT 1"))
                #expect(lost != nil)
            }
        }
    }
}
