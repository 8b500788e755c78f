import Postgres

// The ledger's part: the proof of `juliet energy audit`, with its faults as findings of this audit.

/// The tables of ledgers as the audit of some players sees them: temporary views of the same names.
enum NarrowedTables {
    private static let columns = [
        "users": "id", "closed_ledgers": "user_id", "energy_ledger": "user_id", "energy_ledger_archive": "user_id",
        "energy_checkpoints": "user_id", "purchases": "user_id", "merges": "user_id",
    ]

    /// Makes them. They are dropped with the table `audited_players`.
    static let create = columns.sorted { $0.key < $1.key }.map { table, column in
        """
        CREATE TEMPORARY VIEW \(table) AS
        SELECT * FROM juliet.\(table) WHERE \(column) IN (SELECT user_id FROM audited_players);
        """
    }.joined(separator: "\n")

    /// A query over these tables in place of all players'.
    static func narrowed(_ sql: String) -> String {
        sql.replacing(#/juliet\.(\w+)/#) { name in
            columns[String(name.1)] == nil ? String(name.0) : "pg_temp.\(name.1)"
        }
    }
}

extension Audit {
    /// Proves the ledgers, in one snapshot.
    mutating func auditEnergy(
        _ progress: (Progress) -> Void,
        _ report: (AuditFinding) -> Void
    ) async throws(PostgresError) {
        let audit = EnergyAudit(connection: connection)
        let total = scope.since == nil ? try await audit.estimatedEntries() : nil
        var faults: [EnergyFault] = []
        var seen = EnergyAudit.Summary()
        let cursor = AuditedPlayer.cursor(hasFiles: scope.hasFiles)
        let hasFiles = scope.hasFiles
        let isNarrowed = scope.since != nil
        let text = isNarrowed ? NarrowedTables.narrowed(cursor) : cursor
        do throws(PostgresError) {
            try await connection.inTransaction(Self.snapshot + EnergyAudit.readsAll) {
                () async throws(PostgresError) in
                faults += try await AuditedRefills.faults(on: connection, hasFiles: hasFiles, isNarrowed: isNarrowed)
                faults += try await AuditedMerges.faults(on: connection, hasFiles: hasFiles, isNarrowed: isNarrowed)
                try await audit.readLedgers(
                    text, hasFiles, &seen,
                    { progress(Progress(part: "energy", done: $0.entries, total: total)) },
                    { if faults.count <= Self.mostOfAKind * 10 { faults.append($0) } })
            }
        } catch {
            let check = AuditCheck("energy.ledger", "", do: "", "")
            take(try Self.unreadable(check, .energy, error), report)
        }
        // The walk, if there is one, counts players anew: deleted ones have a ledger and no row.
        (summary.players, summary.entries) = (seen.players, seen.entries)
        for fault in faults { take(AuditFinding(fault, part: .energy), report) }
    }

    /// The findings of `AuditedLottery` and `AuditedPurchases` that are not about a player's ledger.
    func storeAndLotteryFindings() async throws(PostgresError) -> [AuditFinding] {
        let (parts, hasFiles) = (scope.parts, scope.hasFiles)
        do throws(PostgresError) {
            return try await connection.inTransaction(Self.snapshot) { () async throws(PostgresError) in
                var findings: [AuditFinding] = []
                if parts.contains(.purchases) {
                    findings += try await connection.execute(FindUnheededRefunds()).map {
                        AuditFinding(
                            EnergyFault(userID: nil, entry: nil, kind: .refundUnheeded($0)), part: .purchases)
                    }
                }
                if parts.contains(.lottery) {
                    findings += try await AuditedLottery.faults(on: connection, hasFiles: hasFiles).map {
                        AuditFinding($0, part: .lottery)
                    }
                }
                return findings
            }
        } catch {
            let part: Part = parts.contains(.lottery) ? .lottery : .purchases
            return [try Self.unreadable(AuditCheck("\(part.rawValue).ledger", "", do: "", ""), part, error)]
        }
    }
}

extension AuditFinding {
    /// A fault of the energy audit.
    init(_ fault: EnergyFault, part: Audit.Part) {
        self.init(
            part: part, kind: "\(part.rawValue).\(fault.kind.name)", userID: fault.userID,
            record: fault.entry.map { "entry \($0)" }, fault: "\(fault)", remedy: fault.kind.remedy)
    }
}

extension EnergyFault.Kind {
    /// The case's own name.
    fileprivate var name: String {
        let text = "\(self)"
        return String(text.prefix { $0.isLetter })
    }

    /// What docs/ledger.md says to do.
    fileprivate var remedy: String {
        switch self {
        case .schema: "follow \"At 3 a.m.\" in the page ledger.md"
        case .balance: "the ledger is right: correct the balance with users_energy_guard off, and write down why"
        case .playerMissing, .checkpointOfNobody, .namesOfNobody:
            "find out whether the player was deleted by hand or a restore was partial, and compare with a backup"
        case .purchaseOfNobody, .purchaseStrange, .purchaseUncredited, .purchaseMisstated:
            "follow \"Operators\" in the page purchases.md"
        case .refundUnheeded: "run `juliet purchases replay`"
        case .mergeMisstated, .mergeStrange: "compare merges and both ledgers with a backup"
        case .drawAltered, .prizeUncredited, .prizeStrange: "compare with a backup, and run `juliet lottery verify`"
        default: "Juliet writes no such ledger: compare with a backup to see which rows were changed or are missing"
        }
    }
}
