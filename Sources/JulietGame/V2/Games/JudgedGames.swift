package import JulietAPI
package import Postgres

/// Games the service judges: the word stays in the database until the game is over. Each function is one statement,
/// which also checks the session.
///
/// When one throws `outcomeUnknown`, it may have been done. Repeats of a guess with a number, of resigning and of the
/// day's game answer the current state; repeats of the others need the same operation's name.
package struct JudgedGames: Sendable {
    private let settings: GameSettings
    private let database: PostgresClient
    private let spelling: WordSpelling
    private let knownWords = KnownWords()

    /// Games on this database.
    package init(settings: GameSettings, database: PostgresClient) {
        self.settings = settings
        self.database = database
        spelling = WordSpelling(language: settings.language)
    }

    /// Pays for a game and deals a secret that no judged game of the player has had, both or neither. Refused: game
    /// unfinished, energy insufficient, no words.
    ///
    /// - Parameter isHard: Whether every guess must use what earlier guesses have shown.
    package func start(
        by session: Credential, isHard: Bool = false, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> V2Answer<AnsweredGame> {
        let operation = id.map { isHard ? Operation($0, .startJudgedGame, "hard") : Operation($0, .startJudgedGame) }
        return try await database.ask(
            .startJudgedGame(session: session, settings: settings, isHard: isHard, operation: operation))
    }

    /// One game. Refused: not found.
    ///
    /// - Parameter id: nil: the text was not an id.
    package func game(_ id: PostgresUUID?, of session: Credential) async throws(PostgresError) -> V2Answer<
        AnsweredGame
    > {
        try await database.ask(.readGame(session: session, game: id))
    }

    /// The player's games, newest first.
    ///
    /// - Parameters:
    ///   - before: Those older than this game; nil: from the newest on.
    ///   - limit: How many at most, from 1 on.
    ///   - state: Only those; nil: all.
    ///   - kind: Only those; nil: all.
    package func games(
        of session: Credential, before: PostgresUUID?, limit: Int, state: V2.Game.State?, kind: V2.Game.Kind?
    ) async throws(PostgresError) -> V2Answer<V2.GameList> {
        let list = FunctionCall.listGames(session: session, before: before, limit: limit + 1, state: state, kind: kind)
        return try await database.list(list).map { games in
            let page = games.prefix(limit).map(\.game)
            return V2.GameList(games: page, next: games.count > limit ? page.last?.id.rawValue : nil)
        }
    }

    /// Takes a guess. Refused: not found, guess taken, game over, guess early, word unknown, guess hard.
    ///
    /// - Parameters:
    ///   - word: In any letter case.
    ///   - number: From 1 on; nil: the next guess; only then is the operation's name used.
    package func guess(
        _ word: String, number: Int?, in game: PostgresUUID?, by session: Credential, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> V2Answer<AnsweredGame> {
        // A text that cannot be a word becomes an empty one, so that other errors come first.
        let word = (try? spelling.word(word)) ?? ""
        let operation =
            number == nil ? id.map { Operation($0, .guess, game?.description ?? "", word) } : nil
        if operation == nil, knownWords.contains(word) {
            return try await database.ask(
                .guessKnownWord(
                    session: session, game: game, word: word, number: number, language: settings.language))
        }
        let answer = try await database.ask(
            .guess(session: session, game: game, word: word, number: number, operation: operation))
        // In another language it may be none.
        if answer.value?.game.language == settings.language { knownWords.insert(word) }
        return answer
    }

    /// Gives a game up. A game that is over stays as it is. Refused: not found.
    package func resign(
        _ game: PostgresUUID?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<AnsweredGame> {
        try await database.ask(.resignGame(session: session, game: game))
    }
}

extension FunctionCall<AnswerRow<AnsweredGame>> {
    static func startJudgedGame(
        session: Credential, settings: GameSettings, isHard: Bool, operation: Operation?
    ) -> Self {
        Self(
            "SELECT juliet.start_judged_game($1, $2, $3, $4, $5, $6)",
            each: "SELECT answer, place FROM juliet.start_judged_game_each($1, $2, $3, $4, $5, $6)", session: session
        ) {
            $0.append(settings.language, Int32(clamping: settings.wordLength), isHard)
            $0.append(operation)
        }
    }

    static func readGame(session: Credential, game: PostgresUUID?) -> Self {
        Self("SELECT juliet.read_game($1, $2)", session: session, access: .read) { $0.append(game) }
    }

    static func listGames(
        session: Credential, before: PostgresUUID?, limit: Int, state: V2.Game.State?, kind: V2.Game.Kind?
    ) -> Self {
        Self("SELECT juliet.list_games($1, $2, $3, $4, $5)", session: session, access: .read) {
            $0.append(before, Int32(clamping: limit), state?.rawValue, kind?.rawValue)
        }
    }

    static func guess(
        session: Credential, game: PostgresUUID?, word: String, number: Int?, operation: Operation?
    ) -> Self {
        Self("SELECT juliet.guess($1, $2, $3, $4, $5, $6)", session: session) {
            $0.append(game, word, number.map { Int32(clamping: $0) })
            $0.append(operation)
        }
    }

    /// A guess without an operation's name, of a word the language has: half the work of `guess`.
    static func guessKnownWord(
        session: Credential, game: PostgresUUID?, word: String, number: Int?, language: String
    ) -> Self {
        Self(
            "SELECT juliet.guess_known_word($1, $2, $3, $4, $5)",
            each: "SELECT answer, place FROM juliet.guess_known_word_each($1, $2, $3, $4, $5)", session: session
        ) {
            $0.append(game, word, number.map { Int32(clamping: $0) }, language)
        }
    }

    static func resignGame(session: Credential, game: PostgresUUID?) -> Self {
        Self(
            "SELECT juliet.resign_game($1, $2)",
            each: "SELECT answer, place FROM juliet.resign_game_each($1, $2)", session: session
        ) {
            $0.append(game)
        }
    }
}
