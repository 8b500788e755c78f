import ArgumentParser
import JulietGame

/// `juliet admin …`
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Manage the keys of the admin page, and show who did what.",
        discussion: """
            Every service serves the page on its admin port, http://127.0.0.1:9090/admin unless \
            the settings say otherwise. It finds players, shows their energy and games, grants \
            energy, changes the word lists and shows each day's figures. Each person has their own \
            key, and the key's role says what it may do. The audit trail records who made each \
            change, when and why. Without any key, the page is off.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the \
            service's.

            Exit status: 0 done, 1 error or no such name, 64 wrong usage.
            """,
        subcommands: [AdminKeys.self, AdminAudit.self]
    )
}

/// `juliet admin audit`
struct AdminAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who changed what, newest first.",
        usage: "juliet admin audit [<id>] [--last <count>] [<options>]",
        discussion: """
            The audit trail records what operators change: energy, words, rules, names, players' ways to \
            sign in, games, leagues, challenges, the lottery, and keys; and who exported or deleted a player \
            on the page. A change on the page is recorded under the key's name; one on the \
            command line, under os: and the user's name on this system. Nothing is ever deleted from the \
            trail. A deleted player is in it under the pseudonym that the ledger uses.
            """)

    @Argument(help: "Show only what was done to this player.") var id: String?
    @Option(help: ArgumentHelp("How many actions, counted from the newest.", valueName: "count")) var last = 50
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last must be 1 or more") }
    }

    func run() async throws {
        try await options.run { connection in
            let actions = try await AdminRecords(connection: connection).actions(to: id.map { User.ID($0) }, last: last)
            Terminal.print(options.json ? try Terminal.json(actions) : AdminReport.trail(actions))
        }
    }
}
