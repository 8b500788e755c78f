import Postgres
import Testing

@Suite("Values as JSON")
struct JSONValueTests {
    struct Profile: Codable, Hashable, Sendable {
        var name: String
        var wins: Int?
        var tags: [String]
    }

    private let profiles = [
        Profile(name: "Juliet \"J\" ünïcødé 🎲\n", wins: 3, tags: ["a", "b"]), Profile(name: "", wins: nil, tags: []),
    ]

    @Test("come back as they went, alone and in arrays")
    func roundTrip() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                for profile in profiles {
                    let value = PostgresJSONBValue(profile)
                    #expect(try await connection.read("SELECT $1", [value]) == value)
                    #expect(try await connection.read("SELECT $1::json", [value]) == value)
                    #expect(try await connection.read("SELECT $1 ->> 'name'", [value]) == profile.name)
                }
                #expect(try await connection.read("SELECT pg_typeof($1)::text", [PostgresJSONBValue(1)]) == "jsonb")
                let array = profiles.map { PostgresJSONBValue($0) }
                #expect(try await connection.read("SELECT $1", [array]) == array)
                let nullable = [PostgresJSONBValue(profiles[0]), nil]
                #expect(
                    try await connection.read("SELECT $1", [nullable], as: [PostgresJSONBValue<Profile>?].self)
                        == nullable)
                // NULL and JSON's null are two things.
                #expect(
                    try await connection.read("SELECT 'null'::jsonb", as: PostgresJSONBValue<Int?>.self).value == nil)
                #expect(
                    await connection.refusal("SELECT NULL::jsonb", as: PostgresJSONBValue<Int?>.self)?.reason == .null)
            }
        }
    }

    @Test("that are another type's, or no JSON, say so")
    func misfits() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let refusal = await connection.refusal(
                    "SELECT '{\"name\": 1}'::jsonb AS profile", as: PostgresJSONBValue<Profile>.self)
                #expect(refusal?.reason == .malformed)
                #expect(refusal?.column == "profile")
                #expect(
                    await connection.refusal("SELECT '1'", as: PostgresJSONBValue<Int>.self)?.reason == .type(.text))
                let failure = await connection.failure("SELECT $1", [PostgresJSONBValue(Double.infinity)])
                #expect(failure?.description == "misuse: a value that cannot be written as JSON")
                #expect(await connection.failure("SELECT $1", [[PostgresJSONBValue(Double.nan)]])?.code == .misuse)
                #expect(try await connection.read("SELECT $1::text", [PostgresJSONBValue(1.5)]) == "1.5")
            }
        }
    }
}
