import Postgres
import Testing

@Suite("Columns by name")
struct ColumnNameTests {
    private struct Player: Equatable {
        let name: String
        let energy: Int
        let note: String?
    }

    @Test("are read in any order, and leave the next column where it was")
    func anyOrder() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let players = try await connection.query(
                    "SELECT * FROM (VALUES ('Juliet', 30, NULL), ('Romeo', 5, 'x')) AS players (name, energy, note)"
                ) { (row) throws(PostgresDecodingError) in
                    Player(
                        name: try row.value("name"), energy: try row.value("energy", as: Int.self),
                        note: try row.value("note"))
                }
                #expect(
                    players == [
                        Player(name: "Juliet", energy: 30, note: nil), Player(name: "Romeo", energy: 5, note: "x"),
                    ])
                let mixed = try await connection.query("SELECT 1 AS a, 2 AS b, 3 AS c") {
                    (row) throws(PostgresDecodingError) in
                    [try row.next(Int.self), try row.value("c"), try row.next(), try row.value("a"), try row.next()]
                }
                #expect(mixed == [[1, 3, 2, 1, 3]])
            }
        }
    }

    @Test("have the name that the server reports, to the letter; the leftmost counts")
    func names() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let found = try await connection.query(
                    #"SELECT 1 AS "Energy", 2 AS energy, 3 AS energy, 4 AS "ünï ""c""""#
                ) {
                    (row) throws(PostgresDecodingError) in
                    (
                        [try row.value("Energy", as: Int.self), try row.value("energy"), try row.value(#"ünï "c""#)],
                        row.index(of: "energy"), row.index(of: "ENERGY")
                    )
                }.first
                #expect(found?.0 == [1, 2, 4])
                #expect(found?.1 == 1)
                #expect(found?.2 == nil)
            }
        }
    }

    @Test("that are not there, or hold something else, are named in the error")
    func errors() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                func error(_ sql: SQLText, _ name: String) async -> PostgresDecodingError? {
                    do throws(PostgresError) {
                        _ = try await connection.query(sql) { (row) throws(PostgresDecodingError) in
                            try row.value(name, as: Int.self)
                        }
                        return nil
                    } catch {
                        return error.decoding
                    }
                }
                let missing = await error("SELECT 1 AS a", "energy")
                #expect(missing?.reason == .missingColumn)
                #expect(missing?.column == "energy")
                #expect(missing?.index == -1)
                #expect(missing?.description == #"column "energy" is missing, expected Int"#)
                #expect(await error("SELECT", "energy")?.reason == .missingColumn)
                #expect(
                    await error("SELECT 1 AS a, 'x' AS energy", "energy")?.description
                        == #"column 1 "energy" is of text, expected Int"#)
                #expect(await error("SELECT 1 AS a, NULL::int AS energy", "energy")?.reason == .null)
                // Also where an error was caught, the next column is the one it was.
                let rest = try await connection.query("SELECT 1 AS a, 'x' AS b") {
                    (row) throws(PostgresDecodingError) in
                    let missing = try? row.value("b", as: Int.self)
                    return [missing, try row.next(Int.self)]
                }
                #expect(rest == [[nil, 1]])
            }
        }
    }
}
