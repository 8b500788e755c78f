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

    /// Deals a random word the player has not played; when all have been played, the one played longest ago. Changes nothing.
    package func deal(to user: AppUser) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.dealWord(user: user, list: list))
    }

    /// Pays for a game and deals a word, both or neither.
    package func startGame(_ user: AppUser, as operation: Operation?) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.startGame(user: user, list: list, operation: operation))
    }

    /// Records that a word was played now.
    ///
    /// - Parameter word: In lower case.
    package func record(_ word: String, playedBy user: AppUser) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.recordPlayedWord(user: user, word: word, language: list.language))
    }
}

extension FunctionCall<AnswerRow<AppState>> {
    static func dealWord(user: AppUser, list: WordRepository.List) -> Self {
        Self(
            "SELECT juliet.deal_word($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.deal_word_each($1, $2, $3)", user: user, access: .read
        ) {
            $0.append(list.language, Int32(clamping: list.letters))
        }
    }

    static func startGame(user: AppUser, list: WordRepository.List, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.start_game($1, $2, $3, $4, $5, $6)",
            each: "SELECT answer, place FROM juliet.start_game_each($1, $2, $3, $4, $5)", user: user
        ) {
            $0.append(list.language, Int32(clamping: list.letters))
            $0.append(operation)
        }
    }

    static func recordPlayedWord(user: AppUser, word: String, language: String) -> Self {
        Self(
            "SELECT juliet.record_played_word($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.record_played_word_each($1, $2, $3)", user: user
        ) { $0.append(word, language) }
    }
}
