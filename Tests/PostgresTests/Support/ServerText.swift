import Postgres
import Testing

/// A value that can go to the server and back, and that writes itself as the server does.
typealias ServerValue = PostgresEncodable & PostgresDecodable & Equatable & CustomStringConvertible

extension PostgresConnection {
    /// Checks that values the server makes of texts are read, write themselves as the server writes them, and are the
    /// same after they were sent back.
    func expectTexts<Value: ServerValue>(
        _ texts: [String], of type: String, as _: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let sql = SQLText(
            trusted: """
                SELECT v, format('%s', v)
                FROM unnest($1::text[]) WITH ORDINALITY AS t (text, n), CAST(text AS \(type)) AS v ORDER BY n
                """)
        let rows = try await query(sql, [texts]) { (row) throws(PostgresDecodingError) in
            (value: try row.next(Value.self), text: try row.next(String.self))
        }
        #expect(rows.count == texts.count, sourceLocation: sourceLocation)
        for row in rows { #expect(row.value.description == row.text, sourceLocation: sourceLocation) }
        try await expectValues(rows.map(\.value), of: type, sourceLocation: sourceLocation)
    }

    /// Checks that values are written by the server as they write themselves, one by one and in an array, and come back
    /// as they went.
    func expectValues<Value: ServerValue>(
        _ values: [Value], of type: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let array = SQLText(
            trusted: """
                SELECT v, format('%s', v) FROM unnest($1::\(type)[]) WITH ORDINALITY AS t (v, n) ORDER BY n
                """)
        let rows = try await query(array, [values]) { (row) throws(PostgresDecodingError) in
            (value: try row.next(Value.self), text: try row.next(String.self))
        }
        #expect(rows.map(\.value) == values, sourceLocation: sourceLocation)
        #expect(rows.map(\.text) == values.map(\.description), sourceLocation: sourceLocation)
        let all = try await read(SQLText(trusted: "SELECT $1::\(type)[]"), [values], as: [Value].self)
        #expect(all == values, sourceLocation: sourceLocation)

        let withNull: [Value?] = [values.first, nil]
        let nulls = try await read(SQLText(trusted: "SELECT $1::\(type)[]"), [withNull], as: [Value?].self)
        #expect(nulls == withNull, sourceLocation: sourceLocation)

        for value in values.prefix(10) {
            let one = SQLText(trusted: "SELECT $1::\(type), format('%s', $1::\(type)), pg_typeof($1)::text")
            let row = try await query(one, [value]) { (row) throws(PostgresDecodingError) in
                (value: try row.next(Value.self), text: try row.next(String.self), type: try row.next(String.self))
            }.first
            #expect(row?.value == value, sourceLocation: sourceLocation)
            #expect(row?.text == value.description, sourceLocation: sourceLocation)
            #expect(row?.type == type, sourceLocation: sourceLocation)
        }
    }

    /// Reads the one column of a query's one row.
    func read<Value: PostgresDecodable>(
        _ sql: SQLText, _ parameters: [any PostgresEncodable] = [], as _: Value.Type = Value.self
    ) async throws -> Value {
        let rows = try await query(sql, parameters) { (row) throws(PostgresDecodingError) in
            try row.next(Value.self)
        }
        return try #require(rows.first)
    }

    /// Why the one column of a query's one row cannot be read.
    func refusal<Value: PostgresDecodable>(
        _ sql: SQLText, as _: Value.Type
    ) async -> PostgresDecodingError? {
        do throws(PostgresError) {
            _ = try await query(sql) { (row) throws(PostgresDecodingError) in try row.next(Value.self) }
            return nil
        } catch {
            return error.decoding
        }
    }

    /// What a query fails with.
    func failure(_ sql: SQLText, _ parameters: [any PostgresEncodable]) async -> PostgresError? {
        do throws(PostgresError) {
            try await run(sql, parameters)
            return nil
        } catch {
            return error
        }
    }
}
