import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test(
        "the examples of the first page are those that are run here",
        arguments: ["FirstPage", "PipelinePage", "CopyPage"])
    func example(file: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/Postgres/Postgres.docc/Postgres.md"), encoding: .utf8)
        let source = try String(contentsOf: here.appendingPathComponent("\(file).swift"), encoding: .utf8)
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

    @Test("docc makes the pages without a warning", arguments: ["Postgres"])
    func pages(module: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        let modules = URL(filePath: bundle).deletingLastPathComponent().appending(path: "Modules")
        let target = try await Command.run(["swift", "-print-target-info"])
        let triple = try #require(target.firstMatch(of: /"unversionedTriple": "([^"]+)"/)?.1)
        try await Command.run([
            "swift-symbolgraph-extract", "-module-name", module, "-I", modules.path, "-I",
            root.appending(path: "Sources/CLibPQ").path, "-I",
            modules.deletingLastPathComponent().appending(path: "CEventLoop.build").path, "-Xcc",
            "-I\(try await Command.run(["pg_config", "--includedir"]).trimmingCharacters(in: .newlines))",
            "-target", String(triple), "-minimum-access-level", "public", "-output-dir", folder.path,
        ])
        try await Command.run([
            "docc", "convert", root.appending(path: "Sources/\(module)/\(module).docc").path,
            "--additional-symbol-graph-dir", folder.path, "--fallback-bundle-identifier", "org.example.\(module)",
            "--fallback-display-name", module, "--output-path", folder.path + "/pages", "--warnings-as-errors",
        ])
        #expect(
            FileManager.default.fileExists(
                atPath: "\(folder.path)/pages/data/documentation/postgres/postgrespipeline.json"))
    }
}
