package import Postgres

/// Everything held about one player, for support and privacy, over one session of the role that owns the tables.
package struct UserRecords {
    /// All there is about a player.
    package struct Everything: Sendable, Hashable, Encodable {
        /// A request with an idempotency key that changed no balance.
        package struct Operation: Sendable, Hashable, Encodable {
            /// The idempotency key.
            package let id: String
            /// When, ISO 8601 in UTC.
            package let at: String
            /// Whether it was done; a refusal was not.
            package let isDone: Bool
        }

        /// A word the player played.
        package struct PlayedWord: Sendable, Hashable, Encodable {
            /// The word.
            package let word: String
            /// Its language.
            package let language: String
            /// When it was played last, ISO 8601 in UTC.
            package let at: String
        }

        /// The account id.
        package let userID: String
        /// Since when there is an account, ISO 8601 in UTC.
        package let createdAt: String
        /// The balance.
        package let energy: Int
        /// Games won.
        package let wins: Int
        /// Every change of the balance, oldest first.
        package let ledger: [EnergyLedger.Entry]
        /// The other requests that carried an idempotency key, oldest first.
        package let operations: [Operation]
        /// The words played, by time.
        package let playedWords: [PlayedWord]
    }

    /// What was left of a player who was deleted.
    package struct Deletion: Sendable, Hashable, Encodable {
        /// The name under which the ledger goes on.
        package let pseudonym: String
        /// How many entries of the ledger bear it now.
        package let ledgerEntries: Int
        /// How many played words were deleted.
        package let playedWords: Int
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// Everything held about a player, as of one moment.
    ///
    /// - Returns: nil for an unknown player.
    package func everything(about user: User.ID) async throws(PostgresError) -> Everything? {
        try await connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            () async throws(PostgresError) in
            guard let record = try await connection.first(ReadUser(user: user)) else { return nil }
            return Everything(
                userID: user.rawValue, createdAt: record.createdAt, energy: record.energy, wins: record.wins,
                ledger: try await EnergyLedger(connection: connection).history(of: user, last: .max),
                operations: try await connection.execute(ReadOperations(user: user)),
                playedWords: try await connection.execute(ReadPlayedWords(user: user)))
        }
    }

    /// Deletes a player. The ledger, purchases among it, goes on under a random name that leads back to nobody. What
    /// went out to files bears no name of a player.
    ///
    /// - Returns: nil for an unknown player.
    package func delete(_ user: User.ID) async throws(PostgresError) -> Deletion? {
        // No client can register this: an account id has no control characters.
        let pseudonym = "deleted\t" + PostgresUUID.random().description.filter { $0 != "-" }
        return try await connection.movingLedgers { () async throws(PostgresError) in
            // Takes the player's lock first, as every request does, so that none runs half way through this.
            guard try await connection.first(CloseLedger(user: user, pseudonym: pseudonym)) != nil else { return nil }
            let words = try await connection.first(DeletePlayedWords(user: user)) ?? 0
            _ = try await connection.execute(DeleteOperations(user: user))
            let entries = try await connection.first(RenameLedger(user: user, pseudonym: pseudonym)) ?? 0
            return Deletion(pseudonym: pseudonym, ledgerEntries: entries, playedWords: words)
        }
    }
}

private struct ReadUser: Statement {
    static let sql: StaticString = """
        SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at, energy, wins
        FROM users WHERE id = $1
        """
    static let access = StatementAccess.read
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (createdAt: String, energy: Int, wins: Int) {
        (try row.next(), Int(try row.next(Int32.self)), Int(try row.next(Int32.self)))
    }
}

private struct ReadOperations: Statement {
    static let sql: StaticString = """
        SELECT operation_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), refusal IS NULL
        FROM energy_ledger WHERE user_id = $1 AND entry IS NULL ORDER BY created_at, operation_id
        """
    static let access = StatementAccess.read
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> UserRecords.Everything.Operation {
        UserRecords.Everything.Operation(id: try row.next(), at: try row.next(), isDone: try row.next())
    }
}

private struct ReadPlayedWords: Statement {
    static let sql: StaticString = """
        SELECT word, language, to_char(played_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS played_at
        FROM played_words JOIN words ON words.id = word_id WHERE user_id = $1
        ORDER BY played_words.number
        """
    static let access = StatementAccess.read
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> UserRecords.Everything.PlayedWord {
        UserRecords.Everything.PlayedWord(word: try row.next(), language: try row.next(), at: try row.next())
    }
}

/// Deletes the player's row and notes how their ledger ends. No row: unknown player.
private struct CloseLedger: Statement {
    static let sql: StaticString = """
        WITH closed AS (DELETE FROM users WHERE id = $1 RETURNING ledger_entry, energy, ledger_seal)
        INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal)
        SELECT $2, ledger_entry, energy, ledger_seal FROM closed RETURNING ledger_entry
        """
    let user: User.ID
    let pseudonym: String

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(pseudonym)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

private struct DeletePlayedWords: Statement {
    static let sql: StaticString = """
        WITH deleted AS (DELETE FROM played_words WHERE user_id = $1 RETURNING word_id) SELECT count(*) FROM deleted
        """
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

private struct DeleteOperations: Statement {
    static let sql: StaticString = "DELETE FROM energy_ledger WHERE user_id = $1 AND entry IS NULL"
    typealias Row = NoRow
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }
}

/// Moves a ledger to another name: rows are written anew, since a spread-out database keys them by that name. The
/// idempotency keys, which the client chose, go.
private struct RenameLedger: Statement {
    static let sql: StaticString = """
        WITH moved AS (
            DELETE FROM energy_ledger WHERE user_id = $1
            RETURNING entry, delta, balance_after, reason, reference, created_at),
        kept AS (
            INSERT INTO energy_ledger (
                user_id, entry, delta, balance_after, reason, reference, operation_id, created_at)
            SELECT $2, entry, delta, balance_after, reason, reference, 'entry ' || entry, created_at FROM moved
            RETURNING entry),
        moved_archive AS (
            DELETE FROM energy_ledger_archive WHERE user_id = $1
            RETURNING entry, delta, balance_after, reason, reference, created_at),
        kept_archive AS (
            INSERT INTO energy_ledger_archive (
                user_id, entry, delta, balance_after, reason, reference, operation_id, created_at)
            SELECT $2, entry, delta, balance_after, reason, reference, 'entry ' || entry, created_at
            FROM moved_archive RETURNING entry),
        moved_checkpoints AS (UPDATE energy_checkpoints SET user_id = $2 WHERE user_id = $1)
        SELECT (SELECT count(*) FROM kept) + (SELECT count(*) FROM kept_archive)
        """
    let user: User.ID
    let pseudonym: String

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(pseudonym)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}
