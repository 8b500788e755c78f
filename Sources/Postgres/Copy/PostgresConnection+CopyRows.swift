extension PostgresConnection {
    /// Loads rows of typed values with `COPY … FROM STDIN` in constant memory: the next rows are asked for when the socket has
    /// taken the last, some 64 KiB at a time.
    ///
    /// ```swift
    /// try await connection.copyIn(players, into: "players", columns: ["id", "points"]) { row, player in
    ///     row.append(player.id, player.points)
    /// }
    /// ```
    ///
    /// In ``PostgresCopyFormat/binary`` the server converts nothing, so each value has to be of its column's type: the types
    /// are looked up first, in a statement of its own, and compared.
    ///
    /// - Parameters:
    ///   - rows: What is loaded, in order.
    ///   - table: The table's name as SQL, such as `"players"` or `SQLText(identifier: name)`.
    ///   - columns: The columns' names, at least one. Columns that are not named get their defaults.
    ///   - format: How the rows travel.
    ///   - timeout: From the call to the last answer; `nil`, the default: no limit. It does not interrupt `rows`.
    ///   - encode: Appends one row's values, one for each column in their order.
    /// - Returns: How many rows were loaded.
    /// - Throws: What `rows` or `encode` throws; ``PostgresError``, among them `.misuse` for a value that cannot be sent or
    ///   is not of its column's type, and for a row with more or fewer values than columns. Nothing was loaded then, unless
    ///   it is `.outcomeUnknown`. A transaction that was open before is failed, and still open.
    @discardableResult
    public func copyIn<Rows: AsyncSequence>(
        _ rows: Rows, into table: SQLText, columns: [String], format: PostgresCopyFormat = .binary,
        timeout: Duration? = nil, _ encode: (inout CopyRowWriter, Rows.Element) throws -> Void
    ) async throws -> Int {
        var iterator = rows.makeAsyncIterator()
        return try await copyIn(into: table, columns, format, timeout) { writer, number in
            guard let row = try await iterator.next(isolation: #isolation) else { return false }
            try writer.appendRow(number) { try encode(&$0, row) }
            return true
        }
    }

    /// Loads rows of a plain sequence. Otherwise as for an asynchronous one.
    @discardableResult
    public func copyIn<Rows: Sequence>(
        _ rows: Rows, into table: SQLText, columns: [String], format: PostgresCopyFormat = .binary,
        timeout: Duration? = nil, _ encode: (inout CopyRowWriter, Rows.Element) throws -> Void
    ) async throws -> Int {
        var iterator = rows.makeIterator()
        return try await copyIn(into: table, columns, format, timeout) { writer, number in
            guard let row = iterator.next() else { return false }
            try writer.appendRow(number) { try encode(&$0, row) }
            return true
        }
    }

    /// The rows of a query, by `COPY … TO STDOUT`, one after the other in constant memory.
    ///
    /// All that is said of ``rows(_:_:timeout:decode:)`` holds: each iteration runs the query anew, the server waits while
    /// nobody takes rows, who leaves early has nothing to tidy up. The rows come with the columns' names and types, which the
    /// server is asked for first, one more round trip. `COPY` takes no parameters.
    ///
    /// - Parameters:
    ///   - query: One `SELECT`, `VALUES` or `TABLE` that changes nothing.
    ///   - format: How the rows travel. In ``PostgresCopyFormat/text`` dates and times are read in the server's default styles
    ///     (`datestyle` ISO, `intervalstyle` postgres).
    ///   - timeout: From the first call of `next` to the last row; `nil`, the default: no limit.
    ///   - decode: Reads one row, in the task that iterates.
    public func rows<Row: Sendable>(
        copying query: SQLText, format: PostgresCopyFormat = .binary, timeout: Duration? = nil,
        decode: @escaping @Sendable (inout RowDecoder) throws(PostgresDecodingError) -> Row
    ) -> PostgresRowSequence<Row> {
        PostgresRowSequence(
            connection: self, timeout: timeout,
            source: { (_) throws(PostgresError) in CopyRowStream(query.text, format: format) }, decode: decode)
    }

    /// How many bytes of rows are gathered before they are sent.
    private static var chunkSize: Int { 64 * 1024 }

    /// - Parameter appendRow: Appends the next row, told its number from 1; `false`: there is none.
    private func copyIn(
        into table: SQLText, _ names: [String], _ format: PostgresCopyFormat, _ timeout: Duration?,
        _ appendRow: (inout CopyRowWriter, Int) async throws -> Bool
    ) async throws -> Int {
        guard !names.isEmpty else { throw PostgresError(.misuse, reason: "a copy without columns") }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var columns = names.map { CopyRowWriter.Column(name: $0) }
        if format == .binary { columns = try await types(of: columns, in: table, timeout: timeout) }
        var writer = CopyRowWriter(columns: columns, format: format, types: await onLoop { $0.connection.types })
        var (number, isOver) = (0, false)
        let list = names.map { SQLText(identifier: $0).text }.joined(separator: ", ")
        let sql = SQLText(trusted: "COPY \(table.text) (\(list)) FROM STDIN \(format.option)")
        return try await copyIn(sql, timeout: deadline.map { ContinuousClock.now.duration(to: $0) }) {
            while !isOver, writer.byteCount < Self.chunkSize {
                number += 1
                isOver = try await !appendRow(&writer, number)
                if isOver { writer.end() }
            }
            return writer.take()
        }
    }

    /// Looks up the types of a table's columns; of a domain the type that it is over. One that is not there keeps none.
    private func types(
        of columns: [CopyRowWriter.Column], in table: SQLText, timeout: Duration?
    ) async throws(PostgresError) -> [CopyRowWriter.Column] {
        let sql: SQLText = """
            WITH RECURSIVE base (number, name, type) AS (
                SELECT number, name, atttypid
                FROM pg_catalog.unnest($2) WITH ORDINALITY AS named (name, number)
                LEFT JOIN pg_catalog.pg_attribute ON attrelid = $1::text::regclass
                    AND attname = named.name::pg_catalog.name AND attnum > 0
              UNION ALL
                SELECT number, name, typbasetype
                FROM base JOIN pg_catalog.pg_type ON oid = type WHERE typtype = 'd')
            SELECT name, coalesce(type, 0) FROM base LEFT JOIN pg_catalog.pg_type ON oid = type
            WHERE typtype IS DISTINCT FROM 'd' ORDER BY number
            """
        return try await query(sql, [table.text, columns.map(\.name)], timeout: timeout) {
            (row) throws(PostgresDecodingError) in
            CopyRowWriter.Column(name: try row.next(String.self), type: PostgresType(oid: try row.next(UInt32.self)))
        }
    }
}
