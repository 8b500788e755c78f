import Foundation
import TestSupport
import Testing

/// Tools that others keep and `scripts/setup test` installs, below `.build/openapi`.
@Suite(
    "The description of the API, by other people's tools", .defaultLayout("about what is written"),
    .timeLimit(.minutes(10)))
struct DescriptionToolTests {
    private static let root = APIDocument.file.deletingLastPathComponent().deletingLastPathComponent()

    private func tool(_ name: String) -> String { Self.root.appending(path: ".build/openapi/bin/\(name)").path }

    @Test("openapi-spec-validator finds it valid")
    func valid() async throws {
        try await Command.run([tool("openapi-spec-validator"), APIDocument.file.path])
    }

    @Test("schemathesis asks what it describes, well and badly, and gets what it describes")
    func exercised() async throws {
        let store = try TestStore()
        let settings = store.settings().merging(TestService.waysIn) { $1 }
        let service = try await TestService.start(settings, on: .create())
        let folder = Self.root.appending(path: "Tests/OpenAPI").path
        let said = try await Command.run([
            "env", "PYTHONPATH=\(folder)", "SCHEMATHESIS_HOOKS=hooks", tool("st"),
            "--config-file", "\(folder)/schemathesis.toml", "run", "http://127.0.0.1:\(service.port)/openapi.json",
        ])
        // One that found nothing to ask has not passed.
        #expect(said.contains(#/\n +✅ Fuzzing\n +✅ Stateful\n/#), "\(said)")
        #expect(said.contains(#/ [0-9]{3,} generated, [0-9]+ passed/#), "\(said)")
        try await service.stop()
    }

    @Test("a client that openapi-python-client makes of it, without a warning, plays a game and tells 401 from 404")
    func generated() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "juliet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let programs = Self.root.appending(path: ".build/openapi/bin").path
        let said = try await Command.run([
            // It has `ruff` set its code in lines.
            "env", "PATH=\(programs):/usr/bin:/bin", tool("openapi-python-client"), "generate", "--path",
            APIDocument.file.path, "--output-path", "\(folder)/generated", "--meta", "none", "--fail-on-warning",
        ])
        #expect(!said.contains("WARNING"), "\(said)")
        let service = try await TestService.start(on: .create())
        let script = Self.root.appending(path: "Tests/OpenAPI/play.py").path
        #expect(
            try await Command.run([
                "env", "PYTHONDONTWRITEBYTECODE=1", tool("python"), script, folder, "http://127.0.0.1:\(service.port)",
            ]).hasSuffix("played"))
        try await service.stop()
    }
}
