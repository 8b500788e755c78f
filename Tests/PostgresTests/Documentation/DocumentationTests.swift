import Postgres
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test(
        "the examples of the first page are those that are run here",
        arguments: ["FirstPage", "PipelinePage", "CopyPage"])
    func example(file: String) throws {
        #expect(try DocC.firstPage(of: "Postgres", hasCodeOf: file))
    }

    @Test("it runs")
    func runs() async throws {
        try await Fixture.run { fixture in
            let left = try await play(fixture.configuration())
            #expect(left == 25)
            let players = try await fixture.psql("SELECT string_agg(id || points, ',' ORDER BY id) FROM players")
            #expect(players == "Juliet15,Romeo10")
            try await fixture.withConnection { (connection) async throws in
                #expect(try await give(5, on: connection) == ["Juliet": 10, "Romeo": 15])
                let error = await #expect(throws: PostgresError.self) { try await give(50, on: connection) }
                #expect(error?.code == .server && error?.constraint == "players_points_check")
                #expect(try await give(0, on: connection) == ["Juliet": 10, "Romeo": 15], "neither row has changed")
                #expect(try await load(["Nurse": 7], on: connection) == ["Juliet": 10, "Romeo": 15, "Nurse": 7])
                await #expect(throws: PostgresError.self) { try await load(["Paris": 3, "Romeo": 9], on: connection) }
                #expect(try await load([:], on: connection).count == 3)
            }
        }
    }

    @Test("docc makes the pages without a warning")
    func pages() async throws {
        #expect(try await DocC.pages(of: "Postgres").contains("postgres/postgrespipeline"))
    }
}
