import Postgres
import Testing

@Suite("Composite values")
struct CompositeTests {
    /// A type that stands for a composite, and reads all its fields.
    private struct Place: PostgresDecodable, Equatable {
        var name: String
        var rank: Int32?
        var isOpen: Bool

        init(name: String, rank: Int32?, isOpen: Bool) {
            self.name = name
            self.rank = rank
            self.isOpen = isOpen
        }

        init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
            var fields = CompositeReader()
            name = try fields.next(in: bytes)
            rank = try fields.next(in: bytes)
            isOpen = try fields.next(in: bytes)
        }
    }

    /// Its first field alone.
    private struct Name: PostgresDecodable {
        let name: String

        init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
            var fields = CompositeReader()
            name = try fields.next(in: bytes)
        }
    }

    /// Runs a closure with a session of a database that has the type `place`.
    private func withPlaces(_ body: @Sendable (PostgresConnection) async throws -> Void) async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TYPE place AS (name text, rank integer, is_open boolean)")
            try await fixture.withConnection(body)
        }
    }

    /// Reads the one column of a statement's one row.
    private func read<Value: PostgresDecodable & Sendable>(
        _ sql: SQLText, as _: Value.Type = Value.self, on connection: PostgresConnection
    ) async throws -> Value? {
        try await connection.query(sql) { (row) throws(PostgresDecodingError) in try row.next(Value.self) }.first
    }

    /// Why it cannot be read.
    private func reason<Value: PostgresDecodable & Sendable>(
        _ sql: SQLText, as type: Value.Type, on connection: PostgresConnection
    ) async -> PostgresDecodingError.Reason? {
        do {
            _ = try await read(sql, as: type, on: connection)
            return nil
        } catch {
            return (error as? PostgresError)?.decoding?.reason
        }
    }

    @Test("are read field by field, NULL where a field may be")
    func fields() async throws {
        try await withPlaces { (connection) async throws in
            #expect(
                try await read("SELECT ROW('ünïcødé 🎲', -7, true)::place", on: connection)
                    == Place(name: "ünïcødé 🎲", rank: -7, isOpen: true))
            #expect(
                try await read("SELECT ROW('', NULL, false)::place", on: connection)
                    == Place(name: "", rank: nil, isOpen: false))
            #expect(
                try await read("SELECT ROW(repeat('x', 100000), 0, true)::place", as: Place.self, on: connection)?.name
                    .utf8.count == 100_000)
            // A whole composite that is NULL, several in an array, one that no type names.
            #expect(try await read("SELECT NULL::place", as: Place?.self, on: connection) == .some(nil))
            #expect(
                try await read("SELECT ROW('x', 1, true)", on: connection) == Place(name: "x", rank: 1, isOpen: true))
            // Who wants fewer fields reads fewer.
            #expect(try await read("SELECT ROW('x', 1, true)::place", as: Name.self, on: connection)?.name == "x")
        }
    }

    @Test("that are not what was expected say why")
    func misfits() async throws {
        try await withPlaces { (connection) async throws in
            #expect(await reason("SELECT ROW(NULL, 1, true)::place", as: Place.self, on: connection) == .null)
            #expect(await reason("SELECT ROW('x', 1, NULL)::place", as: Place.self, on: connection) == .null)
            #expect(await reason("SELECT NULL::place", as: Place.self, on: connection) == .null)
            #expect(await reason("SELECT ROW('x'::text, 1)", as: Place.self, on: connection) == .missingColumn)
            #expect(await reason("SELECT ROW()", as: Name.self, on: connection) == .missingColumn)
            #expect(await reason("SELECT ROW(1, 1, true)", as: Place.self, on: connection) == .type(.int4))
            #expect(
                await reason("SELECT ROW('x'::text, 1::bigint, true)", as: Place.self, on: connection) == .type(.int8))
        }
    }

    @Test("cut short anywhere are malformed or lack a field, and trap nobody")
    func truncated() async throws {
        try await withPlaces { (connection) async throws in
            let sent = try await read(
                "SELECT record_send(ROW('abc', 5, true)::place)", as: [UInt8].self, on: connection)
            let bytes = try #require(sent)
            let record = PostgresType(oid: 2249)
            #expect(
                try Place(binary: bytes.span, type: record) == Place(name: "abc", rank: 5, isOpen: true))
            // Four bytes of a count; then each field, its type and length in eight bytes before it.
            let ends = [4, 15, 27]
            #expect(bytes.count == 36)
            for count in 0..<bytes.count {
                let found = #expect(throws: PostgresDecodingError.Reason.self) {
                    try Place(binary: Array(bytes[..<count]).span, type: record)
                }
                #expect(found == (ends.contains(count) ? .missingColumn : .malformed), "\(count) bytes")
            }
            // A length that leads beyond the end.
            var lying = bytes
            lying[11] = 200
            #expect(throws: PostgresDecodingError.Reason.malformed) { try Place(binary: lying.span, type: record) }
            lying[8] = 0x7F
            #expect(throws: PostgresDecodingError.Reason.malformed) { try Place(binary: lying.span, type: record) }
        }
    }
}
