import ArgumentParser
import Migrations

/// `juliet migrate status`
struct MigrateStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show every migration and where it stands.",
        usage: "juliet migrate status [--json] [<options>]",
        discussion: """
            Compares the files with the table schema_migrations; changes nothing, takes no \
            lock. Exit status: 0 up to date, 2 migrations are pending, 3 drift.

            applied       done, and the file is what it was
            pending       not done yet
            interrupted   was under way outside a transaction; `up` finishes it
            out-of-order  not done, though a newer one is
            edited        done, and its file has changed since
            missing       done, and its file is gone
            newer         done by a newer release that leaves this one working
            unknown       done by a newer release that promises nothing

            In a Citus cluster it also says how the players are spread over its servers.
            """)

    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run { runner, files in
            let state = try await runner.state(of: files)
            let distribution = try await options.distribution()
            if options.json {
                Terminal.print(
                    try Terminal.json(
                        MigrateReport.State(
                            state, lines: state.lines,
                            distribution: distribution.map { MigrateReport.Distributed($0) })))
            } else {
                Terminal.print(
                    MigrateReport.status(state)
                        + (distribution.map { "\n" + MigrateReport.distribution($0) } ?? ""))
            }
            return MigrateExit(state)
        }
    }
}

/// `juliet migrate verify`
struct MigrateVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Name every file that is not what was applied.",
        usage: "juliet migrate verify [--json] [<options>]",
        discussion: """
            Names each edited, missing, unknown or out-of-order migration and what to do \
            about it. Line ends and byte order marks do not count as edits. Exit status: \
            0 files and database agree, 3 they do not. What is merely pending is no fault.
            """)

    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run { runner, files in
            let state = try await runner.state(of: files)
            Terminal.print(
                options.json
                    ? try Terminal.json(MigrateReport.State(state, lines: state.drift)) : MigrateReport.verify(state))
            return state.drift.isEmpty ? .done : .drift
        }
    }
}

/// `juliet migrate plan`
struct MigratePlan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what would run, with its SQL, and run nothing.",
        usage: "juliet migrate plan [--to <version> | --down <count>] [<options>]",
        discussion: """
            Prints the statements of `up`, or of `down` with --down, in the order in which \
            they would run. Exit status: 0 there is nothing to do, 2 there is, 3 drift.
            """)

    @Option(help: ArgumentHelp("The last version to apply.", valueName: "version")) var to: Int?
    @Option(help: ArgumentHelp("Show how so many would be taken back.", valueName: "count")) var down: Int?
    @Flag(help: "Apply a migration although a newer one already is.") var allowOutOfOrder = false
    @OptionGroup var options: MigrateOptions

    func validate() throws {
        if down != nil, to != nil || allowOutOfOrder {
            throw ValidationError("--down goes with neither --to nor --allow-out-of-order")
        }
        if let down, down < 1 { throw ValidationError("--down is 1 or more") }
    }

    func run() async throws {
        try await options.run { runner, files in
            let state = try await runner.state(of: files)
            let plan: MigrationPlan
            do throws(MigrationPlan.Refusal) {
                plan =
                    if let down { try .down(state, count: down) } else {
                        try .up(state, to: to, allowingOutOfOrder: allowOutOfOrder)
                    }
            } catch {
                throw MigrationError.refused(error)
            }
            let outcome = plan.steps.isEmpty ? MigrateExit.done : .pending
            Terminal.print(
                options.json
                    ? try Terminal.json(MigrateReport.Steps(plan.steps, outcome: outcome)) : MigrateReport.plan(plan))
            return outcome
        }
    }
}
