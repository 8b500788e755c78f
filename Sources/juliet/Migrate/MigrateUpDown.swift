import ArgumentParser
import JulietServer
import Migrations

/// How patient `up`, `down` and `repair` are.
struct MigratePatience: ParsableArguments {
    @Option(help: ArgumentHelp("How long to try for the lock another run holds.", valueName: "seconds"))
    var wait = 60

    @Option(
        help: ArgumentHelp(
            "How long a statement may wait for a table in use.",
            discussion: "Whoever needs the table next waits behind it, so this is short; it is tried again.",
            valueName: "seconds"))
    var lockTimeout = 2

    @Option(help: ArgumentHelp("How often to try a migration that met a locked table.", valueName: "times"))
    var lockAttempts = 30

    @Option(
        help: ArgumentHelp("advisory or row: do not find out what the engine has.", visibility: .hidden),
        transform: { text in
            guard let strategy = MigrationLockStrategy(rawValue: text) else {
                throw ValidationError("--lock is advisory or row")
            }
            return strategy
        })
    var lock: MigrationLockStrategy?

    func validate() throws {
        guard wait >= 0, lockTimeout >= 1, lockAttempts >= 1 else {
            throw ValidationError("--wait is 0 or more, --lock-timeout and --lock-attempts are 1 or more")
        }
    }

    func adjust(_ options: inout MigrationRunner.Options) {
        options.lockWait = .seconds(wait)
        options.lockTimeout = .seconds(lockTimeout)
        options.lockAttempts = lockAttempts
        options.lockStrategy = lock
    }
}

/// `juliet migrate up`
struct MigrateUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Apply what is pending, and install the code.",
        usage: "juliet migrate up [--to <version>] [<options>]",
        discussion: """
            Applies the pending migrations in order, each in a transaction of its own with \
            its ledger row. In the transaction of the last one it installs the code: what is \
            new, changed or altered by hand, and drops what no file says any more. A function \
            that services of the release before may still call is kept, as retired.

            When something fails, nothing of its transaction stays, what came before does, \
            and the message names file and line; mend the file and run `up` again.

            A statement waits for a locked table only briefly, then the transaction is rolled \
            back and tried again, so the game never queues behind it.

            The code of a newer release stays: its services depend on it.

            At last it applies the rules of the game that settings name, as `juliet rules apply` \
            does; it leaves alone those that none names.
            """)

    @Option(help: ArgumentHelp("The last version to apply; the code waits for the newest.", valueName: "version"))
    var to: Int?
    @Flag(help: "Apply a migration although a newer one already is.") var allowOutOfOrder = false
    @Flag(help: "Install this release's code over that of a newer one.") var replaceNewerCode = false
    @Flag(help: "Show what would run, and run nothing: as `plan`.") var dryRun = false
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        // A setting that is no good is told before anything changes.
        let settings = Result { try options.database.settings(.rules) }
        try await options.run(patience: patience) { runner, sources in
            if dryRun {
                return try await MigratePlan.show(
                    sources, runner, to: to, allowingOutOfOrder: allowOutOfOrder, json: options.json)
            }
            return try await up(runner, sources, settings.get())
        }
    }

    private func up(
        _ runner: MigrationRunner, _ sources: SchemaSources, _ settings: Settings
    ) async throws -> MigrateExit {
        let name = options.folders.areOwn ? try await TargetDatabase.checkMayBecomeJuliets(settings.database) : nil
        let outcome = try await runner.up(
            sources.migrations, code: sources.code, to: to, allowingOutOfOrder: allowOutOfOrder,
            replacingNewerCode: replaceNewerCode)
        Terminal.print(
            options.json
                ? try Terminal.json(MigrateReport.Steps(outcome)) : MigrateReport.outcome(outcome, database: name))
        // Other files may know no rules, and neither may an older version.
        if to == nil, options.folders.areOwn { try await RulesApply.apply(namedBy: settings) }
        return .done
    }
}

/// `juliet migrate down`
struct MigrateDown: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Take back the newest migrations.",
        usage: "juliet migrate down [<count>] [<options>]",
        discussion: """
            Takes away the code, which is written for the tables as they are, then runs the \
            migrate:down parts, newest first, and names the release whose code fits what is \
            left: its `juliet migrate up` installs it. Data that only the newer schema could \
            hold is gone after that: see `juliet migrate plan --down` first.
            """)

    @Argument(help: "How many to take back.") var count = 1
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func validate() throws {
        guard count >= 1 else { throw ValidationError("how many to take back is 1 or more") }
    }

    func run() async throws {
        try await options.run(patience: patience) { runner, sources in
            let outcome = try await runner.down(sources.migrations, count: count)
            Terminal.print(
                options.json
                    ? try Terminal.json(MigrateReport.Steps(outcome)) : MigrateReport.outcome(outcome))
            return .done
        }
    }
}
