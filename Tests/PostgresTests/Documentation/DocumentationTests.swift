import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test(
        "the examples of the first page are those that are run here",
        arguments: ["FirstPage", "PipelinePage"])
    func example(file: String) throws {
        #expect(try DocC.firstPage(of: "Postgres", hasCodeOf: file))
    }

    @Test("the example of docs/postgres.md is a file that is run here")
    func guide() throws {
        let page = try String(contentsOf: DocC.root.appending(path: "docs/postgres.md"), encoding: .utf8)
        let file = DocC.root.appending(path: "Tests/PostgresTests/Documentation/GuidePage.swift")
        #expect(page.contains("```swift\n\(try String(contentsOf: file, encoding: .utf8))```\n"))
    }

    @Test("it runs")
    func runs() async throws {
        try await Fixture.run { fixture in
            let left = try await play(fixture.configuration())
            #expect(left == 25)
            let players = try await fixture.psql("SELECT string_agg(id || points, ',' ORDER BY id) FROM players")
            #expect(players == "Juliet15,Romeo10")
            #expect(try await reward("Nurse", in: fixture.configuration()) == nil)
            #expect(try await reward("Juliet", in: fixture.configuration()) == 20)
            try await fixture.psql("UPDATE players SET points = 15 WHERE id = 'Juliet'")
            try await fixture.withConnection { (connection) async throws in
                #expect(try await give(5, on: connection) == ["Juliet": 10, "Romeo": 15])
                let error = await #expect(throws: PostgresError.self) { try await give(50, on: connection) }
                #expect(error?.code == .server && error?.constraint == "players_points_check")
                #expect(try await give(0, on: connection) == ["Juliet": 10, "Romeo": 15], "neither row has changed")
            }
        }
    }

    @Test("docc makes the pages without a warning")
    func pages() async throws {
        #expect(try await DocC.pages(of: "Postgres").contains("postgres/postgrespipeline"))
    }
}
