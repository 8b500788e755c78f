package import Postgres

/// The words a player has played, and those still to be dealt: tables `played_words`, `words` and `word_lists`.
package struct WordRepository: Sendable {
    /// Words of a list: what a deal chooses from.
    package struct List: Sendable {
        /// `words.language`, for example "en".
        package let language: String
        /// Letters per word.
        package let letters: Int

        /// Names a list.
        package init(language: String, letters: Int) {
            self.language = language
            self.letters = letters
        }
    }

    private let database: PostgresClient
    private let list: List

    /// Works on this database and list.
    package init(database: PostgresClient, list: List) {
        self.database = database
        self.list = list
    }

    /// Deals a random word the player has not played; when all are played, the one played longest ago. Changes nothing.
    package func deal(to user: User.ID) async throws(PostgresError) -> Outcome {
        try await database.call(DealWord(user: user, list: list))
    }

    /// Pays for a game and deals a word, both or neither.
    package func startGame(_ user: User.ID, as operation: Operation?) async throws(PostgresError) -> Outcome {
        try await database.call(StartGame(user: user, list: list, operation: operation))
    }

    /// Records that a word was played now.
    ///
    /// - Parameter word: In lower case.
    package func record(_ word: String, playedBy user: User.ID) async throws(PostgresError) -> Outcome {
        try await database.call(RecordPlayedWord(user: user, word: word, language: list.language))
    }
}

struct DealWord: GameFunction {
    static let sql: StaticString = "SELECT juliet.deal_word($1, $2, $3)"
    static let access = StatementAccess.read

    let user: User.ID
    let list: WordRepository.List

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(list.language)
        parameters.append(Int32(clamping: list.letters))
    }
}

struct StartGame: GameFunction {
    static let sql: StaticString = "SELECT juliet.start_game($1, $2, $3, $4, $5)"

    let user: User.ID
    let list: WordRepository.List
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(list.language)
        parameters.append(Int32(clamping: list.letters))
        parameters.append(operation)
    }
}

struct RecordPlayedWord: GameFunction {
    static let sql: StaticString = "SELECT juliet.record_played_word($1, $2, $3)"

    let user: User.ID
    let word: String
    let language: String

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(word)
        parameters.append(language)
    }
}
