import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("Values")
struct CodecTests {
    /// Sends a value to the server and back.
    private func expectRoundTrip<Value: PostgresEncodable & PostgresDecodable & Equatable>(
        _ values: [Value], of type: String, on connection: PostgresConnection,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for value in values {
            let text = SQLText(trusted: "SELECT $1::\(type), pg_typeof($1)::text")
            let rows = try await connection.query(text, [value]) { (row) throws(PostgresDecodingError) in
                (try row.next(Value.self), try row.next(String.self))
            }
            #expect(rows.first?.0 == value, sourceLocation: sourceLocation)
            #expect(rows.first?.1 == type, sourceLocation: sourceLocation)
        }
    }

    @Test("of every type come back as they went")
    func roundTrips() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await expectRoundTrip([Int16.min, -1, 0, 1, .max], of: "smallint", on: connection)
                try await expectRoundTrip([Int32.min, -1, 0, 1, .max], of: "integer", on: connection)
                try await expectRoundTrip([Int64.min, -1, 0, 1, .max], of: "bigint", on: connection)
                try await expectRoundTrip([Int.min, 42], of: "bigint", on: connection)
                try await expectRoundTrip([true, false], of: "boolean", on: connection)
                try await expectRoundTrip([0.1, -.infinity, 1e300], of: "double precision", on: connection)
                try await expectRoundTrip([0.1, -.infinity, 1e30] as [Float], of: "real", on: connection)
                try await expectRoundTrip(["", "a'b\\c\"", "ünïcødé 🎲", "x\ny"], of: "text", on: connection)
                try await expectRoundTrip(
                    [[], [0, 1, 255], Array(repeating: 7, count: 100_000)] as [[UInt8]], of: "bytea", on: connection)
                try await expectRoundTrip(
                    [PostgresUUID.random(), PostgresUUID(high: 0, low: .max)], of: "uuid", on: connection)
                try await expectRoundTrip([PostgresJSONBValue(["a": [2], "b": []])], of: "jsonb", on: connection)
                try await expectRoundTrip(
                    [
                        PostgresTimestamp(microsecondsSince1970: 1), .init(microsecondsSince1970: -1), .infinity,
                        .negativeInfinity,
                    ],
                    of: "timestamp with time zone", on: connection)
            }
        }
    }

    @Test("may be NULL, and arrays may hold NULL")
    func nullsAndArrays() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await expectRoundTrip([nil, 7] as [Int32?], of: "integer", on: connection)
                try await expectRoundTrip([nil, ""] as [String?], of: "text", on: connection)
                try await expectRoundTrip([[], [1, -2, 3]] as [[Int32]], of: "integer[]", on: connection)
                try await expectRoundTrip([["a", nil, "", "ß"]] as [[String?]], of: "text[]", on: connection)
                try await expectRoundTrip([[[1], [], [2, 3]]] as [[[UInt8]]], of: "bytea[]", on: connection)
                try await expectRoundTrip([[PostgresUUID.random()]], of: "uuid[]", on: connection)
                try await expectRoundTrip([[true, false]], of: "boolean[]", on: connection)
                try await expectRoundTrip([[Int64.max]], of: "bigint[]", on: connection)
                try await expectRoundTrip([[Int16(3)]], of: "smallint[]", on: connection)
                try await expectRoundTrip([[0.5, nil]] as [[Float?]], of: "real[]", on: connection)
                try await expectRoundTrip(
                    [[PostgresTimestamp(microsecondsSince1970: 0)]], of: "timestamp with time zone[]", on: connection)
                try await expectRoundTrip([[PostgresJSONBValue(1)]], of: "jsonb[]", on: connection)
                try await expectRoundTrip([nil, [1]] as [[Int32]?], of: "integer[]", on: connection)
            }
        }
    }

    @Test("are text in PostgreSQL's own notation when it is asked")
    func meanings() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                let uuid = try #require(PostgresUUID("00112233-4455-6677-8899-AABBCCDDEEFF"))
                let time = PostgresTimestamp(microsecondsSince1970: 951_868_800_000_001)
                let values: [any PostgresEncodable] = [
                    uuid, time, [Int32(1), nil], [UInt8(255)], PostgresJSONBValue([1, 2]),
                ]
                try await connection.executeScript("SET timezone TO 'UTC'")
                let rows = try await connection.query("SELECT $1::text, $2::text, $3::text, $4::text, $5::text", values)
                {
                    (row) throws(PostgresDecodingError) in
                    [try row.next(String.self), try row.next(), try row.next(), try row.next(), try row.next()]
                }
                #expect(
                    rows.first == [
                        "00112233-4455-6677-8899-aabbccddeeff", "2000-03-01 00:00:00.000001+00", "{1,NULL}", "\\xff",
                        "[1, 2]",
                    ])
                #expect(uuid.description == "00112233-4455-6677-8899-aabbccddeeff")
            }
        }
    }

    @Test("of a wider or another type are refused by the column's name")
    func wrongTypes() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                func reason<Value: PostgresDecodable>(_ sql: SQLText, _: Value.Type) async -> PostgresDecodingError? {
                    do throws(PostgresError) {
                        _ = try await connection.query(sql) { (row) throws(PostgresDecodingError) in
                            try row.next(Value.self)
                        }
                        return nil
                    } catch {
                        return error.decoding
                    }
                }
                #expect(await reason("SELECT 1::bigint AS a", Int32.self)?.reason == .type(.int8))
                #expect(await reason("SELECT 1::smallint AS a", Int64.self) == nil)
                #expect(await reason("SELECT 1::real AS a", Double.self) == nil)
                #expect(await reason("SELECT 1::float8 AS a", Float.self)?.reason == .type(.float8))
                #expect(await reason("SELECT NULL::int AS a", Int32.self)?.reason == .null)
                #expect(await reason("SELECT ARRAY[1, NULL] AS a", [Int32].self)?.reason == .null)
                #expect(
                    await reason("SELECT 1 AS a", String.self)?.description
                        == #"column 0 "a" is of int4, expected String"#)
                #expect(await reason("SELECT 'x'::bytea AS a", String.self)?.column == "a")
                #expect(await reason("SELECT", Int32.self)?.reason == .missingColumn)
                #expect(await reason("SELECT 1.5 AS a", Double.self)?.description.contains("numeric") == true)
                #expect(await reason("SELECT 'a'::\"char\" AS a", UInt8.self) == nil)
                #expect(await reason("SELECT 'a'::name AS a", String.self) == nil)
                #expect(await reason("SELECT 1::oid AS a", Int64.self) == nil)
            }
        }
    }

    @Test("an enum made in the database is text")
    func enums() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { connection in
                try await connection.executeScript("CREATE TYPE mood AS ENUM ('sad', 'happy')")
                let rows = try await connection.query("SELECT ($1::text)::mood", ["happy"]) {
                    (row) throws(PostgresDecodingError) in try row.next(String.self)
                }
                #expect(rows == ["happy"])
            }
        }
    }

    @Test(
        "a UUID is 32 digits in five groups",
        arguments: [
            "", "0", "00112233445566778899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeefg",
            "00112233-4455-6677-8899-aabbccddeeff0",
            "0011223-34455-6677-8899-aabbccddeeff",
        ])
    func badUUID(text: String) { #expect(PostgresUUID(text) == nil) }

    @Test("SQL text is a literal, or vouched for, or a quoted name")
    func sqlText() {
        #expect(("SELECT " + SQLText(identifier: #"we"ird"#)).text == #"SELECT "we""ird""#)
    }

    @Test("SQLSTATEs have five digits or capital letters")
    func sqlStates() {
        #expect(SQLState("2350" + "5") == .uniqueViolation)
        #expect(SQLState.uniqueViolation.classCode == "23")
        #expect(SQLState.serializationFailure.isTransactionRollback)
        #expect(!SQLState.uniqueViolation.isTransactionRollback)
        for text in ["", "2350", "235055", "2350a", "23 05"] { #expect(SQLState(text) == nil) }
    }
}
