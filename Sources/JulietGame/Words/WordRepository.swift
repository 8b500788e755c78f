package import Postgres

/// The words a player has played, and those still to be dealt: tables `played_words` and `words`.
package struct WordRepository: Sendable {
    /// What became of a report of a played word.
    package enum Record: Sendable, Equatable {
        case recorded, userUnknown, wordUnknown
    }

    /// What became of the wish to start a game.
    package enum Start: Sendable, Equatable {
        /// Paid, this is left, and this word is dealt.
        case started(balance: Energy, word: String)
        /// Not enough: this is there, nothing was taken and no word was dealt.
        case refused(balance: Energy)
    }

    private let database: PostgresClient

    /// The words to deal.
    package let secrets: SecretWords

    /// Works on this database.
    package init(database: PostgresClient, secrets: SecretWords) {
        self.database = database
        self.secrets = secrets
    }

    /// Deals a word the player has not played; when all are played, the one played longest ago.
    ///
    /// - Returns: The word in lower case; nil for an unknown player or when there are no words.
    package func deal(to user: User.ID) async throws(PostgresError) -> String? {
        guard let proposal = secrets.propose() else { return nil }
        return try await database.first(DealWord(user: user, proposal: proposal)) ?? nil
    }

    /// Pays for a game and deals a word, both or neither.
    ///
    /// - Returns: nil for an unknown player or when there are no words.
    package func startGame(_ user: User.ID, price: Energy) async throws(PostgresError) -> Start? {
        guard let proposal = secrets.propose() else { return nil }
        return try await database.first(StartGame(user: user, price: price, proposal: proposal))
    }

    /// Records that a word was played now.
    ///
    /// - Parameter word: In lower case.
    package func record(_ word: String, playedBy user: User.ID) async throws(PostgresError) -> Record {
        try await database.first(
            RecordPlayedWord(user: user, word: word, language: secrets.selection.language)) ?? .userUnknown
    }
}

extension Parameters {
    /// Appends the four values `deal_word` takes after the player.
    mutating func append(_ proposal: SecretWords.Proposal) {
        append(proposal.candidates)
        append(proposal.start)
        append(proposal.selection.language)
        append(Int32(clamping: proposal.selection.length))
    }
}

/// Deals a word for free, as the schema's `deal_word` chooses it. No row: unknown player; NULL: no words.
private struct DealWord: Statement {
    static let sql: StaticString = "SELECT deal_word($1, $2, $3, $4, $5) FROM users WHERE id = $1"
    static let access = StatementAccess.read

    let user: User.ID
    let proposal: SecretWords.Proposal

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(proposal)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String? { try row.next(String?.self) }
}

/// Pays for a game and deals a word, as `deal_word` chooses it; the ledger notes the word. No row: unknown player.
///
/// The balance is left alone when it does not suffice, as in `PayForGame`.
struct StartGame: Statement {
    static let sql: StaticString = """
        UPDATE users SET energy = CASE WHEN energy >= $6 THEN energy - $6 ELSE energy END,
            energy_reason = 'game', energy_reference = dealt
        FROM deal_word($1, $2, $3, $4, $5) AS dealt
        WHERE id = $1 AND dealt IS NOT NULL RETURNING energy, energy_changed, dealt
        """

    let user: User.ID
    let price: Energy
    let proposal: SecretWords.Proposal

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(proposal)
        parameters.append(Int32(clamping: price))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> WordRepository.Start {
        let balance = Int(try row.next(Int32.self))
        guard try row.next(Bool.self) else { return .refused(balance: balance) }
        return .started(balance: balance, word: try row.next(String.self))
    }
}

/// Records a played word, or that it was played again. No row: unknown player; false: not a word of ours.
///
/// A word counts in any list of the language, retired or not: it may have been dealt before it was retired.
struct RecordPlayedWord: Statement {
    static let sql: StaticString = """
        WITH played AS (
            INSERT INTO played_words (user_id, word_id)
            SELECT users.id, words.id FROM users, words WHERE users.id = $1 AND language = $3 AND word = $2
            ON CONFLICT (user_id, word_id) DO UPDATE SET played_at = now() RETURNING word_id)
        SELECT EXISTS (SELECT FROM played) FROM users WHERE id = $1
        """

    let user: User.ID
    let word: String
    let language: String

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(word)
        parameters.append(language)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> WordRepository.Record {
        try row.next(Bool.self) ? .recorded : .wordUnknown
    }
}
