import ArgumentParser
import JulietGame

/// `juliet admin …`
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Say who may use the admin page, and see who did what.",
        discussion: """
            The page stands on the admin port of every service, http://127.0.0.1:9090/admin unless \
            the settings say otherwise. It finds players, shows their energy and games, grants \
            energy, tends the word lists and draws the day's figures. Each person has a key of \
            their own, whose role says what it may do; who, when and why of every change is in \
            the audit trail. While nobody has a key, there is no page.

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
            Grants of energy, changes of words, imports of lists, keys made and revoked: on the \
            page by the name of a key, on the command line by os: and the system's user. Nothing \
            is ever deleted from it. A deleted player stands there under the pseudonym of the \
            ledger.
            """)

    @Argument(help: "Only what was done to this player.") var id: String?
    @Option(help: ArgumentHelp("How many actions, counted from the newest.", valueName: "count")) var last = 50
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last is 1 or more") }
    }

    func run() async throws {
        try await options.run { connection in
            let actions = try await AdminRecords(connection: connection).actions(to: id.map { User.ID($0) }, last: last)
            Terminal.print(options.json ? try Terminal.json(actions) : AdminReport.trail(actions))
        }
    }
}
