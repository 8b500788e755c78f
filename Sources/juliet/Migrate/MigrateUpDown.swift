import ArgumentParser
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

    var options: MigrationRunner.Options {
        var options = MigrationRunner.Options()
        options.lockWait = .seconds(wait)
        options.lockTimeout = .seconds(lockTimeout)
        options.lockAttempts = lockAttempts
        options.lockStrategy = lock
        return options
    }
}

/// `juliet migrate up`
struct MigrateUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Apply what is pending.",
        usage: "juliet migrate up [--to <version>] [<options>]",
        discussion: """
            Applies the pending migrations in order, each in a transaction of its own with \
            its ledger row. When one fails, nothing of it stays, the ones before it do, and \
            the message names file and line; mend the file and run `up` again.

            A statement waits for a locked table only briefly, then the migration is rolled \
            back and tried again, so the game never queues behind it.
            """)

    @Option(help: ArgumentHelp("The last version to apply.", valueName: "version")) var to: Int?
    @Flag(help: "Apply a migration although a newer one already is.") var allowOutOfOrder = false
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run(options: patience.options) { runner, files in
            let steps = try await runner.up(files, to: to, allowingOutOfOrder: allowOutOfOrder)
            Terminal.print(
                options.json
                    ? try Terminal.json(MigrateReport.Steps(steps, outcome: .done)) : MigrateReport.outcome(steps))
            return .done
        }
    }
}

/// `juliet migrate down`
struct MigrateDown: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Take back the newest migrations.",
        usage: "juliet migrate down [<count>] [<options>]",
        discussion: """
            Runs the migrate:down parts, newest first. Data that only the newer schema could \
            hold is gone after that: see `juliet migrate plan --down` first.
            """)

    @Argument(help: "How many to take back.") var count = 1
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func validate() throws {
        guard count >= 1 else { throw ValidationError("how many to take back is 1 or more") }
    }

    func run() async throws {
        try await options.run(options: patience.options) { runner, files in
            let steps = try await runner.down(files, count: count)
            Terminal.print(
                options.json
                    ? try Terminal.json(MigrateReport.Steps(steps, outcome: .done)) : MigrateReport.outcome(steps))
            return .done
        }
    }
}
