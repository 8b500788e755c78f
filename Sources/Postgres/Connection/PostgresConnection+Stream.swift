extension PostgresConnection {
    /// Reads any number of rows in constant memory, by a cursor: the next rows are fetched when the last are dealt with.
    ///
    /// All rows are of one snapshot. The cursor needs a transaction; without an open one the call makes its own, and other
    /// calls on the session meanwhile are part of it.
    ///
    /// - Parameters:
    ///   - sql: One `SELECT`.
    ///   - chunk: How many rows are fetched at a time.
    ///   - body: Gets the rows in order, 1 to `chunk` at a time.
    /// - Throws: ``PostgresError``, or what `body` throws. The transaction of the call's own is ended; one that was open
    ///   before is left as the error left it.
    public func stream<Row: Sendable>(
        _ sql: SQLText, _ parameters: [any PostgresEncodable] = [], chunk: Int = 1000,
        decode: (inout RowDecoder) throws(PostgresDecodingError) -> Row,
        _ body: ([Row]) async throws -> Void
    ) async throws {
        let isOwn = await transactionState() == .idle
        if isOwn { try await executeScript("BEGIN READ ONLY") }
        do {
            try await run("DECLARE postgres_stream NO SCROLL CURSOR FOR " + sql, parameters)
            let fetch = SQLText(trusted: "FETCH FORWARD \(max(1, chunk)) FROM postgres_stream")
            while true {
                let rows = try await query(fetch, decode: decode)
                if rows.isEmpty { break }
                try await body(rows)
            }
            try await run("CLOSE postgres_stream")
            if isOwn { try await executeScript("COMMIT") }
        } catch {
            // Also when the task is cancelled; a lost session has nothing to roll back.
            if isOwn { await Task { try? await executeScript("ROLLBACK") }.value }
            throw error
        }
    }
}
