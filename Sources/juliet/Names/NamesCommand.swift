import ArgumentParser
import JulietGame
import Postgres

/// `juliet names …`
struct NamesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "names",
        abstract: "Manage the parts that no name may have.",
        discussion: """
            A name that has a refused part is refused when a player, a league or a passkey is named, and so is a hint. \
            Names are compared by what they look like: letter case, accents, and letters of other scripts that look \
            the same make no difference. If a part begins with =, only the whole word is refused. Names that are \
            there stay; on the admin page you can rename a player or hide a name.

            Each release refuses offices, such as admin, and the worst insults. You can allow some of them, or all; \
            they stay allowed after `juliet migrate up`.

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
        abstract: "Print the refused parts, one a line, or the players whose names have one.",
        usage: """
            juliet names list [--shipped] [<options>]
            juliet names list --players [--first <count>] [<options>]
            """,
        discussion: "--players reads the names of all players.")

    @Flag(help: "Print the parts that the release has, also those that are allowed.") var shipped = false
    @Flag(help: "Print the players whose names have a refused part.") var players = false
    @Option(help: ArgumentHelp("How many of these players at most.", valueName: "count")) var first = 1000
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard first > 0 else { throw ValidationError("--first must be 1 or more") }
        if shipped && players { throw ValidationError("give --shipped or --players, not both") }
    }

    func run() async throws {
        try await options.run { connection in
            let records = NameRecords(connection: connection)
            if players {
                try Terminal.print(
                    try await records.called(first: first), asJSON: options.json, orNote: "no name has a refused part"
                ) { called in
                    Terminal.table([["player", "name", "refused"]] + called.map { [$0.player, $0.name, $0.part] })
                }
            } else {
                let parts = try await records.parts().filter { shipped ? $0.isShipped : !$0.isAllowed }
                try Terminal.print(parts, asJSON: options.json, orNote: "nothing is refused") { parts in
                    parts.map { $0.isAllowed ? "\($0.part) (allowed)" : $0.part }.joined(separator: "\n")
                }
            }
        }
    }
}

/// `juliet names refuse`
struct NamesRefuse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Refuse names that have this part.",
        usage: """
            juliet names refuse <part> ... --reason <text> [<options>]
            juliet names refuse --shipped --reason <text> [<options>]
            """,
        discussion: """
            With = before it, a part is a whole word: "=ass" refuses "Big Ass 7", not "Bass". \
            `juliet names list --players` prints the players whose names have a refused part.
            """)

    @Argument(help: "2 to 24 characters, in any letter case.") var part: [String] = []
    @Flag(help: "Refuse all parts that the release has.") var shipped = false
    @OptionGroup var why: ReasonOption
    @OptionGroup var options: WordsOptions

    func validate() throws { try check(part, shipped) }

    func run() async throws { try await change(part, isRefused: true, why, options) }
}

/// `juliet names allow`
struct NamesAllow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Allow a refused part again.",
        usage: """
            juliet names allow <part> ... --reason <text> [<options>]
            juliet names allow --shipped --reason <text> [<options>]
            """)

    @Argument(help: "As `juliet names list` prints it, in any letter case.") var part: [String] = []
    @Flag(help: "Allow all parts that the release has.") var shipped = false
    @OptionGroup var why: ReasonOption
    @OptionGroup var options: WordsOptions

    func validate() throws { try check(part, shipped) }

    func run() async throws { try await change(part, isRefused: false, why, options) }
}

/// What was done, for scripts.
private struct PartChanges: Encodable {
    var changed: [String] = []
    var unchanged: [String] = []
}

private func check(_ parts: [String], _ shipped: Bool) throws {
    if shipped != parts.isEmpty { throw ValidationError("name parts, or give --shipped") }
}

/// - Parameter parts: None: all that the release has.
private func change(_ parts: [String], isRefused: Bool, _ why: ReasonOption, _ options: WordsOptions) async throws {
    try await options.run { connection in
        let records = NameRecords(connection: connection)
        var changes = PartChanges()
        var parts = parts
        if parts.isEmpty {
            parts = try await records.parts().filter { $0.isShipped && $0.isAllowed == isRefused }.map(\.part)
        }
        for part in parts {
            switch try await records.change(part, isRefused: isRefused, by: SystemUser.actor, reason: why.reason) {
            case .done: changes.changed.append(part)
            case .unchanged where isRefused: changes.unchanged.append(part)
            case .unchanged: throw CommandError("\(part.quoted) is not refused")
            case .notAPart:
                throw ValidationError(
                    "\(part.quoted) must have 2 to 24 characters; after =, only letters, digits, and single blanks between words"
                )
            }
        }
        guard !options.json else { return Terminal.print(try Terminal.json(changes)) }
        for part in changes.changed { Terminal.print("\(isRefused ? "refused" : "allowed"): \(part)") }
        for part in changes.unchanged { Terminal.note("refused already: \(part)") }
    }
}
