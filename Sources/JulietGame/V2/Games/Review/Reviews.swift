import EventLoop
package import JulietAPI
package import Postgres

/// Looks back at games that are over. Nothing is stored; the secrets of each list are kept in memory until the list changes.
package final class Reviews: Sendable {
    /// A game that can be looked back at.
    package struct Game: Sendable {
        fileprivate let game: V2.Game
        fileprivate let seal: Int64
        /// The secrets of its list, if the list has changed since they were read last.
        fileprivate let words: [String]?

        fileprivate var list: WordList { WordList(language: game.language, letters: game.length) }
        /// Is another one when the answer may be.
        package var version: String { "\(seal) \(game.id)" }
    }

    private struct Kept: Sendable {
        let seal: Int64
        let list: ReviewedList
    }

    /// How many bytes of a list are kept at most.
    private static let mostBytes = 2 << 20

    private let database: PostgresClient
    private let lists = Locked<[WordList: Kept]>([:])
    private let worker = Worker(label: "reviews", places: 16)

    /// Reviews on this database.
    package init(database: PostgresClient) { self.database = database }

    /// A game of the player's, and the list that it is of, as it is now. Refused, in this order: not found, game running,
    /// no review.
    ///
    /// - Parameter id: nil: the text was not an id.
    package func game(_ id: PostgresUUID?, of session: Credential) async throws(PostgresError) -> V2Answer<Game> {
        let answer = try await database.ask(FunctionCall.readGame(session: session, game: id))
        let game: V2.Game
        switch answer.outcome {
        case .done(let answered): game = answered.game
        case .refused(let refusal, let details): return V2Answer(.refused(refusal, details))
        }
        guard game.state != .playing else { return .refused(.gameRunning) }
        guard game.anyWord == nil else { return .refused(.noReview) }
        // A damaged record.
        guard WordSpelling.lengths.contains(game.length), game.secret?.unicodeScalars.count == game.length else {
            return .refused(.noReview)
        }
        let name = WordList(language: game.language, letters: game.length)
        let known = lists.withLock { $0[name]?.seal }
        // A list that is gone has no secrets but the game's own.
        let read = try await database.first(ReadReviewedList(list: name, known: known)) ?? (seal: 0, words: [])
        return .done(Game(game: game, seal: read.seal, words: read.words))
    }

    /// Looks back at a game, on a thread of its own.
    ///
    /// - Returns: nil: too many wait for one, or the list is being changed.
    package func review(_ game: Game) async -> V2.Review? {
        let made = await worker.run { [self] in
            list(of: game).map { list in
                list.review(guesses: game.game.guesses.map(\.word), secret: game.game.secret ?? "")
            }
        }
        guard let guesses = made ?? nil else { return nil }
        return V2.Review(guesses: guesses.map(V2.ReviewedGuess.init))
    }

    /// The list of a game: the one that is kept, or that of its words, which is kept from then on.
    private func list(of game: Game) -> ReviewedList? {
        if let kept = lists.withLock({ $0[game.list] }), kept.seal == game.seal { return kept.list }
        guard let words = game.words, let list = ReviewedList(words: words, letters: game.list.letters) else {
            return nil
        }
        if list.keptBytes <= Self.mostBytes {
            lists.withLock { $0[game.list] = Kept(seal: game.seal, list: list) }
        }
        return list
    }
}

extension V2.ReviewedGuess {
    fileprivate init(_ guess: ReviewedGuess) {
        self.init(
            word: guess.word, before: guess.before, left: guess.left, expected: Double(guess.expectedHundredths) / 100,
            best: guess.best.map {
                V2.BestGuess(word: $0.word, expected: Double($0.expectedHundredths) / 100)
            })
    }
}

/// The seal of a list and, if it is not the known one, the list's secrets that are not retired. No row: there is no such list.
private struct ReadReviewedList: Statement {
    var sql: StaticString {
        """
        SELECT seal, CASE WHEN seal IS DISTINCT FROM $3 THEN ARRAY(
            SELECT word FROM juliet.words
            WHERE language = $1 AND char_length(word) = $2 AND is_secret AND retired_at IS NULL) END
        FROM juliet.word_lists WHERE language = $1 AND letters = $2
        """
    }
    var access: StatementAccess { .read }

    let list: WordList
    let known: Int64?

    func bind(to parameters: inout Parameters) {
        parameters.append(list.language)
        parameters.append(Int32(clamping: list.letters))
        parameters.append(known)
    }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (seal: Int64, words: [String]?) { (try row.next(), try row.next()) }
}
