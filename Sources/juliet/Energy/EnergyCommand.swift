import ArgumentParser
import JulietGame
import Postgres

/// `juliet energy …`
struct EnergyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "energy",
        abstract: "Audit, show and maintain the energy ledger.",
        discussion: """
            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the \
            service's.

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
        abstract: "Check that every balance agrees with its ledger.",
        usage: "juliet energy audit [--archive <file> ...] [--quiet] [<options>]",
        discussion: """
            It checks:

              - The entries follow one another without a gap, through ledger and archive.
              - Each entry's balance is the previous entry's balance plus its change.
              - The reason of each entry allows its change.
              - Times do not run backwards.
              - The player's balance is the sum of the changes.
              - The checksum shows that no entry was altered or cut off.
              - No operation is recorded twice, and each that spent or bought energy
                has its entry.
              - Every transaction of the App Store has its credit, every refund its debit.
              - Every draw of the lottery follows from its seed and its list, and every
                prize has its credit.

            It prints the first fault of each player. Then it checks the schema: everything that protects \
            the ledger is there and unaltered, and the service has only the rights that it needs.

            With --archive it also checks the entries that `juliet energy archive --to` moved to files.

            It reads everything in one snapshot and takes no locks, so it can run beside a live service.
            """)

    @Flag(help: "Print no progress on standard error.") var quiet = false
    @OptionGroup var archive: ArchiveOption
    @OptionGroup var options: WordsOptions

    func run() async throws {
        try await options.run { connection in
            try await archive.load(into: connection)
            let audit = EnergyAudit(connection: connection)
            let start = ContinuousClock.now
            let estimate = try await audit.estimatedEntries()
            if !quiet, estimate > 100_000 { Terminal.note("reading about \(counted(estimate, "row"))") }
            var faults: [EnergyReport.Fault] = []
            var notes = ProgressNotes()
            let summary = try await audit.run(hasFiles: archive.isGiven) { summary in
                if !quiet { notes.note(EnergyReport.progress(summary)) }
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
        usage: "juliet energy history <id> [--archive <file> ...] [<options>]",
        discussion: """
            A game that /v2 judged is shown with its id, a game of the app with its word. --json adds the \
            names of the operations. --archive adds the entries that `juliet energy archive --to` moved to \
            files.
            """)

    @Argument(help: .player) var id: String
    @Option(help: ArgumentHelp("How many changes, counted from the newest.", valueName: "count")) var last = 50
    @OptionGroup var archive: ArchiveOption
    @OptionGroup var options: WordsOptions

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last must be 1 or more") }
    }

    func run() async throws {
        try await options.run { connection in
            try await archive.load(into: connection)
            let ledger = EnergyLedger(connection: connection)
            let entries = try await ledger.history(of: User.ID(id), last: last, hasFiles: archive.isGiven)
            guard let first = entries.first else { throw try await CommandError.noPlayer(id, connection) }
            if options.json {
                Terminal.print(try Terminal.json(entries))
            } else {
                Terminal.print(EnergyReport.history(entries))
                let filed = try await ledger.entriesInFiles(of: User.ID(id))
                if first.entry == filed + 1, filed > 0, !archive.isGiven {
                    Terminal.note("\(counted(filed, "older change")) in files: --archive reads them")
                } else if first.entry > 1 {
                    Terminal.note("\(counted(first.entry - 1, "older change")): --last shows more")
                }
            }
        }
    }
}

/// Files that entries were moved to.
struct ArchiveOption: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The files of `juliet energy archive --to`: name all of them.", valueName: "file"))
    var archive: [String] = []

    /// Whether there are any.
    var isGiven: Bool { !archive.isEmpty }

    /// Reads the files into the session.
    func load(into connection: PostgresConnection) async throws {
        if isGiven { try await EnergyArchiveFile.load(archive, into: connection) }
    }
}
