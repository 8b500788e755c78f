import Postgres
import Testing

extension PostgresConnection {
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
