package import Postgres

/// The ledger for operators, over one session of the role that owns the tables.
package struct EnergyLedger {
    /// One change of a balance.
    package struct Entry: Sendable, Hashable, Encodable {
        /// Its place in the player's ledger, from 1.
        package let entry: Int
        /// When, ISO 8601 in UTC.
        package let at: String
        /// By how much.
        package let delta: Int
        /// The balance after it.
        package let balanceAfter: Int
        /// Why: `registration`, `import`, `game`, `purchase`, `client_report`, `support`, `refund` or
        /// `lottery`.
        package let reason: String
        /// What it was for: the word of a game of the app, the id of a judged one, the reason of support, a transaction
        /// of the App Store, the number of a draw.
        package let reference: String?
        /// The name of the operation, if it had one.
        package let operationID: String?
    }

    private let connection: PostgresConnection

    /// How long an entry's operation must be recognised: younger entries are neither moved nor pruned.
    package static let minimumDays = 400
    /// How much can be granted at a time. The command's help, the admin page and its API take it from here; the schema
    /// checks the same (`move_energy`).
    package static let grants = 1...1_000_000

    /// Whether a text can be a reason: up to 500 characters, and not only blanks.
    package static func isReason(_ text: String) -> Bool {
        text.unicodeScalars.count <= 500 && !text.allSatisfy(\.isWhitespace) && !text.unicodeScalars.contains("\0")
    }

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// The last changes of a balance, oldest first, with those in the archive and in files that were loaded
    /// (``EnergyArchiveFile/load(_:into:)``).
    ///
    /// - Parameters:
    ///   - count: How many at most.
    ///   - hasFiles: Whether files were loaded.
    /// - Returns: Empty for an unknown player.
    package func history(
        of user: User.ID, last count: Int, hasFiles: Bool = false
    ) async throws(PostgresError) -> [Entry] {
        let rows: [Entry] = try await connection.query(
            hasFiles ? Self.entries + Self.filedEntries + Self.newestFirst : Self.entries + Self.newestFirst,
            [user.rawValue, Int64(count)], decode: Entry.init)
        return rows.reversed()
    }

    /// How many of a player's first entries are in files.
    package func entriesInFiles(of user: User.ID) async throws(PostgresError) -> Int {
        try await connection.first(CountEntriesInFiles(user: user)) ?? 0
    }

    /// Gives a player energy, once, and records who did.
    ///
    /// - Parameters:
    ///   - amount: Within ``grants``.
    ///   - reason: For the ledger; one that ``isReason(_:)`` accepts.
    ///   - actor: The name for the audit trail.
    ///   - id: The name of this grant: a repeat gives nothing more.
    /// - Returns: Refused for an unknown player, a balance that would be too high, and a name that was used for
    ///   something else.
    /// - Throws: With the code `outcomeUnknown` it may have been granted: grant again under the same name.
    package func grant(
        _ amount: Energy, to user: User.ID, reason: String, as id: Operation.ID, by actor: String
    ) async throws(PostgresError) -> AppAnswer {
        let operation = Operation(id, .grantEnergy, "\(amount)", reason)
        return try await connection.first(
            FunctionCall.grantEnergy(
                actor: actor, player: user, amount: amount, reason: reason, operation: operation)
        )?.answer ?? .refused(.userUnknown)
    }

    /// Moves old entries to the archive, a thousand players in a transaction. The entries that are moved are a
    /// player's first ones and never the last; a checkpoint says where the ledger continues.
    ///
    /// - Parameters:
    ///   - days: The minimum age of entries to move; at least ``minimumDays``.
    ///   - progress: Called with the number of entries moved so far.
    /// - Returns: How many were moved. After an error, entries that were moved stay moved: run it again.
    package func archive(
        olderThanDays days: Int,
        progress: (Int) -> Void = { _ in }
    ) async throws(PostgresError) -> Int {
        precondition(days >= Self.minimumDays, "younger operations must be found")
        return try await byThousands(progress) { (after, through) async throws(PostgresError) in
            try await connection.first(ArchiveEntries(after: after, through: through, days: days)) ?? 0
        }
    }

    /// Forgets the names of old operations that changed no balance, a thousand players in a transaction. (The others
    /// are forgotten with their entries.)
    ///
    /// - Parameters:
    ///   - days: At least ``minimumDays``.
    ///   - progress: Called with the number forgotten so far.
    /// - Returns: How many were forgotten. After an error, run it again.
    package func pruneOperations(
        olderThanDays days: Int,
        progress: (Int) -> Void = { _ in }
    ) async throws(PostgresError) -> Int {
        precondition(days >= Self.minimumDays, "younger operations must be found")
        return try await byThousands(progress) { (after, through) async throws(PostgresError) in
            try await connection.first(PruneOperations(after: after, through: through, days: days)) ?? 0
        }
    }

    /// Goes through all ledgers, a thousand players in a transaction, while no other transaction moves entries.
    private func byThousands(
        _ progress: (Int) -> Void,
        _ work: (_ after: String, _ through: String) async throws(PostgresError) -> Int
    ) async throws(PostgresError) -> Int {
        var count = 0
        var last = ""
        while let end = try await connection.first(FindPlayers(after: last)) ?? nil {
            count += try await connection.movingLedgers { () async throws(PostgresError) in try await work(last, end) }
            progress(count)
            last = end
        }
        return count
    }
}

extension PostgresConnection {
    /// Runs a transaction that moves entries between ledger, archive, files and names. Only one runs at a time,
    /// because otherwise one could miss entries that another has just moved.
    func movingLedgers<Result>(
        _ body: () async throws(PostgresError) -> Result
    ) async throws(PostgresError) -> Result {
        try await inTransaction("BEGIN; LOCK TABLE juliet.energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE", body)
    }
}

extension EnergyLedger {
    private static var entries: SQLText {
        """
        SELECT entry, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at, delta,
            balance_after, reason::text AS reason, reference,
            CASE WHEN operation_request IS NOT NULL THEN operation_id END AS operation_id
        FROM (SELECT entry, created_at, delta, balance_after, reason, reference, operation_id, operation_request
                FROM juliet.energy_ledger WHERE user_id = $1 AND entry IS NOT NULL
            UNION ALL
            SELECT entry, created_at, delta, balance_after, reason, reference, operation_id, operation_request
                FROM juliet.energy_ledger_archive WHERE user_id = $1
        """
    }

    /// Entries that are in files and still in the archive count once.
    private static var filedEntries: SQLText {
        """

            UNION
            SELECT filed.entry, filed.created_at, delta, balance_after, reason, reference, operation_id, operation_request
                FROM filed_entries AS filed JOIN juliet.energy_checkpoints AS part USING (file_id)
                WHERE part.user_id = $1 AND filed.entry <= part.entry
        """
    }

    private static var newestFirst: SQLText { ") AS entries ORDER BY entry DESC LIMIT $2" }
}

extension EnergyLedger.Entry {
    fileprivate init(_ row: inout RowDecoder) throws(PostgresDecodingError) {
        entry = Int(try row.next(Int32.self))
        at = try row.next()
        delta = Int(try row.next(Int32.self))
        balanceAfter = Int(try row.next(Int32.self))
        reason = try row.next()
        reference = try row.next()
        operationID = try row.next()
    }
}

private struct CountEntriesInFiles: Statement {
    var sql: StaticString { "SELECT entry FROM juliet.energy_checkpoints WHERE user_id = $1 AND begins = 'archive'" }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int32.self)) }
}

extension FunctionCall<AnswerRow<AppState>> {
    fileprivate static func grantEnergy(
        actor: String, player: User.ID, amount: Energy, reason: String, operation: Operation
    ) -> Self {
        Self("SELECT juliet.grant_energy($1, $2, $3, $4, $5, $6)", attempts: 3) {
            $0.append(actor, player.rawValue, Int32(clamping: amount), reason)
            $0.append(operation)
        }
    }
}

/// The last of the next thousand players that have a ledger; NULL: no more.
private struct FindPlayers: Statement {
    var sql: StaticString {
        """
        SELECT max(user_id) FROM (
            SELECT DISTINCT user_id FROM juliet.energy_ledger WHERE user_id > $1 ORDER BY user_id LIMIT 1000) AS players
        """
    }
    var access: StatementAccess { .read }
    let after: String

    func bind(to parameters: inout Parameters) { parameters.append(after) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String? { try row.next() }
}

private struct ArchiveEntries: Statement {
    var sql: StaticString {
        """
        WITH closed AS (
            SELECT user_id, least(max(entry), min(entry) FILTER (
                WHERE created_at >= now() - make_interval(days => $3))) - 1 AS entry
            FROM juliet.energy_ledger WHERE user_id > $1 AND user_id <= $2 GROUP BY user_id),
        moved AS (
            DELETE FROM juliet.energy_ledger USING closed
            WHERE energy_ledger.user_id = closed.user_id AND energy_ledger.entry <= closed.entry
            RETURNING energy_ledger.user_id, energy_ledger.entry, delta, balance_after, reason, reference,
                operation_id, operation_request, operation_kind, created_at),
        kept AS (
            INSERT INTO juliet.energy_ledger_archive (
                user_id, entry, delta, balance_after, reason, reference, operation_id, operation_request,
                operation_kind, created_at)
            SELECT user_id, entry, delta, balance_after, reason, reference, operation_id, operation_request,
                operation_kind, created_at
            FROM moved),
        marked AS (
            INSERT INTO juliet.energy_checkpoints AS known (user_id, begins, entry, balance, seal)
            SELECT user_id, 'ledger', max(entry), (array_agg(balance_after ORDER BY entry DESC))[1],
                bit_xor(juliet.energy_entry_seal(entry, delta, balance_after, reason, reference, created_at))
            FROM moved GROUP BY user_id
            ON CONFLICT (user_id, begins) DO UPDATE SET entry = EXCLUDED.entry, balance = EXCLUDED.balance,
                seal = known.seal # EXCLUDED.seal, created_at = EXCLUDED.created_at)
        SELECT count(*) FROM moved
        """
    }
    let after: String
    let through: String
    let days: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(through)
        parameters.append(Int32(clamping: days))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

private struct PruneOperations: Statement {
    var sql: StaticString {
        """
        WITH pruned AS (
            DELETE FROM juliet.energy_ledger
            WHERE user_id > $1 AND user_id <= $2 AND entry IS NULL
                AND created_at < now() - make_interval(days => $3) RETURNING operation_id)
        SELECT count(*) FROM pruned
        """
    }
    let after: String
    let through: String
    let days: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(through)
        parameters.append(Int32(clamping: days))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}
