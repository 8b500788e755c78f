import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("the example of the first page is the one that is run here")
    func example() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/Postgres/Postgres.docc/Postgres.md"), encoding: .utf8)
        let source = try String(contentsOf: here.appendingPathComponent("FirstPage.swift"), encoding: .utf8)
        let code = try #require(
            source.components(separatedBy: "// begin\n").last?.components(separatedBy: "// end").first)
        #expect(page.contains("```swift\n" + code.trimmingCharacters(in: .newlines) + "\n```"))
    }

    @Test("it runs")
    func runs() async throws {
        try await Fixture.run { fixture in
            let left = try await play(fixture.configuration())
            #expect(left == 25)
            let players = try await fixture.psql("SELECT string_agg(id || points, ',' ORDER BY id) FROM players")
            #expect(players == "Juliet15,Romeo10")
        }
    }
}
