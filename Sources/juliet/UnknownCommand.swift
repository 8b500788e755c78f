import ArgumentParser
import JulietServer

/// A word in the place of a command's name that is none.
///
/// The argument parser calls it an unexpected argument, and does not look for what was meant.
struct UnknownCommand: CustomStringConvertible {
    /// The word.
    let word: String
    /// The command that has no subcommand of this name.
    let command: any ParsableCommand.Type
    /// The words that lead to that command.
    private let path: [String]

    /// Follows the names of commands.
    ///
    /// - Parameter arguments: What was typed behind the program's name.
    /// - Returns: nil if all words that must be names are.
    init?(_ arguments: [String]) {
        var command: any ParsableCommand.Type = Juliet.self
        var path = ["juliet"]
        guard arguments != ["help", "help"] else { return nil }
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            // No command that has subcommands has options of its own but those of help.
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = subcommands.first(where: { Self.name(of: $0) == word }) else {
                (self.word, self.command, self.path) = (word, command, path)
                return
            }
            command = next
            path.append(word)
        }
        return nil
    }

    /// As the argument parser writes its messages: what is wrong, the usage, and where to read on.
    var description: String {
        let path = path.joined(separator: " ")
        return """
            Error: Unknown command '\(word)'\(suggestion.map { ". Did you mean '\($0)'?" } ?? "")
            Usage: \(Juliet.usageString(for: command))
              See '\(path) --help' for more information.
            """
    }

    /// The name that was probably meant: one that begins so, or the one that is written most alike.
    private var suggestion: String? {
        let names = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map(Self.name)
        if word.count > 1, let longer = names.first(where: { $0.hasPrefix(word) }) { return longer }
        return word.mostAlike(of: names, within: min(2, (word.count + 1) / 2))
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? "\(command)".lowercased()
    }
}
