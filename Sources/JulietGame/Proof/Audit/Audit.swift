import Migrations
package import Postgres

/// Checks all records and the database itself, and finds faults.
///
/// It locks only against changes of the schema. Players are checked in portions, each in a snapshot of its own that
/// lasts for about a second, so it holds back no vacuum of a service that runs; boards, trails and the ledger are read in one
/// snapshot each. Here it needs memory for one portion's findings, on the server for the hash tables and sorts that
/// PostgreSQL bounds.
package struct Audit {
    /// The parts that can be checked separately.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        case schema, energy, players, games, challenges, boards, leagues, words, purchases, lottery, trail
    }

    /// What to check.
    package struct Scope: Sendable {
        /// The parts.
        package var parts: Set<Part> = Set(Part.allCases)
        /// Only players who did something at that time or later, as PostgreSQL reads it; nil: all. Records that are not
        /// about players are always checked.
        package var since: String?
        /// Whether files of the archive were loaded (``EnergyArchiveFile/load(_:into:)``): then they are checked as well.
        package var hasFiles = false

        /// Everything.
        package init() {}
    }

    /// What has been checked.
    package struct Summary: Sendable, Equatable {
        /// Players that were read; nil: no part in the scope reads them.
        package internal(set) var players: Int?
        /// Entries of the ledger; nil: the energy is not in the scope.
        package internal(set) var entries: Int?
        /// Findings by kind. If there are more than ``Audit/mostOfAKind`` of a kind, not all are counted.
        package internal(set) var findings: [String: Int] = [:]
        /// How many findings there are.
        package var count: Int { findings.values.reduce(0, +) }
        /// The kinds of which there are more findings than were reported.
        package var kindsCutShort: [String] { findings.filter { $0.value > Audit.mostOfAKind }.keys.sorted() }
    }

    /// How far the audit is.
    package struct Progress: Sendable {
        /// The part that is being checked.
        package let part: String
        /// How many are done; nil: unknown.
        package let done: Int?
        /// About how many there are.
        package let total: Int?
    }

    /// How many findings of a kind are reported.
    package static let mostOfAKind = 1000

    let connection: PostgresConnection
    let scope: Scope
    var summary = Summary()

    /// Works on this session, of the role that owns the tables.
    package init(connection: PostgresConnection, scope: Scope = Scope()) {
        self.connection = connection
        self.scope = scope
    }

    /// Checks what is in the scope.
    ///
    /// - Parameters:
    ///   - progress: Called now and then.
    ///   - report: Called with each finding, by parts; at most ``mostOfAKind`` of a kind.
    package mutating func run(
        progress: (Progress) -> Void = { _ in },
        report: (AuditFinding) -> Void
    ) async throws(PostgresError) -> Summary {
        summary = Summary()
        if scope.parts.contains(.schema) {
            progress(Progress(part: "schema", done: nil, total: nil))
            for finding in try await schemaFindings() { take(finding, report) }
        }
        if scope.since != nil { try await narrow() }
        if scope.parts.contains(.energy) { try await auditEnergy(progress, report) }
        let checks = Part.allCases.filter(scope.parts.contains).flatMap { part in
            self.checks(of: part).map { (part, $0) }
        }
        for (part, check) in checks where !check.isWalked {
            progress(Progress(part: check.name, done: nil, total: nil))
            for finding in try await findings(of: check, part) { take(finding, report) }
        }
        if scope.parts.contains(.lottery) || scope.parts.contains(.purchases) {
            for finding in try await storeAndLotteryFindings() { take(finding, report) }
        }
        try await walk(checks.filter(\.1.isWalked), progress, report)
        if scope.since != nil { try await connection.executeScript("DROP TABLE audited_players CASCADE") }
        return summary
    }

    private func checks(of part: Part) -> [AuditCheck] {
        switch part {
        case .schema, .energy: []
        case .players: PlayerChecks.all + AccountChecks.all
        case .games: GameChecks.all
        case .challenges: ChallengeChecks.all
        case .boards: BoardChecks.all
        case .leagues: LeagueChecks.all
        case .words: WordChecks.all
        case .purchases: PurchaseChecks.all
        case .lottery: LotteryChecks.all
        case .trail: TrailChecks.all(hasFiles: scope.hasFiles)
        }
    }

    /// Counts a finding, and reports it unless there were many of its kind.
    mutating func take(_ finding: AuditFinding, _ report: (AuditFinding) -> Void) {
        let count = (summary.findings[finding.kind] ?? 0) + 1
        summary.findings[finding.kind] = count
        if count <= Self.mostOfAKind { report(finding) }
    }

    /// The beginning of a snapshot. It leaves the other processors to the service. Joins of two portions are always hashed
    /// or merged, whatever the planner estimates: nested loops are fast for few rows and take forever for many.
    static let snapshot = """
        BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
        \(FixedSettings.setLocal.joined(separator: ";\n"));
        \(Schema.goHome);
        -- Of several servers each has its copy of the table days, which day_at reads.
        SET LOCAL citus.propagate_set_commands = 'local';
        SET LOCAL citus.allow_nested_distributed_execution = on;
        SET LOCAL statement_timeout = 0;
        SET LOCAL work_mem = '64MB';
        SET LOCAL jit = off;
        SET LOCAL max_parallel_workers_per_gather = 0;
        SET LOCAL enable_nestloop = off;
        SET LOCAL client_min_messages = warning;
        """

    /// What a check of everything finds.
    private func findings(of check: AuditCheck, _ part: Part) async throws(PostgresError) -> [AuditFinding] {
        do throws(PostgresError) {
            return try await connection.inTransaction(Self.snapshot) { () async throws(PostgresError) in
                try await read(check, part, [])
            }
        } catch {
            return [try Self.unreadable(check, part, error)]
        }
    }

    /// Runs a check in the snapshot that is open.
    ///
    /// - Parameter bounds: After which id, and up to which one; empty for a check of everything.
    func read(_ check: AuditCheck, _ part: Part, _ bounds: [String]) async throws(PostgresError) -> [AuditFinding] {
        // One more than are reported, to know whether there are more.
        let query = check.query(isNarrowed: scope.since != nil, most: Self.mostOfAKind + 1)
        return try await connection.query(SQLText(trusted: query), bounds) { row throws(PostgresDecodingError) in
            let userID = try row.next(String?.self)
            let record = try row.next(String?.self)
            let more = try row.next(String?.self)
            return AuditFinding(
                part: part, kind: check.name, userID: userID, record: record,
                fault: more.map { "\(check.says) (\($0))" } ?? check.says, remedy: check.remedy)
        }
    }

    /// Says that a check cannot be done on this schema. Other errors are thrown on.
    static func unreadable(
        _ check: AuditCheck, _ part: Part, _ error: PostgresError
    ) throws(PostgresError) -> AuditFinding {
        // "Syntax error or access rule violation": a table, column or function is missing or altered. "Feature not
        // supported": a cluster cannot join what has been altered.
        guard error.code == .server, ["42", "0A"].contains(error.sqlState?.classCode) else { throw error }
        return AuditFinding(
            part: part, kind: check.name, userID: nil, record: nil,
            fault: "it cannot be checked: \(error.operatorMessage ?? error.description)",
            remedy: "first repair what --only schema names, then audit again")
    }
}
