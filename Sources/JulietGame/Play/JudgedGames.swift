package import JulietAPI
package import Postgres

/// Games the service judges: the word stays in the database until the game is over. Each function is one statement, the
/// check of the session included.
///
/// When one throws `outcomeUnknown`, it may have been done all the same. Asked again, a guess with a number, resigning
/// and the day's game answer what stands; the others under the same operation's name.
package struct JudgedGames: Sendable {
    private let rules: GameRules
    private let database: PostgresClient
    private let spelling: WordSpelling
    private let knownWords = KnownWords()

    /// Games on this database.
    package init(rules: GameRules, database: PostgresClient) {
        self.rules = rules
        self.database = database
        spelling = WordSpelling(language: rules.language)
    }

    /// Pays for a game and deals a word the player has not played, both or neither. Refused: game unfinished, energy
    /// insufficient, no words.
    package func start(by session: Credential, as id: Operation.ID? = nil) async throws(PostgresError) -> GameAnswer? {
        let operation = id.map { Operation($0, .startJudgedGame) }
        return try await database.first(StartJudgedGame(session: session, rules: rules, operation: operation))
    }

    /// One game. Refused: not found.
    ///
    /// - Parameter id: nil: one that cannot be an id.
    package func game(_ id: PostgresUUID?, of session: Credential) async throws(PostgresError) -> GameAnswer? {
        try await database.first(ReadGame(session: session, game: id))
    }

    /// The player's games, newest first.
    ///
    /// - Parameters:
    ///   - before: Those older than this game; nil: from the newest on.
    ///   - limit: How many at most, from 1 on.
    ///   - state: Only those; nil: all.
    package func games(
        of session: Credential, before: PostgresUUID?, limit: Int, state: V2.Game.State?
    ) async throws(PostgresError) -> PlayOutcome<V2.GameList> {
        let list = ListGames(session: session, before: before, limit: limit + 1, state: state)
        return try await database.list(list).map { games in
            let page = Array(games.prefix(limit))
            return V2.GameList(games: page, next: games.count > limit ? page.last?.id.rawValue : nil)
        }
    }

    /// Takes a guess. Refused: not found, guess taken, game over, guess early, word unknown.
    ///
    /// - Parameters:
    ///   - word: In any letter case.
    ///   - number: From 1 on; nil: the next. Only then the operation's name counts.
    package func guess(
        _ word: String, number: Int?, in game: PostgresUUID?, by session: Credential, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> GameAnswer? {
        // What cannot be a word is none; what else is wrong is said first all the same.
        let word = (try? spelling.word(word)) ?? ""
        let operation =
            number == nil ? id.map { Operation($0, .guess, game?.description ?? "", word) } : nil
        if operation == nil, knownWords.contains(word) {
            return try await database.first(
                GuessKnownWord(session: session, game: game, word: word, number: number, language: rules.language))
        }
        let answer = try await database.first(
            TakeGuess(session: session, game: game, word: word, number: number, operation: operation))
        // In another language it may be none.
        if let answer, answer.refusal == nil, answer.game?.language == rules.language { knownWords.insert(word) }
        return answer
    }

    /// Gives a game up; one that is over stays as it is. Refused: not found.
    package func resign(_ game: PostgresUUID?, by session: Credential) async throws(PostgresError) -> GameAnswer? {
        try await database.first(ResignGame(session: session, game: game))
    }
}

struct StartJudgedGame: PlayStatement {
    typealias Row = GameAnswer
    static let sql: StaticString = "SELECT juliet.start_judged_game($1, $2, $3, $4, $5)"

    let session: Credential?
    let rules: GameRules
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(rules.language)
        parameters.append(Int32(clamping: rules.wordLength))
        parameters.append(operation)
    }
}

struct ReadGame: PlayStatement {
    typealias Row = GameAnswer
    static let sql: StaticString = "SELECT juliet.read_game($1, $2)"
    static let access = StatementAccess.read

    let session: Credential?
    let game: PostgresUUID?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(game)
    }
}

struct ListGames: PlayStatement {
    typealias Row = GameAnswer
    static let sql: StaticString = "SELECT juliet.list_games($1, $2, $3, $4)"
    static let access = StatementAccess.read

    let session: Credential?
    let before: PostgresUUID?
    let limit: Int
    let state: V2.Game.State?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(before)
        parameters.append(Int32(clamping: limit))
        parameters.append(state?.rawValue)
    }
}

struct TakeGuess: PlayStatement {
    typealias Row = GameAnswer
    static let sql: StaticString = "SELECT juliet.guess($1, $2, $3, $4, $5, $6)"

    let session: Credential?
    let game: PostgresUUID?
    let word: String
    let number: Int?
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(game)
        parameters.append(word)
        parameters.append(number.map { Int32(clamping: $0) })
        parameters.append(operation)
    }
}

/// A guess without an operation's name, of a word the language has: half the work of `TakeGuess`.
struct GuessKnownWord: PlayStatement {
    typealias Row = GameAnswer
    static let sql: StaticString = "SELECT juliet.guess_known_word($1, $2, $3, $4, $5)"

    let session: Credential?
    let game: PostgresUUID?
    let word: String
    let number: Int?
    let language: String

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(game)
        parameters.append(word)
        parameters.append(number.map { Int32(clamping: $0) })
        parameters.append(language)
    }
}

struct ResignGame: PlayStatement {
    typealias Row = GameAnswer
    static let sql: StaticString = "SELECT juliet.resign_game($1, $2)"

    let session: Credential?
    let game: PostgresUUID?

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(game)
    }
}
