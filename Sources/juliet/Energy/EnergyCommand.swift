import ArgumentParser
import JulietGame

/// `juliet energy …`
struct EnergyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "energy",
        abstract: "Prove, show and tend the energy ledger.",
        discussion: """
            The database is --database, or the running `juliet dev` in --data, or \
            DATABASE_URL, or what libpq's PG* variables say. Connect as the role that owns \
            the tables, not as the service's.

            Exit status: 0 done, 1 error or no such player, 3 the audit found faults, 64 \
            wrong usage.
            """,
        subcommands: [
            EnergyAuditCommand.self, EnergyHistory.self, EnergyGrant.self, EnergyArchive.self, EnergyPrune.self,
        ]
    )
}

/// `juliet energy audit`
struct EnergyAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Prove that every balance is what its ledger makes.",
        usage: "juliet energy audit [--quiet] [<options>]",
        discussion: """
            For every player: the entries follow one another without a gap, each balance is \
            the one before and the change, each reason allows its change, the balance is \
            the sum, no operation is recorded twice and each that was paid or bought has \
            its entry. Prints the first fault of each player.

            Everything is read in one snapshot and nothing is locked, so it can run beside \
            a live service.
            """)

    @Flag(help: "No progress on standard error.") var quiet = false
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            let audit = EnergyAudit(connection: connection)
            let start = ContinuousClock.now
            let estimate = try await audit.estimatedEntries()
            if !quiet, estimate > 100_000 { Terminal.note("reading about \(counted(estimate, "row"))") }
            var faults: [EnergyReport.Fault] = []
            var nextNote = start + .seconds(2)
            let summary = try await audit.run { summary in
                guard !quiet, ContinuousClock.now >= nextNote else { return }
                nextNote = ContinuousClock.now + .seconds(2)
                Terminal.note(EnergyReport.progress(summary))
            } report: { fault in
                if options.json {
                    faults.append(EnergyReport.Fault(fault))
                } else {
                    Terminal.print(EnergyReport.fault(fault))
                }
            }
            let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
            Terminal.print(
                options.json
                    ? try Terminal.json(EnergyReport.Audit(summary, seconds: seconds, faults: faults))
                    : EnergyReport.audited(summary, seconds: seconds))
            if summary.faults > 0 { throw ExitCode(3) }
        }
    }
}

/// `juliet energy history`
struct EnergyHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show where a player's energy came from and went.",
        usage: "juliet energy history <id> [--last <count>] [<options>]",
        discussion: "With --json the names of the operations are there too.")

    @Argument(help: "The account id, exactly as the app spells it.") var id: String
    @Option(help: ArgumentHelp("How many changes, counted from the newest.", valueName: "count")) var last = 50
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last is 1 or more") }
    }

    func run() async throws {
        try await options.run { connection in
            let entries = try await EnergyLedger(connection: connection).history(of: User.ID(id), last: last)
            guard let first = entries.first else { throw CommandError("there is no player \(id.debugDescription)") }
            if options.json {
                Terminal.print(try Terminal.json(entries.map(EnergyReport.Change.init)))
            } else {
                Terminal.print(EnergyReport.history(entries))
                if first.entry > 1 { Terminal.note("\(counted(first.entry - 1, "older change")): --last shows more") }
            }
        }
    }
}
