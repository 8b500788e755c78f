import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import juliet

/// Nothing is forgotten where both layouts are compared.
@Suite("Questions to both layouts", .defaultLayout("asks no database"))
struct QuestionsTests {
    @Test("there is a question for every command and each of its options")
    func commands() {
        // --file: a draw in a file, for which no database is needed.
        let options = Set([
            "--database", "--config", "--instance", "--data", "--json", "--help", "--version", "--file",
        ])
        func leaves(_ command: any ParsableCommand.Type, _ path: [String]) -> [(path: [String], help: String)] {
            let below = command.configuration.subcommands
            if below.isEmpty { return [(path, Juliet.helpMessage(for: command, columns: 80))] }
            return below.flatMap { leaves($0, path + [$0.configuration.commandName ?? "\($0)".lowercased()]) }
        }
        let facts = Facts.placeholders
        let asked = (Question.reads(facts) + Question.deeds(facts)).compactMap { question in
            if case .command(let arguments) = question { arguments } else { nil }
        }
        let commands = leaves(Juliet.self, [])
        for (path, help) in commands where Question.notAsked[path] == nil {
            let lines = asked.filter { $0.starts(with: path) }
            #expect(!lines.isEmpty, "juliet \(path.joined(separator: " "))")
            // The options, one a line of the second half.
            let named = help.matches(of: #/(?m)^  (--[a-z-]+)/#).map { String($0.1) }
            for option in named where !options.contains(option) {
                #expect(lines.contains { $0.contains(option) }, "juliet \(path.joined(separator: " ")) \(option)")
            }
        }
        #expect(Question.notAsked.keys.allSatisfy { path in commands.contains { $0.path == path } })
    }
}
