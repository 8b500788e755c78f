package import Postgres

/// Everything held about one player, for support and privacy, over one session of the role that owns the tables.
package struct UserRecords {
    /// All data about a player.
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
        /// When the account was created, ISO 8601 in UTC.
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
        /// What operators did to the player, oldest first.
        package let adminActions: [AdminRecords.Action]
        /// Transactions signed by the App Store, in the order in which they were presented.
        package let purchases: [PlayersPurchase]
        /// Data in the lottery; nil: none.
        package let lottery: PlayersLottery?
        /// More data about a player of `/v2`; nil for players of the app.
        package let player: PlayerExport?

        private enum CodingKeys: CodingKey {
            case userID, createdAt, energy, wins, ledger, operations, playedWords, adminActions,
                purchases, lottery
        }

        /// Writes one object.
        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(userID, forKey: .userID)
            try members.encode(createdAt, forKey: .createdAt)
            try members.encode(energy, forKey: .energy)
            try members.encode(wins, forKey: .wins)
            try members.encode(ledger, forKey: .ledger)
            try members.encode(operations, forKey: .operations)
            try members.encode(playedWords, forKey: .playedWords)
            try members.encode(adminActions, forKey: .adminActions)
            try members.encode(purchases, forKey: .purchases)
            try members.encodeIfPresent(lottery, forKey: .lottery)
            try player?.encode(to: encoder)
        }
    }

    /// What is left of a deleted player.
    package struct Deletion: Sendable, Hashable, Encodable {
        /// The pseudonym of the ledger.
        package let pseudonym: String
        /// How many entries of the ledger have it now.
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
        try await connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(Schema.goHome)") {
            () async throws(PostgresError) in
            guard let record = try await connection.first(ReadUser(user: user)) else { return nil }
            return Everything(
                userID: user.rawValue, createdAt: record.createdAt, energy: record.energy, wins: record.wins,
                ledger: try await EnergyLedger(connection: connection).history(of: user, last: .max),
                operations: try await connection.execute(ReadOperations(user: user)),
                playedWords: try await connection.execute(ReadPlayedWords(user: user)),
                adminActions: try await AdminRecords(connection: connection).actions(to: user, last: .max).reversed(),
                purchases: try await connection.first(ReadPlayersPurchases(user: user)) ?? [],
                lottery: try await connection.first(ReadPlayersLottery(user: user)) ?? nil,
                player: try await connection.first(ReadPlayerExport(user: user)) ?? nil)
        }
    }

    /// The id of the player who claimed a player of the published app; nil: not claimed.
    package func player(whoClaimed user: User.ID) async throws(PostgresError) -> User.ID? {
        try await connection.first(ReadHolder.claimed(user)).map(User.ID.init)
    }

    /// The player into whom a player was merged; nil: not merged.
    package func player(whoMerged user: User.ID) async throws(PostgresError) -> User.ID? {
        try await connection.first(ReadHolder.merged(user)).map(User.ID.init)
    }

    /// Deletes a player. The ledger, with its purchases, is kept under a random name that cannot be traced to the
    /// player, without games and with days instead of times. Draws of the lottery keep only the player's number. Files
    /// of the archive have no names of players.
    ///
    /// - Returns: nil for an unknown player.
    package func delete(_ user: User.ID) async throws(PostgresError) -> Deletion? {
        let pseudonym = User.randomPseudonym()
        guard let counts = try await connection.first(DeleteUser(user: user, pseudonym: pseudonym)) ?? nil else {
            return nil
        }
        return Deletion(pseudonym: pseudonym, ledgerEntries: counts.entries, playedWords: counts.words)
    }
}

private struct ReadUser: Statement {
    var sql: StaticString {
        """
        SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at, energy, wins
        FROM juliet.users WHERE id = $1
        """
    }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (createdAt: String, energy: Int, wins: Int) {
        (try row.next(), Int(try row.next(Int32.self)), Int(try row.next(Int32.self)))
    }
}

/// Who an id belongs to now, if it is no player's any more.
private struct ReadHolder: Statement {
    let sql: StaticString
    let user: User.ID
    var access: StatementAccess { .read }

    /// The player who claimed an account of the app.
    static func claimed(_ account: User.ID) -> Self {
        Self(sql: "SELECT user_id FROM juliet.claims WHERE account_id = $1", user: account)
    }

    /// The player into whom a player was merged.
    static func merged(_ player: User.ID) -> Self {
        Self(sql: "SELECT holder FROM juliet.merges WHERE user_id = $1", user: player)
    }

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

private struct ReadOperations: Statement {
    var sql: StaticString {
        """
        SELECT operation_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), refusal IS NULL
        FROM juliet.energy_ledger WHERE user_id = $1 AND entry IS NULL ORDER BY created_at, operation_id
        """
    }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> UserRecords.Everything.Operation {
        UserRecords.Everything.Operation(id: try row.next(), at: try row.next(), isDone: try row.next())
    }
}

private struct ReadPlayedWords: Statement {
    var sql: StaticString {
        """
        SELECT word, language, to_char(played_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS played_at
        FROM juliet.played_words JOIN juliet.words ON words.id = word_id WHERE user_id = $1
        ORDER BY played_words.number
        """
    }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> UserRecords.Everything.PlayedWord {
        UserRecords.Everything.PlayedWord(word: try row.next(), language: try row.next(), at: try row.next())
    }
}

/// Deletes a player by the function that players call as well. NULL: unknown player.
private struct DeleteUser: Statement {
    var sql: StaticString { "SELECT juliet.delete_user($1, $2)" }
    /// Twice more if a notification about the player conflicts with it: everything is one transaction.
    var attempts: Int { 3 }
    let user: User.ID
    let pseudonym: String

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(pseudonym)
    }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (entries: Int, words: Int)? {
        try row.next([Int64]?.self).map { (Int($0[0]), Int($0[1])) }
    }
}
