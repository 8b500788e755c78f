import ArgumentParser
import JulietGame
import JulietServer
import Postgres

/// `juliet rules …`
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Show and change the rules of the game.",
        discussion: """
            The rules say which words are dealt, when a day ends, what a new player gets, what a game costs, how energy \
            comes back, what clients may report, whether players of the app may move to /v2, and whether purchases need a signature. They \
            are in the database: all services follow them, and the audit judges each entry by the rules of \
            its time. To change the rules, change the settings, then run `juliet rules apply`.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.
            """,
        subcommands: [RulesShow.self, RulesApply.self],
        defaultSubcommand: RulesShow.self
    )
}

/// `juliet rules show`
struct RulesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the rules in force, and the earlier ones.",
        usage: "juliet rules [show] [<options>]")

    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let history = try await RulesRecords(connection: connection, actor: SystemUser.actor).history()
            Terminal.print(
                options.json
                    ? try Terminal.json(history.map(RulesReport.Held.init)) : RulesReport.history(history))
        }
    }
}

/// `juliet rules apply`
struct RulesApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Change the rules to what the settings say.",
        usage: "juliet rules apply [--dry-run] [<options>]",
        discussion: """
            Run it with the settings of the service: its settings file and its environment. A rule that no \
            setting names gets its default. `juliet config` prints the settings. Running services follow \
            within ten seconds.

            The audit trail (`juliet admin audit`) records who changed what.
            """)

    @Flag(help: "Print what would change, and change nothing.") var dryRun = false
    @OptionGroup var options: WordsOptions

    func run() async throws {
        // Read outside the closure, which crashes the compiler otherwise (6.3.1, in release).
        let rules = Result { try options.database.settings(.rules).rules }
        try await options.run { connection in
            try await apply(rules.get(), RulesRecords(connection: connection, actor: SystemUser.actor))
        }
    }

    private func apply(_ rules: GameRules, _ records: RulesRecords) async throws {
        let applied = try await records.apply(rules, GameRules.Key.allCases, keeps: !dryRun)
        Terminal.print(
            options.json
                ? try Terminal.json(RulesReport.Changes(applied, rules, isDryRun: dryRun))
                : RulesReport.changes(applied, rules, isDryRun: dryRun))
    }
}

extension RulesApply {
    /// Applies the rules that settings name, and prints what changed; does nothing if none is named.
    static func apply(namedBy settings: Settings) async throws {
        guard !settings.setRules.isEmpty else { return }
        try await withSession(settings.database) { connection in
            let applied = try await RulesRecords(connection: connection, actor: SystemUser.actor)
                .apply(settings.rules, settings.setRules)
            guard !applied.changes.isEmpty else { return }
            Terminal.note("rules:\n\(RulesReport.changes(applied, settings.rules, isDryRun: false))")
        }
    }
}
