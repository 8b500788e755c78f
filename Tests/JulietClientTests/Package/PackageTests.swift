import Foundation
import TestSupport
import Testing

@Suite("The package, as an app takes it", .timeLimit(.minutes(10)))
struct PackageTests {
    /// The examples, whose targets have the main actor by default, and a target that runs, in the language's mode 5.
    @Test(
        "apps that depend on the client alone, the examples among them, resolve no other package, find no libpq, and run"
    )
    func alone() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("juliet-app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // A version in a repository, not a path: only then the rules for dependencies hold, such as no unsafe flags.
        let package = folder.appendingPathComponent("juliet")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        for name in ["Package.swift", "Plugins", "Sources", "Tests", "Examples"] {
            try FileManager.default.copyItem(
                at: Self.root.appendingPathComponent(name), to: package.appendingPathComponent(name))
        }
        let git = ["git", "-C", package.path, "-c", "user.name=test", "-c", "user.email=test@example.org"]
        try await Command.run(git + ["init", "--quiet"])
        try await Command.run(git + ["add", "--all"])
        try await Command.run(git + ["commit", "--quiet", "--message", "As it is"])
        try await Command.run(git + ["tag", "1.0.0"])
        let app = folder.appendingPathComponent("app")
        try FileManager.default.copyItem(at: Self.root.appendingPathComponent("Examples"), to: app)
        var manifest = try String(contentsOf: app.appendingPathComponent("Package.swift"), encoding: .utf8)
        let byPath = #".package(path: "..", traits: [])"#
        #expect(manifest.contains(byPath))
        manifest = manifest.replacingOccurrences(
            of: byPath, with: #".package(url: "\#(package.absoluteString)", from: "1.0.0", traits: [])"#)
        manifest += """

            package.targets += [
                .executableTarget(
                    name: "app", dependencies: [.product(name: "JulietClient", package: "juliet")],
                    swiftSettings: [.swiftLanguageMode(.v5)]
                ),
            ]
            """
        try write(manifest, to: app.appendingPathComponent("Package.swift"))
        try write(
            """
            import JulietClient

            struct FetchFirstGame: Request {
                typealias Response = V2.Game
                let path = "/first"
            }

            let juliet = Juliet(baseURL: "http://127.0.0.1:1")
            do {
                _ = try await juliet.send(FetchWins(player: "me"))
            } catch {
                print(error)
            }
            do {
                let game = try await juliet.send(FetchFirstGame().authorized(by: "jt_"))
                print(game.state == .won)
            } catch {
                print((error as? ClientError)?.problem?.knownCode == .notFound)
            }
            """, to: app.appendingPathComponent("Sources/app/main.swift"))

        // A cache of its own, so that nothing is found that was fetched before; and no pkg-config that finds libpq.
        let options = ["--package-path", app.path, "--cache-path", folder.appendingPathComponent("cache").path]
        // Neither what a debugger nor what an editor needs, which is a fifth of the work.
        let build =
            ["env", "PKG_CONFIG_LIBDIR=\(folder.path)", "PKG_CONFIG_PATH=", "swift", "build"] + options
            + ["-debug-info-format", "none", "--disable-index-store"]
        try await Command.run(build)
        let resolved = try JSONDecoder().decode(
            Resolved.self, from: Data(contentsOf: app.appendingPathComponent("Package.resolved")))
        #expect(resolved.pins.map(\.identity) == ["juliet"])
        let binaries = try await Command.run(["swift", "build", "--show-bin-path"] + options)
        #expect(try await Command.run(["\(binaries)/app"]) == "connectionRefused\nfalse")
        let secrets = folder.appendingPathComponent("secrets").path
        #expect(
            try await Command.run(["\(binaries)/words", "http://127.0.0.1:1", secrets])
                == "There is no answer. Try again.")
    }

    private struct Resolved: Decodable {
        struct Pin: Decodable {
            let identity: String
        }

        let pins: [Pin]
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
