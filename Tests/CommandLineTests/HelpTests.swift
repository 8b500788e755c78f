import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import juliet

@Suite("Help pages", .defaultLayout("asks no database"))
struct HelpTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Help")

    /// Every command but the root, with the words that lead to it.
    private static func commands(
        below command: any ParsableCommand.Type, path: [String] = []
    ) -> [(path: [String], command: any ParsableCommand.Type)] {
        command.configuration.subcommands.flatMap { subcommand in
            let name = subcommand.configuration.commandName ?? "\(subcommand)".lowercased()
            return [(path + [name], subcommand)] + commands(below: subcommand, path: path + [name])
        }
    }

    @Test(
        "are what the files in Help say, on a terminal 80 columns wide",
        arguments: commands(below: Juliet.self).map(\.path).filter {
            [
                "play", "migrate", "words", "users", "energy", "purchases", "lottery", "game", "admin",
                "audit", "challenges", "leagues", "names", "players", "identity", "rules",
            ].contains($0[0])
        })
    func pages(path: [String]) throws {
        let command = try #require(Self.commands(below: Juliet.self).first { $0.path == path }?.command)
        let page = Juliet.helpMessage(for: command, columns: 80)
        let file = Self.folder.appending(path: path.joined(separator: "-") + ".txt")
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(
            page.trimmingCharacters(in: .newlines) == expected.trimmingCharacters(in: .newlines),
            "juliet \(path.joined(separator: " ")) --help")
        #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    private static let root = folder.appending(path: "../../..").standardized

    /// The commands that sources name: behind a backtick, or with an option.
    private static let namedInSources: [(page: String, command: String)] = {
        let files = ["Sources", "schema"].flatMap { folder in
            let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            return (paths?.compactMap { $0 as? String } ?? []).sorted().map { "\(folder)/\($0)" }
        }
        return files.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".sql") }.flatMap { file in
            let text = (try? String(contentsOf: root.appending(path: file), encoding: .utf8)) ?? ""
            // A line may go on in the next one.
            let lines = text.replacing(#/\\\n */#, with: "")
            return lines.matches(of: #/`(juliet [^`\n]*)`|\b(juliet (?:[a-z-]+ )+--[a-z][^"`\n]*)/#).map { match in
                (file, String(match.output.1 ?? match.output.2 ?? ""))
            }
        }
    }()

    /// The pages, and the commands that each names: behind a backtick, or at the beginning of a line of a block.
    private static let named: [(page: String, command: String)] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        let pages =
            [
                "README.md", "CONTRIBUTING.md", "schema/README.md", "config/words/README.md",
                "packaging/debian/README.Debian",
            ]
            + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
        return pages.flatMap { page in
            let text = (try? String(contentsOf: root.appending(path: page), encoding: .utf8)) ?? ""
            let spans = text.matches(of: /`(juliet [^`\n]*)`/).map { "\($0.output.1)" }
            let lines = text.matches(of: /(?m)^ *(?:\$ )?(?:sudo (?:-u postgres )?)?(juliet [^#|<>\n]*)/).map {
                "\($0.output.1)"
            }
            return (spans + lines).map { (page, $0) }
        }
    }()

    @Test("say the defaults that settings have")
    func defaults() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("juliet.json", "{}")
        let settings = try await Program.run(["config", "--config", file]).output.split(separator: "\n")
        for (option, key) in [("--host", "http.host"), ("--port", "http.port")] {
            let value = try #require(settings.first { $0.hasPrefix("\(key) = ") }).split(separator: " ")[2]
            for command in [Serve.self, Dev.self, Config.self] as [any ParsableCommand.Type] {
                let lines = Juliet.helpMessage(for: command, columns: 200).split(separator: "\n")
                let line = try #require(lines.first { $0.contains(" \(option) <") })
                #expect(line.hasSuffix("Default: \(value)"), "\(line)")
            }
        }
    }

    @Test("know the commands and options that pages, messages and comments name")
    func pagesOfTheProject() throws {
        #expect(Self.named.count > 150 && Self.namedInSources.count > 150)
        let commands = Self.commands(below: Juliet.self)
        for (page, text) in Self.named + Self.namedInSources {
            // What stands for something a reader puts in its place, and the map of the modules.
            let words = text.split(separator: " ").dropFirst().map {
                $0.trimmingCharacters(in: ["[", "]", "(", ")", ";", ",", ".", ":"])
            }
            guard words.first != "→" else { continue }
            var path: [String] = []
            while path.count < words.count, commands.contains(where: { $0.path == path + [words[path.count]] }) {
                path.append(words[path.count])
            }
            let isFlag = words.first?.hasPrefix("-") == true
            #expect(!path.isEmpty || isFlag, "\(page): \(text)")
            let command = commands.first { $0.path == path }?.command ?? Juliet.self
            let help = Juliet.helpMessage(for: command, columns: 80)
            for word in words.dropFirst(path.count) where word.hasPrefix("--") {
                let name = "\(word.prefix { $0 != "=" })"
                #expect(help.contains(name), "\(page): \(text): there is no \(name)")
            }
        }
    }
}
