import Postgres
import TestSupport
import Testing

@Suite("Streams")
struct StreamTests {
    private struct Enough: Error {}

    private func stream(
        _ connection: PostgresConnection, upTo end: Int32, chunk: Int = 1, _ body: ([Int32]) async throws -> Void
    ) async throws {
        try await connection.stream(
            "SELECT i FROM generate_series(1, $1) AS i", [end], chunk: chunk,
            decode: { (row) throws(PostgresDecodingError) in try row.next(Int32.self) }, body)
    }

    private func openCursors(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.query("SELECT name FROM pg_cursors WHERE name <> '' ORDER BY name") {
            (row) throws(PostgresDecodingError) in try row.next(String.self)
        }
    }

    @Test("a stream that is left early closes its cursor and leaves the transaction usable")
    func leftEarly() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await connection.withTransaction { transaction in
                    for _ in 0..<3 {
                        await #expect(throws: Enough.self) {
                            try await stream(transaction, upTo: 10) { _ in throw Enough() }
                        }
                        #expect(await transaction.transactionState() == .open)
                        let cursors = try await openCursors(transaction)
                        #expect(cursors.isEmpty)
                    }
                }
            }
        }
    }

    @Test("streams lie within each other and side by side, with and without a transaction around them")
    func several() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                var seen: [Int32] = []
                func nested() async throws {
                    seen = []
                    try await stream(connection, upTo: 3) { outer in
                        await #expect(throws: Enough.self) {
                            try await stream(connection, upTo: 5) { _ in throw Enough() }
                        }
                        try await stream(connection, upTo: 2) { inner in seen += inner.map { outer[0] * 10 + $0 } }
                    }
                    #expect(seen == [11, 12, 21, 22, 31, 32])
                }
                try await nested()
                #expect(await connection.transactionState() == .idle)
                try await connection.executeScript("BEGIN")
                try await nested()
                try await withThrowingTaskGroup(of: Int32.self) { group in
                    for end in 1...5 as ClosedRange<Int32> {
                        group.addTask {
                            var sum: Int32 = 0
                            try await stream(connection, upTo: end) { sum += $0[0] }
                            return sum
                        }
                    }
                    let sums = try await group.reduce(into: []) { $0.append($1) }
                    #expect(sums.sorted() == [1, 3, 6, 10, 15])
                }
                #expect(try await openCursors(connection).isEmpty)
                try await connection.executeScript("COMMIT")
            }
        }
    }

    @Test("a failed or cancelled stream leaves a transaction failed, its own ended, and the next one runs")
    func failures() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                for isOpen in [true, false] {
                    if isOpen { try await connection.executeScript("BEGIN") }
                    let refused = await #expect(throws: PostgresError.self) {
                        try await connection.stream(
                            "SELECT nonsense",
                            decode: { (row) throws(PostgresDecodingError) in try row.next(Int32.self) }
                        ) { _ in }
                    }
                    #expect(refused?.sqlState == "42703")
                    #expect(await connection.transactionState() == (isOpen ? .failed : .idle))
                    if isOpen { try await connection.executeScript("ROLLBACK; BEGIN") }
                    let task = Task {
                        try await stream(connection, upTo: 10) { _ in withUnsafeCurrentTask { $0?.cancel() } }
                    }
                    let cancelled = await #expect(throws: PostgresError.self) { try await task.value }
                    #expect(cancelled?.code == .cancelled)
                    #expect(await connection.transactionState() == (isOpen ? .open : .idle))
                    #expect(try await openCursors(connection).isEmpty)
                    if isOpen { try await connection.executeScript("ROLLBACK") }
                    try await stream(connection, upTo: 1) { #expect($0 == [1]) }
                }
            }
        }
    }

    @Test("a cursor that its savepoint took with it is not missed")
    func savepoints() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await connection.withTransaction { transaction in
                    await #expect(throws: PostgresTransactionError.self) {
                        try await transaction.withTransaction { inner in
                            try await stream(inner, upTo: 3) { _ in try await inner.run("SELECT 1 / 0") }
                        }
                    }
                    try await stream(transaction, upTo: 1) { #expect($0 == [1]) }
                }
            }
        }
    }
}
