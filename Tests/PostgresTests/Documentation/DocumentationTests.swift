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

    @Test("the example of a write that is gathered is a file that is run here, with the functions of the page")
    func gathered() async throws {
        let page = try String(
            contentsOf: DocC.root.appending(path: "Sources/Postgres/Postgres.docc/Postgres.md"), encoding: .utf8)
        let file = DocC.root.appending(path: "Tests/PostgresTests/Documentation/GatheredPage.swift")
        #expect(page.contains("```swift\n\(try String(contentsOf: file, encoding: .utf8))```\n"))
        let behind = try #require(page.range(of: "```sql\n")).upperBound
        let functions = try #require(page[behind...].components(separatedBy: "```\n").first)
        try await Fixture.run { fixture in
            try await fixture.createGate()
            try await fixture.psql("CREATE TABLE players (id text PRIMARY KEY, points integer NOT NULL); \(functions)")
            try await fixture.psql("INSERT INTO players SELECT 'p' || n, n FROM generate_series(0, 9) AS n")
            try await fixture.withPatientClient { client in
                try await fixture.withConnection { holder in
                    try await holder.executeScript("BEGIN; UPDATE players SET points = points WHERE id = 'p7'")
                    let calls = try await fixture.handIn(client, 11, behind: .write) {
                        (index) async throws(PostgresError) in
                        try await client.first(TakePoints(player: "p\(index)", points: 5))
                    }
                    for (index, call) in calls.enumerated() where index != 7 {
                        let left = try #require(try await call.value.get())
                        // There is no tenth player.
                        #expect(left == (index < 5 || index == 10 ? nil : Int32(index - 5)))
                    }
                    try await fixture.untilLocked("take_points(")
                    try await holder.executeScript("COMMIT")
                    #expect(try await calls[7].value.get() == 2)
                }
            }
            let points = "SELECT string_agg(points::text, '' ORDER BY id) FROM players"
            #expect(try await fixture.psql(points) == "0123401234")
        }
    }

    @Test("docc makes the pages without a warning")
    func pages() async throws {
        #expect(try await DocC.pages(of: "Postgres").contains("postgres/postgrespipeline"))
    }
}
