import Postgres
import Testing

@Suite("Raw values")
struct RawValueTests {
    enum Mood: String, PostgresEncodable, PostgresDecodable { case sad, happy }
    enum Level: Int32, PostgresEncodable, PostgresDecodable { case easy = 1, hard }
    enum Grade: UInt8, PostgresEncodable, PostgresDecodable { case a = 97, b }
    struct Rights: OptionSet, PostgresEncodable, PostgresDecodable {
        let rawValue: Int
        static let read = Rights(rawValue: 1)
        static let write = Rights(rawValue: 2)
    }
    struct Token: RawRepresentable, PostgresEncodable, PostgresDecodable, Equatable { let rawValue: PostgresUUID }
    struct Path: RawRepresentable, PostgresEncodable, PostgresDecodable, Equatable { let rawValue: [Int32] }

    /// Stores and finds by an enum of the database.
    private struct Remember: Statement {
        var sql: StaticString { "INSERT INTO moods (mood, before) VALUES ($1, $2) RETURNING mood, before" }
        let mood: Mood
        let before: Mood?

        func bind(to parameters: inout Parameters) {
            parameters.append(mood)
            parameters.append(before)
        }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [Mood?] {
            [try row.next(Mood.self), try row.next(Mood?.self)]
        }
    }

    @Test("are an enum of the database by their labels, without a cast")
    func enums() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.executeScript(
                    """
                    CREATE TYPE mood AS ENUM ('sad', 'happy', 'bored');
                    CREATE TABLE moods (mood mood NOT NULL, before mood, all_of_them mood[], note text)
                    """)
                #expect(try await connection.first(Remember(mood: .happy, before: .sad)) == [.happy, .sad])
                #expect(try await connection.first(Remember(mood: .sad, before: nil)) == [.sad, nil])
                #expect(try await connection.read("SELECT count(*) FROM moods WHERE mood = $1", [Mood.happy]) == 1)
                // A text column takes the same value.
                try await connection.run("UPDATE moods SET note = $1", [Mood.sad])
                #expect(try await connection.read("SELECT DISTINCT note FROM moods", as: Mood.self) == .sad)
                // An array's elements need a type, so an array of an enum takes a cast; one of texts does not.
                try await connection.run("UPDATE moods SET all_of_them = $1::mood[]", [[Mood.happy, nil, .sad]])
                #expect(
                    try await connection.read("SELECT all_of_them FROM moods LIMIT 1", as: [Mood?].self)
                        == [.happy, nil, .sad])
                #expect(try await connection.read("SELECT $1", [[[Mood.sad], [.happy]]]) == [[Mood.sad], [.happy]])
                #expect(await connection.refusal("SELECT 'bored'::mood", as: Mood.self)?.reason == .outOfRange)
                #expect(await connection.refusal("SELECT NULL::mood", as: Mood.self)?.reason == .null)
                #expect(await connection.refusal("SELECT 1", as: Mood.self)?.reason == .type(.int4))
            }
        }
    }

    @Test("of numbers, bytes, other values and arrays travel as these")
    func others() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                #expect(try await connection.read("SELECT $1", [Level.hard]) == Level.hard)
                #expect(try await connection.read("SELECT pg_typeof($1)::text", [Level.hard]) == "integer")
                #expect(
                    try await connection.read("SELECT $1", [[Level.hard, nil]], as: [Level?].self) == [.hard, nil])
                #expect(try await connection.read("SELECT $1::text", [[[Level.easy], [.hard]]]) == "{{1},{2}}")
                #expect(await connection.refusal("SELECT 3", as: Level.self)?.reason == .outOfRange)
                #expect(await connection.refusal("SELECT 1::bigint", as: Level.self)?.reason == .type(.int8))
                #expect(try await connection.read("SELECT $1::text", [Grade.b]) == "b")
                #expect(try await connection.read("SELECT $1", [[Grade.a, .b]]) == [Grade.a, .b])
                #expect(try await connection.read("SELECT $1::text", [[Grade.a, .b]]) == "{a,b}")
                #expect(try await connection.read("SELECT $1", [[97, nil] as [UInt8?]]) == [97, nil] as [UInt8?])
                #expect(
                    try await connection.read("SELECT $1", [[.read, .write] as Rights]) == [.read, .write] as Rights)
                let token = Token(rawValue: .random())
                #expect(try await connection.read("SELECT $1", [token]) == token)
                let path = Path(rawValue: [1, 2])
                #expect(try await connection.read("SELECT $1", [path]) == path)
                #expect(try await connection.read("SELECT $1", [[path, path]]) == [path, path])
            }
        }
    }
}
