import ArgumentParser
import Foundation
import Testing

@testable import juliet

@Suite("Help pages")
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
                "audit", "challenges", "leagues", "names", "players", "identity",
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
}
