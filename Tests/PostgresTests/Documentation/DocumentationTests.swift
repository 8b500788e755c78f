import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test(
        "the example of both pages is a file that is run here",
        arguments: ["docs/postgres.md", "Sources/Postgres/Postgres.docc/Postgres.md"])
    func example(path: String) throws {
        let page = try String(contentsOf: DocC.root.appending(path: path), encoding: .utf8)
        let file = DocC.root.appending(path: "Tests/PostgresTests/Documentation/GuidePage.swift")
        #expect(page.contains("```swift\n\(try String(contentsOf: file, encoding: .utf8))```\n"))
    }

    @Test("it runs")
    func runs() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE players (id text PRIMARY KEY, points integer NOT NULL)")
            try await fixture.psql("INSERT INTO players VALUES ('Juliet', 15)")
            #expect(try await reward("Nurse", in: fixture.configuration()) == nil)
            #expect(try await reward("Juliet", in: fixture.configuration()) == 20)
        }
    }

    @Test("docc makes the pages without a warning")
    func pages() async throws {
        #expect(try await DocC.pages(of: "Postgres").contains("postgres/postgrespipeline"))
    }
}
