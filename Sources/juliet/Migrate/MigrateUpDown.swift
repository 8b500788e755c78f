import ArgumentParser
import JulietGame
import JulietServer
import Migrations

/// The timeouts of `up`, `down` and `repair`.
struct MigratePatience: ParsableArguments {
    @Option(help: ArgumentHelp("How long to wait if another run holds the lock.", valueName: "seconds"))
    var wait = 60

    @Option(
        help: ArgumentHelp(
            "How long a statement may wait for a table in use.",
            discussion: "Keep it short, because other sessions queue behind the statement. It is tried again.",
            valueName: "seconds"))
    var lockTimeout = 2

    @Option(help: ArgumentHelp("How many times to try a migration if a table is locked.", valueName: "times"))
    var lockAttempts = 30

    func validate() throws {
        guard wait >= 0, lockTimeout >= 1, lockAttempts >= 1 else {
            throw ValidationError("--wait must be 0 or more, --lock-timeout and --lock-attempts 1 or more")
        }
    }

    func adjust(_ options: inout MigrationRunner.Options) {
        options.lockWait = .seconds(wait)
        options.lockTimeout = .seconds(lockTimeout)
        options.lockAttempts = lockAttempts
    }
}

/// `juliet migrate up`
struct MigrateUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Apply pending migrations, and install the code.",
        usage: "juliet migrate up [--to <version>] [<options>]",
        discussion: """
            Applies the pending migrations in order, each in its own transaction with its row in \
            schema_migrations. In the transaction of the last one it installs the code that is new, changed \
            or altered by hand, and drops the code that is in no file any more. A function that services of \
            the previous release may still call is kept, as retired.

            If something fails, its transaction is rolled back; migrations before it stay. The message names \
            file and line. Correct the file and run `up` again.

            A statement waits only briefly for a locked table. Then the transaction is rolled back and tried \
            again, so that the game never queues behind it.

            The code of a newer release stays, because its services need it.

            At the end it applies the rules of the game that settings name, as `juliet rules apply` does. It \
            does not change rules that no setting names. Words of your lists that the release blocks are retired. \
            Names may no longer have the parts that the release refuses, unless you have allowed them.
            """)

    @Option(
        help: ArgumentHelp(
            "The last version to apply. The code is installed with the newest only.", valueName: "version"))
    var to: Int?
    @Flag(help: "Apply a migration even if a newer one is applied already.") var allowOutOfOrder = false
    @Flag(help: "Install this release's code over that of a newer one.") var replaceNewerCode = false
    @Flag(help: "Show what would run, and run nothing, as `plan` does.") var dryRun = false
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        // A bad setting is reported before anything changes.
        let settings = Result { try options.database.settings(.rules) }
        guard !dryRun else {
            return try await options.run { runner, sources in
                try await MigratePlan.show(
                    sources, runner, to: to, allowingOutOfOrder: allowOutOfOrder, json: options.json)
            }
        }
        try await options.run(patience: patience) { runner, sources in
            try await up(runner, sources, settings.get())
        }
    }

    private func up(
        _ runner: MigrationRunner, _ sources: SchemaSources, _ settings: Settings
    ) async throws -> MigrateExit {
        // Other files go into the schema juliet, too.
        let name = try await TargetDatabase.checkMayBecomeJuliets(settings.database)
        let outcome = try await runner.up(
            sources.migrations, code: sources.code, to: to, allowingOutOfOrder: allowOutOfOrder,
            replacingNewerCode: replaceNewerCode)
        Terminal.print(
            options.json
                ? try Terminal.json(MigrateReport.Steps(outcome))
                : MigrateReport.outcome(outcome, database: options.folders.areOwn ? name : nil))
        // Other files, and an older version, may have no rules.
        if to == nil, options.folders.areOwn {
            try await RulesApply.apply(namedBy: settings)
            try await withSession(settings.database) { connection in
                try await WordListRecords(connection: connection).retireBlocked()
                try await NameRecords(connection: connection).refreshShipped()
            }
        }
        return .done
    }
}

/// `juliet migrate down`
struct MigrateDown: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Undo the newest migrations.",
        usage: "juliet migrate down [<count>] [<options>]",
        discussion: """
            First run `juliet migrate plan --down`: data that only the newer schema can hold are lost.

            It removes the code, because the code is written for the newer tables. Then it runs the \
            migrate:down parts, newest first, each in its own transaction. It names the release whose code \
            fits the older schema: run that release's `juliet migrate up` to install it.

            If one fails, its transaction is rolled back; what was undone before it stays undone, and the \
            message names it. `juliet migrate up` puts everything back.
            """)

    @Argument(help: "How many to undo.") var count = 1
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func validate() throws {
        guard count >= 1 else { throw ValidationError("the number of migrations to undo must be 1 or more") }
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
