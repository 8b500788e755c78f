import ArgumentParser
import JulietGame
import Postgres

/// `juliet names …`
struct NamesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "names",
        abstract: "Manage the texts that no player's name may contain.",
        discussion: """
            A name that contains a refused text (a part) is refused when a player is created or renamed. \
            Letter case and accents make no difference. Names that players already have stay; on \
            the admin page you can rename a player or hide a name.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the \
            service's.

            Exit status: 0 done, 1 error or no such part, 64 wrong usage.
            """,
        subcommands: [NamesList.self, NamesRefuse.self, NamesAllow.self]
    )
}

/// `juliet names list`
struct NamesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the refused texts, one a line, or the players whose names have one.",
        usage: "juliet names list [--players] [--first <count>] [<options>]",
        discussion: "--players reads the names of all players.")

    @Flag(help: "Print the players whose names contain a refused text.") var players = false
    @Option(help: ArgumentHelp("How many of these players at most.", valueName: "count")) var first = 1000
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard first > 0 else { throw ValidationError("--first must be 1 or more") }
    }

    func run() async throws {
        try await options.run { connection in
            let records = NameRecords(connection: connection)
            if players {
                try Terminal.print(
                    try await records.called(first: first), asJSON: options.json, orNote: "no name has a refused text"
                ) { called in
                    Terminal.table([["player", "name", "refused"]] + called.map { [$0.player, $0.name, $0.part] })
                }
            } else {
                try Terminal.print(
                    try await records.parts(), asJSON: options.json, orNote: "nothing is refused"
                ) { $0.map(\.part).joined(separator: "\n") }
            }
        }
    }
}

/// `juliet names refuse`
struct NamesRefuse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Refuse names that contain this text.",
        usage: "juliet names refuse <part> ... --reason <text> [<options>]",
        discussion: "`juliet names list --players` prints the players whose names contain it.")

    @Argument(help: "2 to 24 characters, in any letter case.") var part: [String]
    @OptionGroup var why: ReasonOption
    @OptionGroup var options: WordsOptions

    func run() async throws { try await change(part, isRefused: true, why, options) }
}

/// `juliet names allow`
struct NamesAllow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Allow a refused text again.",
        usage: "juliet names allow <part> ... --reason <text> [<options>]")

    @Argument(help: "As `juliet names list` prints it, in any letter case.") var part: [String]
    @OptionGroup var why: ReasonOption
    @OptionGroup var options: WordsOptions

    func run() async throws { try await change(part, isRefused: false, why, options) }
}

/// What was done, for scripts.
private struct PartChanges: Encodable {
    var changed: [String] = []
    var unchanged: [String] = []
}

private func change(_ parts: [String], isRefused: Bool, _ why: ReasonOption, _ options: WordsOptions) async throws {
    try await options.run { connection in
        let records = NameRecords(connection: connection)
        var changes = PartChanges()
        for part in parts {
            switch try await records.change(part, isRefused: isRefused, by: SystemUser.actor, reason: why.reason) {
            case .done: changes.changed.append(part)
            case .unchanged where isRefused: changes.unchanged.append(part)
            case .unchanged: throw CommandError("\(part.quoted) is not refused")
            case .notAPart: throw CommandError("\(part.quoted) must have 2 to 24 characters")
            }
        }
        guard !options.json else { return Terminal.print(try Terminal.json(changes)) }
        for part in changes.changed { Terminal.print("\(isRefused ? "refused" : "allowed"): \(part)") }
        for part in changes.unchanged { Terminal.note("refused already: \(part)") }
    }
}
