package import Postgres

/// The ledger as an operator tends it, over one session of the role that owns the tables.
package struct EnergyLedger {
    /// One change of a balance.
    package struct Entry: Sendable, Equatable {
        /// Its place in the player's ledger, from 1.
        package let entry: Int
        /// When, ISO 8601 in UTC.
        package let at: String
        /// By how much.
        package let delta: Int
        /// The balance after it.
        package let balanceAfter: Int
        /// Why: `registration`, `import`, `game`, `purchase`, `client_report` or `support`.
        package let reason: String
        /// What it was for, such as the word of a game or what support had to say.
        package let reference: String?
        /// The name of the operation, if it had one.
        package let operationID: String?
    }

    private let connection: PostgresConnection

    /// For how long an entry's operation must be found again: what is younger is neither moved nor pruned.
    package static let minimumDays = 400

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// The last changes of a balance, oldest first, those in the archive included.
    ///
    /// - Parameter count: How many at most.
    /// - Returns: Empty for an unknown player.
    package func history(of user: User.ID, last count: Int) async throws(PostgresError) -> [Entry] {
        try await connection.execute(ReadHistory(user: user, count: count)).reversed()
    }

    /// Gives a player energy, once.
    ///
    /// - Parameters:
    ///   - amount: 1 or more.
    ///   - reason: For the ledger.
    ///   - id: The name of this grant: the same again gives nothing more.
    /// - Returns: nil for an unknown player.
    /// - Throws: ``GameError/operationReused`` when the name was used for something else; nothing has changed.
    package func grant(
        _ amount: Energy,
        to user: User.ID,
        reason: String,
        as id: Operation.ID
    ) async throws(GameError) -> OperationOutcome? {
        let operation = Operation(id, .grantEnergy, "\(amount)", reason)
        let answer: OperationRepository.Answer?
        do {
            answer = try await connection.first(
                GrantEnergyOnce(user: user, operation: operation, amount: amount, reason: reason))
        } catch {
            throw .database(error)
        }
        if let first = answer?.firstRequest, first != operation.request { throw .operationReused }
        return answer?.outcome
    }

    /// Moves old entries to the archive, a thousand players in a transaction. What is moved of a player is always a
    /// prefix and never the last entry; a checkpoint says where the ledger goes on.
    ///
    /// - Parameters:
    ///   - days: How old an entry is that is moved; at least ``minimumDays``.
    ///   - progress: Called with the number of entries moved so far.
    /// - Returns: How many were moved. After an error what was moved stays moved: run it again.
    package func archive(
        olderThanDays days: Int,
        progress: (Int) -> Void = { _ in }
    ) async throws(PostgresError) -> Int {
        precondition(days >= Self.minimumDays, "younger operations must be found")
        var moved = 0
        var last = ""
        while let end = try await connection.first(FindPlayers(after: last)) ?? nil {
            moved += try await connection.first(ArchiveEntries(after: last, through: end, days: days)) ?? 0
            progress(moved)
            last = end
        }
        return moved
    }

    /// Forgets the names of old operations that changed no balance. (The others are forgotten with their entries.)
    ///
    /// - Parameter days: At least ``minimumDays``.
    /// - Returns: How many were forgotten.
    package func pruneOperations(olderThanDays days: Int) async throws(PostgresError) -> Int {
        precondition(days >= Self.minimumDays, "younger operations must be found")
        return try await connection.first(PruneOperations(days: days)) ?? 0
    }
}

private struct ReadHistory: Statement {
    static let sql: StaticString = """
        SELECT entry, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at, delta,
            balance_after, reason::text AS reason, reference,
            CASE WHEN operation_request IS NOT NULL THEN operation_id END AS operation_id
        FROM (SELECT entry, created_at, delta, balance_after, reason, reference, operation_id, operation_request
                FROM energy_ledger WHERE user_id = $1 AND entry IS NOT NULL
            UNION ALL
            SELECT entry, created_at, delta, balance_after, reason, reference, operation_id, operation_request
                FROM energy_ledger_archive WHERE user_id = $1) AS entries
        ORDER BY entry DESC LIMIT $2
        """
    static let access = StatementAccess.read
    let user: User.ID
    let count: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int64(count))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> EnergyLedger.Entry {
        EnergyLedger.Entry(
            entry: Int(try row.next(Int32.self)), at: try row.next(), delta: Int(try row.next(Int32.self)),
            balanceAfter: Int(try row.next(Int32.self)), reason: try row.next(), reference: try row.next(),
            operationID: try row.next())
    }
}

private struct GrantEnergyOnce: OperationStatement {
    static let sql: StaticString = """
        UPDATE users SET energy = energy + $4, energy_reason = 'support', energy_reference = $5, operation_id = $2,
            operation_request = $3
        WHERE id = $1
        RETURNING (operation_answer).request, coalesce((operation_answer).is_done, true),
            coalesce((operation_answer).energy, energy)
        """

    let user: User.ID
    let operation: Operation
    let amount: Energy
    let reason: String

    func bindRequest(to parameters: inout Parameters) {
        parameters.append(Int32(clamping: amount))
        parameters.append(reason)
    }
}

/// The last of the next thousand players that have a ledger; NULL: no more.
private struct FindPlayers: Statement {
    static let sql: StaticString = """
        SELECT max(user_id) FROM (
            SELECT DISTINCT user_id FROM energy_ledger WHERE user_id > $1 ORDER BY user_id LIMIT 1000) AS players
        """
    static let access = StatementAccess.read
    let after: String

    func bind(to parameters: inout Parameters) { parameters.append(after) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String? { try row.next() }
}

private struct ArchiveEntries: Statement {
    static let sql: StaticString = """
        WITH closed AS (
            SELECT user_id, least(max(entry), min(entry) FILTER (
                WHERE created_at >= now() - make_interval(days => $3))) - 1 AS entry
            FROM energy_ledger WHERE user_id > $1 AND user_id <= $2 GROUP BY user_id),
        moved AS (
            DELETE FROM energy_ledger USING closed
            WHERE energy_ledger.user_id = closed.user_id AND energy_ledger.entry <= closed.entry
            RETURNING energy_ledger.user_id, energy_ledger.entry, delta, balance_after, reason, reference,
                operation_id, operation_request, created_at),
        kept AS (
            INSERT INTO energy_ledger_archive (
                user_id, entry, delta, balance_after, reason, reference, operation_id, operation_request, created_at)
            SELECT user_id, entry, delta, balance_after, reason, reference, operation_id, operation_request, created_at
            FROM moved),
        marked AS (
            INSERT INTO energy_checkpoints (user_id, entry, balance)
            SELECT DISTINCT ON (user_id) user_id, entry, balance_after FROM moved ORDER BY user_id, entry DESC
            ON CONFLICT (user_id) DO UPDATE
                SET entry = EXCLUDED.entry, balance = EXCLUDED.balance, created_at = EXCLUDED.created_at)
        SELECT count(*) FROM moved
        """
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
    static let sql: StaticString = """
        WITH pruned AS (
            DELETE FROM energy_ledger
            WHERE entry IS NULL AND created_at < now() - make_interval(days => $1) RETURNING operation_id)
        SELECT count(*) FROM pruned
        """
    let days: Int

    func bind(to parameters: inout Parameters) { parameters.append(Int32(clamping: days)) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}
