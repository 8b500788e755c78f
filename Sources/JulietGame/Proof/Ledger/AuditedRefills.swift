import Postgres

/// The audit's part about energy that comes back: each refill of a player was due, by the entries before it and the rules of
/// that time. It computes again what `schema/energy/refill.sql` does.
struct AuditedRefills {
    /// The rule by which energy came back from a moment on. Times are microseconds since 1970.
    struct Rule: Sendable {
        let since: Int64
        let amount: Int
        /// Microseconds.
        let every: Int64
        let upTo: Int
    }

    /// An entry of a player who had refills.
    struct Entry: Sendable {
        let userID: String
        let number: Int
        let delta: Int
        let balance: Int
        let isRefill: Bool
        let time: Int64
        /// The latest possible time: of entries of a deleted player and in files, only the day is known.
        let until: Int64
        /// When a player of the app became this one.
        let claimedAt: Int64?
    }

    /// A change of rules is seen when its transaction commits: for ten minutes either rule may apply.
    private static let tolerance: Int64 = 600_000_000

    private let rules: [Rule]
    private var player: String?
    private var due = 0
    private var since = Int64.min
    private var lastTime = Int64.min
    /// After the server's clock was set back, entries have the time of the last one until it has caught up. How much time went
    /// by for the clock of refills is not known then.
    private var isBehind = false

    /// Judges by these rules, the oldest first.
    init(rules: [Rule]) { self.rules = rules }

    /// Checks the next entry. Entries come by player, and each player's by number.
    ///
    /// - Returns: The number of a refill that was not due.
    mutating func take(_ entry: Entry) -> Int? {
        let before = entry.balance - entry.delta
        if entry.userID != player {
            player = entry.userID
            // If earlier entries are not known, anything may have been due.
            due = entry.number == 1 ? 0 : max(0, (rules.map(\.upTo).max() ?? 0) - before)
            since = entry.claimedAt ?? entry.time
            isBehind = false
        } else if entry.time == lastTime, entry.until == entry.time {
            isBehind = true
        }
        lastTime = entry.time
        guard entry.isRefill || entry.delta < 0, entry.until >= entry.claimedAt ?? .min else { return nil }
        // The most lenient case: clocks begin as early as possible, and refills are as late as possible.
        advance(to: entry.isRefill ? entry.until : entry.time, balance: before, standingAt: entry.time)
        guard entry.isRefill else { return nil }
        if isBehind {
            // Anything may have been due, and the next one may be as soon as that.
            (isBehind, due) = (false, 0)
            since = min(since, entry.time - (rules.map(\.every).max() ?? 0))
            return nil
        }
        defer { due = max(0, due - entry.delta) }
        let changed = rules.contains { rule in
            rule.since > .min && entry.time - Self.tolerance < rule.since && rule.since < entry.until + Self.tolerance
        }
        return entry.delta <= due || changed ? nil : entry.number
    }

    /// Adds the energy that became due until `moment`. A clock that is stopped then counts as stopped since `earliest`,
    /// which is not later.
    private mutating func advance(to moment: Int64, balance: Int, standingAt earliest: Int64) {
        for (index, rule) in rules.enumerated() where rule.since <= moment {
            let next = index + 1 < rules.count ? rules[index + 1].since : .max
            guard next > since else { continue }
            let end = min(next, moment)
            let isOn = rule.amount > 0 && rule.every > 0 && rule.upTo > 0
            let missing = isOn ? max(0, rule.upTo - balance) : 0
            if missing > 0 {
                let refills = max(0, end - since) / rule.every
                let more = Int(refills).multipliedReportingOverflow(by: rule.amount)
                due = more.overflow ? missing : min(due + more.partialValue, missing)
                if due < missing {
                    since += refills * rule.every
                    continue
                }
            }
            due = missing
            since = max(since, min(end, earliest))
        }
    }
}

extension AuditedRefills {
    /// The first refill of each player that was not due.
    ///
    /// - Parameters:
    ///   - hasFiles: Whether the entries in files are known.
    ///   - isNarrowed: Whether to check only some players (``NarrowedTables``).
    static func faults(
        on connection: PostgresConnection, hasFiles: Bool, isNarrowed: Bool = false
    ) async throws(PostgresError) -> [EnergyFault] {
        var audit = AuditedRefills(rules: try await connection.execute(ReadRefillRules()))
        var faults: [EnergyFault] = []
        let cursor = cursor(hasFiles: hasFiles)
        try await connection.executeScript(isNarrowed ? NarrowedTables.narrowed(cursor) : cursor)
        while true {
            let entries = try await connection.execute(FetchRefillEntries())
            for entry in entries {
                guard let number = audit.take(entry), faults.last?.userID != entry.userID else { continue }
                faults.append(EnergyFault(userID: entry.userID, entry: number, kind: .refillEarly))
            }
            guard entries.count == FetchRefillEntries.pageSize else { break }
        }
        try await connection.executeScript("CLOSE refills")
        return faults
    }

    private static func cursor(hasFiles: Bool) -> String {
        """
        DECLARE refills NO SCROLL CURSOR FOR
        WITH entries AS NOT MATERIALIZED (\(AuditedPlayer.allEntries(hasFiles: hasFiles)))
        SELECT entries.user_id, entry, delta, balance_after, reason = 'refill', entries.created_at,
            \(AuditedPlayer.lastMoment), claimed_at
        FROM entries LEFT JOIN juliet.claims ON coalesce(claims.ledger, claims.user_id) = entries.user_id
        WHERE entries.user_id IN (SELECT user_id FROM entries WHERE reason = 'refill')
        ORDER BY entries.user_id, entry
        """
    }
}

private struct ReadRefillRules: Statement {
    var sql: StaticString {
        """
        SELECT CASE WHEN isfinite(since) THEN since END, refill_amount, refill_every, refill_up_to
        FROM juliet.rules ORDER BY since
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AuditedRefills.Rule {
        AuditedRefills.Rule(
            since: try row.next(PostgresTimestamp?.self)?.microsecondsSince1970 ?? .min,
            amount: Int(try row.next(Int32.self)), every: Int64(try row.next(Int32.self)) * 1_000_000,
            upTo: Int(try row.next(Int32.self)))
    }
}

private struct FetchRefillEntries: Statement {
    var sql: StaticString { "FETCH 1000 FROM refills" }
    static let pageSize = 1000

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> AuditedRefills.Entry {
        AuditedRefills.Entry(
            userID: try row.next(), number: Int(try row.next(Int32.self)), delta: Int(try row.next(Int32.self)),
            balance: Int(try row.next(Int32.self)), isRefill: try row.next(Bool?.self) ?? false,
            time: try row.next(PostgresTimestamp.self).microsecondsSince1970,
            until: try row.next(PostgresTimestamp.self).microsecondsSince1970,
            claimedAt: try row.next(PostgresTimestamp?.self)?.microsecondsSince1970)
    }
}
