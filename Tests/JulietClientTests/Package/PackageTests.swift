import Foundation
import TestSupport
import Testing

@Suite("The package, as an app takes it", .timeLimit(.minutes(5)))
struct PackageTests {
    @Test("an app that depends on the client alone resolves no other package, finds no libpq, and runs")
    func alone() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("juliet-app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // A version in a repository, not a path: only then the rules for dependencies hold, such as no unsafe flags.
        let package = folder.appendingPathComponent("juliet")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        for name in ["Package.swift", "Plugins", "Sources", "Tests"] {
            try FileManager.default.copyItem(
                at: Self.root.appendingPathComponent(name), to: package.appendingPathComponent(name))
        }
        let git = ["git", "-C", package.path, "-c", "user.name=test", "-c", "user.email=test@example.org"]
        try await Command.run(git + ["init", "--quiet"])
        try await Command.run(git + ["add", "--all"])
        try await Command.run(git + ["commit", "--quiet", "--message", "As it is"])
        try await Command.run(git + ["tag", "1.0.0"])
        try write(
            """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "app",
                platforms: [.iOS(.v16), .macOS(.v13)],
                dependencies: [.package(url: "\(package.absoluteString)", from: "1.0.0", traits: [])],
                targets: [
                    .executableTarget(
                        name: "app", dependencies: [.product(name: "JulietClient", package: "juliet")])
                ]
            )
            """, to: folder.appendingPathComponent("app/Package.swift"))
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
            """, to: folder.appendingPathComponent("app/Sources/app/main.swift"))

        // A cache of its own, so that nothing is found that was fetched before; and no pkg-config that finds libpq.
        let app = folder.appendingPathComponent("app").path
        let options = ["--package-path", app, "--cache-path", folder.appendingPathComponent("cache").path]
        let build = ["env", "PKG_CONFIG_LIBDIR=\(folder.path)", "PKG_CONFIG_PATH=", "swift", "build"] + options
        try await Command.run(build)
        let resolved = try JSONDecoder().decode(
            Resolved.self, from: Data(contentsOf: URL(fileURLWithPath: "\(app)/Package.resolved")))
        #expect(resolved.pins.map(\.identity) == ["juliet"])
        let binaries = try await Command.run(["swift", "build", "--show-bin-path"] + options)
        #expect(try await Command.run(["\(binaries)/app"]) == "connectionRefused\nfalse")
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
