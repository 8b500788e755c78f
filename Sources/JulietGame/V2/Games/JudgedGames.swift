package import JulietAPI
package import Postgres

/// Games the service judges: the word stays in the database until the game is over. Each function is one statement,
/// which also checks the session.
///
/// When one throws `outcomeUnknown`, it may have been done. Repeats of a guess with a number, of resigning and of the
/// day's game answer the current state; repeats of the others need the same operation's name.
package struct JudgedGames: Sendable {
    private let rules: RulesInForce
    private let database: PostgresClient
    private let knownWords = KnownWords()

    /// Games on this database.
    ///
    /// - Parameter rules: Which language most games are in.
    package init(rules: RulesInForce, database: PostgresClient) {
        self.rules = rules
        self.database = database
    }

    /// Pays for a game and deals a secret that no judged game of the player has had, both or neither. Refused: game
    /// unfinished, list unknown, energy insufficient, no words.
    ///
    /// - Parameters:
    ///   - isHard: Whether every guess must use what earlier guesses have shown.
    ///   - language: The language of the word; nil: that of the rules.
    ///   - length: The letters of the word; nil: those of the rules.
    package func start(
        by session: Credential, isHard: Bool = false, language: String? = nil, length: Int? = nil,
        as id: Operation.ID? = nil
    ) async throws(PostgresError) -> V2Answer<AnsweredGame> {
        let operation = id.map {
            Operation(
                $0, .startJudgedGame,
                (isHard ? ["hard"] : []) + (language.map { ["language \($0)"] } ?? [])
                    + (length.map { ["length \($0)"] } ?? []))
        }
        // A text that cannot be a language becomes an empty one, which is none.
        let language = language.map { $0.isLanguageCode ? $0 : "" }
        return try await database.ask(
            .startJudgedGame(
                session: session, language: language, length: length, isHard: isHard, operation: operation))
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
        let text = word
        let word = (try? WordSpelling.common.word(text)) ?? ""
        let others = others(text, beside: word)
        let operation =
            number == nil ? id.map { Operation($0, .guess, [game?.description ?? "", word] + (others ?? [])) } : nil
        let language = rules.current.language
        let isKnown = knownWords.contains(word, of: language)
        let answer: V2Answer<AnsweredGame>
        if operation == nil, others == nil, !word.isEmpty {
            answer = try await database.ask(
                .guessKnownWord(
                    session: session, game: game, word: word, number: number, language: isKnown ? language : nil))
        } else {
            answer = try await database.ask(
                .guess(session: session, game: game, word: word, number: number, operation: operation, others: others))
        }
        if !isKnown, others == nil, let game = answer.value?.game, game.anyWord == nil {
            knownWords.insert(word, of: game.language)
        }
        return answer
    }

    /// How a guess is spelled in Turkish and Azerbaijani, where any word is taken, and where both is so; nil if all are the same.
    private func others(_ text: String, beside word: String) -> [String]? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "I") || $0 >= 0x80 }) else { return nil }
        let others = WordSpelling.others.map { (try? $0.word(text)) ?? "" }
        return others.allSatisfy { $0 == word } ? nil : others
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
        session: Credential, language: String?, length: Int?, isHard: Bool, operation: Operation?
    ) -> Self {
        Self(
            "SELECT juliet.start_judged_game($1, $2, $3, $4, $5, $6)",
            each: "SELECT answer, place FROM juliet.start_judged_game_each($1, $2, $3, $4, $5, $6)", session: session
        ) {
            $0.append(language, length.map { Int32(clamping: $0) }, isHard)
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
        session: Credential, game: PostgresUUID?, word: String, number: Int?, operation: Operation?, others: [String]?
    ) -> Self {
        Self("SELECT juliet.guess($1, $2, $3, $4, $5, $6, $7)", session: session) {
            $0.append(game, word, number.map { Int32(clamping: $0) })
            $0.append(operation)
            $0.append(others)
        }
    }

    /// A guess without an operation's name: half the work of `guess`, if the language has the word, or the game takes any.
    static func guessKnownWord(
        session: Credential, game: PostgresUUID?, word: String, number: Int?, language: String?
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
