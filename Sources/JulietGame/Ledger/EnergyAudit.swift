package import Postgres

/// The proof that no energy was lost or doubled: every player's balance and ledger, compared in one snapshot.
///
/// It reads and locks nothing but reads, so it runs beside a live service; on both sides it needs the same memory for
/// any number of entries, for PostgreSQL sorts them on disk and players come one by one.
package struct EnergyAudit {
    /// What has been looked at.
    package struct Summary: Sendable, Equatable {
        /// Players, those deleted and known by a pseudonym included.
        package internal(set) var players = 0
        /// Entries of the ledger.
        package internal(set) var entries = 0
        /// Faults found; at most one a player.
        package internal(set) var faults = 0
    }

    private let connection: PostgresConnection

    /// Works on this session, of the role that owns the tables.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// About how many entries there are to read, from PostgreSQL's statistics.
    package func estimatedEntries() async throws(PostgresError) -> Int {
        try await connection.first(EstimateEntries()) ?? 0
    }

    /// Looks at every player.
    ///
    /// - Parameters:
    ///   - progress: Called now and then with what has been seen so far.
    ///   - report: Called with the first fault of a player, in no particular order.
    package func run(
        progress: (Summary) -> Void = { _ in },
        report: (EnergyFault) -> Void
    ) async throws(PostgresError) -> Summary {
        try await connection.executeScript(
            """
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
            SET LOCAL statement_timeout = 0;
            SET LOCAL work_mem = '64MB';
            SET LOCAL jit = off;
            SET LOCAL cursor_tuple_fraction = 1;
            """)
        do throws(PostgresError) {
            let summary = try await inSnapshot(progress, report)
            try await connection.executeScript("COMMIT")
            return summary
        } catch {
            try? await connection.executeScript("ROLLBACK")
            throw error
        }
    }

    private func inSnapshot(
        _ progress: (Summary) -> Void,
        _ report: (EnergyFault) -> Void
    ) async throws(PostgresError) -> Summary {
        var summary = Summary()
        for guardian in try await connection.execute(FindMissingGuards()) {
            summary.faults += 1
            report(EnergyFault(userID: nil, entry: nil, kind: .guardMissing(guardian)))
        }
        try await connection.executeScript(AuditedPlayer.cursor)
        while true {
            let players = try await connection.execute(FetchAuditedPlayers())
            for player in players {
                summary.players += 1
                summary.entries += player.entries
                guard var fault = player.fault else { continue }
                if case .chainBroken = fault.kind, let entry = fault.entry,
                    let detail = try await connection.first(ReadBrokenEntry(user: player.userID, entry: entry))
                {
                    fault.kind = .chainBroken(detail)
                }
                summary.faults += 1
                report(fault)
            }
            progress(summary)
            guard players.count == FetchAuditedPlayers.pageSize else { return summary }
        }
    }
}

/// What is wrong with a player's energy.
package struct EnergyFault: Sendable, Equatable {
    /// An entry that does not follow from the one before.
    package struct Break: Sendable, Equatable {
        let previousEntry: Int
        let previousBalance: Int
        let delta: Int
        let balanceAfter: Int
    }

    /// What can be wrong.
    package enum Kind: Sendable, Equatable {
        case guardMissing(String)
        case ledgerMissing(balance: Int)
        case playerMissing(entries: Int)
        case beginning(expected: Int)
        case opening(found: Int, expected: Int)
        case chainBroken(Break?)
        case reasonMisfit
        case lastEntry(ledger: Int, player: Int)
        case balance(ledger: Int, player: Int)
        case operationWithoutEntry(String)
    }

    /// The account id; nil when the schema itself is at fault.
    package let userID: String?
    /// The entry at fault, if it is one.
    package let entry: Int?
    /// What is wrong.
    package internal(set) var kind: Kind
}

extension EnergyFault: CustomStringConvertible {
    /// A sentence without the account id.
    package var description: String {
        let place = entry.map { "entry \($0)" } ?? ""
        return switch kind {
        case .guardMissing(let name): "\(name) is missing or disabled: nothing keeps ledger and balances together"
        case .ledgerMissing(let balance): "a balance of \(balance) and no ledger"
        case .playerMissing(let entries): "a ledger of \(entries) and no player"
        case .beginning(let expected): "the ledger begins with \(place) instead of \(expected)"
        case .opening(let found, let expected): "before \(place) there were \(found) instead of \(expected)"
        case .chainBroken(let detail?):
            "\(place) does not follow: entry \(detail.previousEntry) left \(detail.previousBalance), "
                + "\(detail.delta) makes \(detail.balanceAfter)"
        case .chainBroken(nil): "\(place) does not follow from the one before"
        case .reasonMisfit: "\(place) is no change that its reason allows"
        case .lastEntry(let ledger, let player): "the ledger ends with entry \(ledger), the player with \(player)"
        case .balance(let ledger, let player): "the balance is \(player), the ledger makes \(ledger)"
        case .operationWithoutEntry(let id): "operation \(id) was paid or bought and has no entry"
        }
    }
}

/// A player's side and the ledger's side.
struct AuditedPlayer: Sendable {
    let userID: String
    let balance: Int?
    let lastEntryOfPlayer: Int?
    let entries: Int
    let firstEntry: Int?
    let opening: Int?
    let lastEntry: Int?
    let sum: Int
    let brokenEntry: Int?
    let misfitEntry: Int?
    let archivedEntry: Int
    let archivedBalance: Int
    let unrecordedOperation: String?

    /// What a deleted player's ledger is kept under (`UserRecords`).
    static let pseudonymPrefix = "deleted-"

    /// The first fault, in the order of the ledger.
    var fault: EnergyFault? {
        func fault(_ kind: EnergyFault.Kind, at entry: Int? = nil) -> EnergyFault {
            EnergyFault(userID: userID, entry: entry, kind: kind)
        }
        guard let firstEntry, let opening, let lastEntry else { return fault(.ledgerMissing(balance: balance ?? 0)) }
        if firstEntry != archivedEntry + 1 {
            return fault(.beginning(expected: archivedEntry + 1), at: firstEntry)
        }
        if opening != archivedBalance {
            return fault(.opening(found: opening, expected: archivedBalance), at: firstEntry)
        }
        if let misfitEntry, misfitEntry < brokenEntry ?? .max { return fault(.reasonMisfit, at: misfitEntry) }
        if let brokenEntry { return fault(.chainBroken(nil), at: brokenEntry) }
        if let balance, let lastEntryOfPlayer {
            if lastEntryOfPlayer != lastEntry {
                return fault(.lastEntry(ledger: lastEntry, player: lastEntryOfPlayer))
            }
            if balance != opening + sum { return fault(.balance(ledger: opening + sum, player: balance)) }
        } else if !userID.hasPrefix(Self.pseudonymPrefix) {
            return fault(.playerMissing(entries: entries))
        }
        if let unrecordedOperation { return fault(.operationWithoutEntry(unrecordedOperation)) }
        return nil
    }

    /// One row a player. Ledgers are sorted once, then grouped as they come.
    static var cursor: String {
        // What was done and belongs in the ledger: requests that always change a balance when they are done.
        let requests = [
            Operation(Operation.ID(""), .payForGame), Operation(Operation.ID(""), .startGame),
            Operation(Operation.ID(""), .buyEnergy, "5"), Operation(Operation.ID(""), .buyEnergy, "30"),
        ].map { "\($0.request)" }.joined(separator: ", ")
        return """
            DECLARE audit NO SCROLL CURSOR FOR
            WITH chains AS (
                SELECT user_id, entry, delta, balance_after, reason, lag(entry) OVER chain AS previous_entry,
                    lag(balance_after) OVER chain AS previous_balance
                FROM energy_ledger WHERE entry IS NOT NULL WINDOW chain AS (PARTITION BY user_id ORDER BY entry)),
            ledgers AS (
                SELECT user_id, count(*) AS entries, sum(delta) AS total, min(entry) AS first_entry,
                    min(balance_after - delta) FILTER (WHERE previous_entry IS NULL) AS opening,
                    max(entry) AS last_entry,
                    min(entry) FILTER (WHERE entry <> previous_entry + 1
                        OR balance_after <> previous_balance + delta) AS broken_entry,
                    min(entry) FILTER (WHERE NOT CASE reason WHEN 'game' THEN delta < 0
                        WHEN 'purchase' THEN delta IN (5, 30) WHEN 'registration' THEN entry = 1
                        WHEN 'import' THEN entry = 1
                        ELSE delta <> 0 AND reason IS NOT NULL END) AS misfit_entry
                FROM chains GROUP BY user_id),
            unrecorded AS (
                SELECT user_id, min(operation_id) AS operation FROM energy_ledger
                WHERE entry IS NULL AND (is_done AND operation_request IN (\(requests)) OR delta <> 0) GROUP BY 1)
            SELECT coalesce(users.id, ledgers.user_id) AS player, energy, energy_entry, coalesce(entries, 0),
                first_entry, opening, last_entry, coalesce(total, 0), broken_entry, misfit_entry,
                coalesce(energy_checkpoints.entry, 0), coalesce(energy_checkpoints.balance, 0),
                unrecorded.operation
            FROM users FULL JOIN ledgers ON ledgers.user_id = users.id
                LEFT JOIN energy_checkpoints
                    ON energy_checkpoints.user_id = coalesce(users.id, ledgers.user_id)
                LEFT JOIN unrecorded ON unrecorded.user_id = coalesce(users.id, ledgers.user_id)
            """
    }
}

private struct FetchAuditedPlayers: Statement {
    static let sql: StaticString = "FETCH 1000 FROM audit"
    static let pageSize = 1000

    func bind(to parameters: inout Parameters) {}

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AuditedPlayer {
        AuditedPlayer(
            userID: try row.next(), balance: try row.next(Int32?.self).map(Int.init),
            lastEntryOfPlayer: try row.next(Int32?.self).map(Int.init), entries: Int(try row.next(Int64.self)),
            firstEntry: try row.next(Int32?.self).map(Int.init), opening: try row.next(Int32?.self).map(Int.init),
            lastEntry: try row.next(Int32?.self).map(Int.init), sum: Int(try row.next(Int64.self)),
            brokenEntry: try row.next(Int32?.self).map(Int.init),
            misfitEntry: try row.next(Int32?.self).map(Int.init), archivedEntry: Int(try row.next(Int32.self)),
            archivedBalance: Int(try row.next(Int32.self)), unrecordedOperation: try row.next())
    }
}

private struct ReadBrokenEntry: Statement {
    static let sql: StaticString = """
        SELECT previous_entry, previous_balance, delta, balance_after
        FROM (SELECT entry, delta, balance_after, lag(entry) OVER chain AS previous_entry,
                lag(balance_after) OVER chain AS previous_balance
            FROM energy_ledger WHERE user_id = $1 WINDOW chain AS (ORDER BY entry)) AS entries
        WHERE entry = $2 AND (entry <> previous_entry + 1 OR balance_after <> previous_balance + delta)
        LIMIT 1
        """
    static let access = StatementAccess.read
    let user: String
    let entry: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(Int32(clamping: entry))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> EnergyFault.Break {
        EnergyFault.Break(
            previousEntry: Int(try row.next(Int32.self)), previousBalance: Int(try row.next(Int32.self)),
            delta: Int(try row.next(Int32.self)), balanceAfter: Int(try row.next(Int32.self)))
    }
}

/// What keeps ledger and balances together and is not there, or switched off.
private struct FindMissingGuards: Statement {
    static let sql: StaticString = """
        SELECT name FROM (VALUES ('the trigger users_energy_change'), ('the trigger users_first_energy'),
            ('the key energy_ledger_pkey')) AS guards (name)
        WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'users'::regclass
                AND 'the trigger ' || tgname = name AND tgenabled IN ('O', 'A'))
            AND NOT EXISTS (SELECT FROM pg_constraint JOIN pg_index ON indexrelid = conindid
                WHERE conrelid = 'energy_ledger'::regclass
                AND 'the key ' || conname = name AND indisunique AND indisvalid)
        ORDER BY name
        """
    static let access = StatementAccess.read

    func bind(to parameters: inout Parameters) {}

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

private struct EstimateEntries: Statement {
    static let sql: StaticString =
        "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'energy_ledger'::regclass"
    static let access = StatementAccess.read

    func bind(to parameters: inout Parameters) {}

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}
