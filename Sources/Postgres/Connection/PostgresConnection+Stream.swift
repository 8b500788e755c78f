import EventLoop

extension PostgresConnection {
    /// Reads any number of rows in constant memory, by a cursor: the next rows are fetched when the last are dealt
    /// with.
    ///
    /// All rows are of one snapshot. The cursor needs a transaction; without an open one the call makes its own, and
    /// other calls on the session meanwhile are part of it, among them further streams. Each has a cursor of its own.
    ///
    /// - Parameters:
    ///   - sql: One `SELECT`.
    ///   - parameters: The values of `$1`, `$2` ...
    ///   - chunk: How many rows are fetched at a time.
    ///   - decode: Reads one row.
    ///   - body: Gets the rows in order, 1 to `chunk` at a time.
    /// - Throws: ``PostgresError``, or what `body` throws. The transaction of the call's own is ended; one that was
    ///   open before is left as the error left it, without the cursor.
    public func stream<Row: Sendable>(
        _ sql: SQLText, _ parameters: [any PostgresEncodable] = [], chunk: Int = 1000,
        decode: (inout RowDecoder) throws(PostgresDecodingError) -> Row,
        _ body: ([Row]) async throws -> Void
    ) async throws {
        let isOwn = await transactionState() == .idle
        if isOwn { try await controlTransaction("BEGIN READ ONLY") }
        let number = scopes.withLock { $0.takeCursor() }
        defer { scopes.withLock { $0.releaseCursor(number) } }
        let cursor = SQLText(trusted: "stream_\(number)")
        do {
            try await run("DECLARE " + cursor + " NO SCROLL CURSOR FOR " + sql, parameters)
            let fetch = SQLText(trusted: "FETCH FORWARD \(max(1, chunk)) FROM ") + cursor
            while true {
                let rows = try await query(fetch, decode: decode)
                if rows.isEmpty { break }
                try await body(rows)
            }
            try await run("CLOSE " + cursor)
            if isOwn { try await controlTransaction("COMMIT") }
        } catch {
            // Also when the task is cancelled; a lost session has nothing to undo.
            await Task { await abandon(cursor, isOwn: isOwn) }.value
            throw error
        }
    }

    /// Ends a cursor that is not read to its end. With its transaction it is gone.
    private func abandon(_ cursor: SQLText, isOwn: Bool) async {
        if isOwn {
            do { try await controlTransaction("ROLLBACK", timeout: .seconds(5)) } catch { await close() }
        } else if await transactionState() == .open {
            // If it was never declared, closing it would fail the transaction.
            let isOpen = try? await query(
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_cursors WHERE name = $1)", [cursor.text],
                timeout: .seconds(5)
            ) { (row) throws(PostgresDecodingError) in try row.next(Bool.self) }
            if isOpen == [true] { _ = try? await run("CLOSE " + cursor, timeout: .seconds(5)) }
        }
    }
}
