import ArgumentParser
import Migrations

/// `juliet migrate status`
struct MigrateStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of migrations and code.",
        usage: "juliet migrate status [--json] [<options>]",
        discussion: """
            Compares the files with the tables schema_migrations and schema_code and with the functions in \
            the database. It changes nothing and takes no lock. Exit status: 0 up to date, 2 migrations or \
            code are pending, 3 drift.

            applied       done, and its file has not changed
            pending       not done yet
            interrupted   interrupted outside a transaction; `up` finishes it
            out-of-order  not done, though a newer one is
            edited        done, and its file has changed since
            missing       done, and its file is gone
            newer         done by a newer release; this release still works
            unknown       done by a newer release; this release does not work with it

            It also lists the code that `up` would change, and what is retired:

            new           not installed yet
            changed       installed, as an earlier release had it
            gone          installed, but in no file any more
            altered       changed by hand since it was installed, or given other rights
            retired       kept for services of the previous release

            In a Citus cluster it also says how the players are spread over its servers.
            """)

    @OptionGroup var instance: InstanceOption
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        var options = options
        do {
            options.database = try instance.applied(to: options.database)
        } catch {
            try MigrateExit.end(after: error, json: options.json)
        }
        try await show(options)
    }

    private func show(_ options: MigrateOptions) async throws {
        try await options.run { runner, sources in
            let state = try await sources.compare(runner)
            let distribution = try await options.distribution()
            if options.json {
                Terminal.print(
                    try Terminal.json(
                        MigrateReport.State(
                            state, lines: state.migrations.lines,
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
        abstract: "List files and functions that differ from what was applied.",
        usage: "juliet migrate verify [--json] [<options>]",
        discussion: """
            Lists each migration that is edited, missing, unknown or out of order, and each function or \
            trigger that was altered by hand, and says what to do. Line ends and byte order marks do not \
            count as edits. Pending migrations are not a fault. Exit status: 0 files and database agree, 3 they \
            do not.
            """)

    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run { runner, sources in
            let state = try await sources.compare(runner)
            Terminal.print(
                options.json
                    ? try Terminal.json(
                        MigrateReport.State(state, lines: state.otherFiles?.lines ?? state.migrations.drift))
                    : MigrateReport.verify(state))
            return state.hasDrift ? .drift : .done
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
            Prints the statements of `up`, or of `down` with --down, in the order in which they would run. For \
            each migration it says whether services of the previous release can keep running; if not, stop them \
            before `up`.

            It plans what this program carries. After an upgrade of the package these are the migrations of the \
            new release, though the services still run the old one. `juliet migrate status` shows them too. Exit \
            status: 0 nothing to do, 2 something to do, 3 drift.
            """)

    @Option(help: ArgumentHelp("The last version to apply.", valueName: "version")) var to: Int?
    @Option(help: ArgumentHelp("Show how this many migrations would be undone.", valueName: "count")) var down: Int?
    @Flag(help: "Apply a migration even if a newer one is applied already.") var allowOutOfOrder = false
    @OptionGroup var options: MigrateOptions

    func validate() throws {
        if down != nil, to != nil || allowOutOfOrder {
            throw ValidationError("--down cannot be combined with --to or --allow-out-of-order")
        }
        if let down, down < 1 { throw ValidationError("--down must be 1 or more") }
    }

    func run() async throws {
        try await options.run { runner, sources in
            try await Self.show(
                sources, runner, to: to, down: down, allowingOutOfOrder: allowOutOfOrder, json: options.json)
        }
    }

    /// Prints what would run.
    static func show(
        _ sources: SchemaSources, _ runner: MigrationRunner, to: Int? = nil, down: Int? = nil,
        allowingOutOfOrder: Bool = false, json: Bool
    ) async throws -> MigrateExit {
        let state = try await sources.compare(runner)
        if let others = state.otherFiles { throw others }
        let plan: MigrationPlan
        do throws(MigrationPlan.Refusal) {
            plan =
                if let down { try .down(state.migrations, count: down) } else {
                    try .up(state.migrations, to: to, allowingOutOfOrder: allowingOutOfOrder)
                }
        } catch {
            throw MigrationError.refused(error)
        }
        let newest = sources.migrations.last?.version ?? 0
        let installsCode = down == nil && to ?? .max >= newest && state.isCodePending
        let code = installsCode ? state.code?.pending ?? [] : []
        let isFirst = state.migrations.lines.allSatisfy { $0.entry == nil }
        let outcome = plan.steps.isEmpty && !installsCode ? MigrateExit.done : .pending
        Terminal.print(
            json
                ? try Terminal.json(MigrateReport.Steps(plan.steps, code: code, outcome: outcome, isFirst: isFirst))
                : MigrateReport.plan(
                    plan, code: code, removesCode: down != nil && state.code?.hasAny == true, isFirst: isFirst))
        return outcome
    }
}
