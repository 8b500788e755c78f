import ArgumentParser
import JulietGame

/// `juliet audit`
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check all records, and print each fault.",
        usage: "juliet audit [--only <part> ...] [--since <time>] [<options>]",
        discussion: """
            Run this after you have restored a backup or moved servers, or when you suspect cheating. It \
            checks everything, and prints a line for each fault: the record, what is wrong with it, what to \
            do. The parts:

            schema      tables, keys, functions, owners, rights, and objects that are not Juliet's
            energy      balances and the ledger, as `juliet energy audit` does
            players     players, sessions, claims, wins
            games       judged games: words, marks, payments, statistics, streaks
            challenges  codes, words, players, payments, and their games
            boards      leaderboards: entries, counts, notes
            leagues     leagues, members, the games that their tables count
            words       words, lists, days, and what players have played
            purchases   transactions and notifications of the App Store
            lottery     participants, entries, draws, prizes
            trail       the audit trail, operators' keys, rules, grants

            Players play on meanwhile: they never wait for it. It reads them in batches, each in a snapshot of \
            about a second. The page audit.md lists the faults that no audit can find.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.

            Exit status: 0 nothing wrong, 1 error, 3 faults found, 64 wrong usage.
            """)

    @Option(
        parsing: .upToNextOption, help: ArgumentHelp("Check only these parts. Default: all.", valueName: "part"))
    var only: [Audit.Part] = []
    @Option(
        help: ArgumentHelp(
            "Check only players who did something since then (UTC), such as 2026-11-01 or 2026-11-01T08:30. Records that belong to no player are always checked.",
            valueName: "time"))
    var since: String?
    @Flag(help: "Print no progress on standard error.") var quiet = false
    @OptionGroup var archive: ArchiveOption
    @OptionGroup var options: WordsOptions

    func validate() throws {
        let time = #/\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?Z?/#
        if let since, since.wholeMatch(of: time) == nil {
            throw ValidationError("--since must be a day or a time in UTC, such as 2026-11-01 or 2026-11-01T08:30")
        }
    }

    func run() async throws {
        try await options.run { connection in
            try await archive.load(into: connection)
            var scope = Audit.Scope()
            if !only.isEmpty { scope.parts = Set(only) }
            scope.since = since.map { "\($0.hasSuffix("Z") ? String($0.dropLast()) : $0) UTC" }
            scope.hasFiles = archive.isGiven
            var audit = Audit(connection: connection, scope: scope)
            let start = ContinuousClock.now
            var findings: [AuditReport.Finding] = []
            var notes = ProgressNotes()
            let summary = try await audit.run { progress in
                if !quiet { notes.note(AuditReport.progress(progress)) }
            } report: { finding in
                if options.json {
                    findings.append(AuditReport.Finding(finding))
                } else {
                    Terminal.print("\(finding)")
                }
            }
            let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
            Terminal.print(
                options.json
                    ? try Terminal.json(
                        AuditReport.Document(summary, parts: scope.parts, seconds: seconds, findings: findings))
                    : AuditReport.audited(summary, seconds: seconds))
            if summary.count > 0 { throw ExitCode(3) }
        }
    }
}

extension Audit.Part: ExpressibleByArgument {}
