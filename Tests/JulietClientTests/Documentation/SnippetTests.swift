import Foundation
import TestSupport
import Testing

/// The code that pages show.
enum Snippets {
    static let articles = ["JulietClient", "Apple", "Queue", "Requests", "SigningIn"]
        .map { "Sources/JulietClient/JulietClient.docc/\($0).md" }
    static let pages = ["docs/client.md", "docs/accounts.md"] + articles

    /// A page's Swift, as it is shown; without lines of a manifest, which other tests use.
    static func shown(by page: String) throws -> [String] {
        try String(contentsOf: DocC.root.appending(path: page), encoding: .utf8)
            .components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .filter { !$0.contains(".package(") }
    }

    /// A snippet without its first lines, the imports.
    static func withoutImports(_ snippet: String) -> String {
        snippet.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0.hasPrefix("import ") || $0.isEmpty }.joined(separator: "\n")
    }
}

@Suite("Snippets", .timeLimit(.minutes(5)))
struct SnippetTests {
    /// In a file of its own, in language mode 6, with the main actor by default as new projects of Xcode have it. Where there are no
    /// frameworks of Apple's, Tests/AppleStandIns has what the snippets use of them.
    @Test("every snippet compiles alone, with the imports that it shows")
    func compile() async throws {
        let folder = try TemporaryFolder()
        let compile = try await Self.compiler(in: folder)
        var count = 0
        for page in Snippets.pages {
            for snippet in try Snippets.shown(by: page) {
                count += 1
                let said = await compile(snippet)
                #expect(said == "", "\(page):\n\(snippet)")
            }
        }
        #expect(count >= 20)
        // What an import is missing for does not compile.
        let snippet = try #require(try Snippets.shown(by: "docs/client.md").first { $0.contains("import StoreKit\n") })
        #expect(await compile(snippet.replacingOccurrences(of: "import StoreKit\n", with: "")) != "")
    }

    /// What the compiler says of a text; nothing: it compiles.
    private static func compiler(in folder: TemporaryFolder) async throws -> (String) async -> String {
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        let modules = URL(filePath: bundle).deletingLastPathComponent().appending(path: "Modules").path
        #if !canImport(Darwin)
            for framework in ["AuthenticationServices", "CryptoKit", "StoreKit"] {
                try await Command.run([
                    "swiftc", "-emit-module", "-parse-as-library", "-module-name", framework, "-swift-version", "6",
                    "-enable-upcoming-feature", "InternalImportsByDefault",
                    "-o", "\(folder.path)/\(framework).swiftmodule",
                    DocC.root.appending(path: "Tests/AppleStandIns/\(framework).swift").path,
                ])
            }
        #endif
        let command = [
            "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
            "-default-isolation", "MainActor", "-I", folder.path, "-I", modules,
            "-I", DocC.root.appending(path: "Sources/CCurl").path, "\(folder.path)/Snippet.swift",
        ]
        return { snippet in
            do {
                try Data(snippet.utf8).write(to: URL(filePath: "\(folder.path)/Snippet.swift"))
                try await Command.run(command)
                return ""
            } catch {
                return "\(error)"
            }
        }
    }
}
