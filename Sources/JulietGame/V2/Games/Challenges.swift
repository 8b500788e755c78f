package import JulietAPI
package import Postgres
import StrictEncoding

/// Words that friends play, each alone: made by one of them, found by a code. Each function is one statement, which also
/// checks the session.
///
/// When one throws `outcomeUnknown`, it may have been done. A repeat of making one under the same operation's name gets
/// the same answer, a repeat of beginning gets the game that was begun, and a repeat of deleting says that there is
/// none.
package struct Challenges: Sendable {
    private let rules: RulesInForce
    private let database: PostgresClient

    /// Challenges on this database.
    ///
    /// - Parameter rules: Which language words are in.
    package init(rules: RulesInForce, database: PostgresClient) {
        self.rules = rules
        self.database = database
    }

    /// Pays for a challenge and makes it, both or neither. Refused, in this order: name refused (the hint), word unknown or
    /// list unknown, word refused, hint tells, too many, energy insufficient; no words.
    ///
    /// - Parameter wanted: As ``spelled(_:)`` has it.
    package func make(
        _ wanted: V2.NewChallenge, by session: Credential, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> V2Answer<SeenChallenge> {
        let operation = id.map {
            Operation(
                $0, .makeChallenge, wanted.word.map { "own \($0)" } ?? "", wanted.isHard ? "hard" : "",
                "\(wanted.duration)", wanted.language ?? "", wanted.length.map { "\($0)" } ?? "",
                wanted.isAnyWord ? "any" : "", wanted.hint.map { "hint \($0)" } ?? "")
        }
        return try await database.ask(.createChallenge(session: session, wanted, operation: operation))
    }

    /// A request with word and hint as they are stored. What cannot be a word or a hint becomes an empty text, so that other
    /// refusals come first.
    ///
    /// - Throws: When the length is not that of the word.
    package func spelled(_ wanted: V2.NewChallenge) throws(V2.RequestFault) -> V2.NewChallenge {
        var wanted = wanted
        let spelling = WordSpelling(
            language: wanted.language ?? rules.current.language, takesAnyLetters: wanted.isAnyWord)
        if let text = wanted.word {
            let word = (try? spelling.word(text)) ?? ""
            if let length = wanted.length, !word.isEmpty, length != word.unicodeScalars.count {
                throw V2.RequestFault(path: "/length", detail: "\"length\" must be that of \"word\", or be left out.")
            }
            wanted.word = word
        }
        wanted.hint = wanted.hint.map { V2.GivenName($0, .hint).text }
        return wanted
    }

    /// A challenge, with what the caller may see of it. Refused: unauthorized, not found.
    ///
    /// - Parameters:
    ///   - code: nil: the text was not a code.
    ///   - session: nil: the caller is not signed in.
    package func challenge(
        _ code: V2.ShareCode?, for session: Credential?
    ) async throws(PostgresError) -> V2Answer<SeenChallenge> {
        guard code != nil || session != nil else { return .refused(.notFound) }
        return try await database.ask(.readChallenge(session: session, code: code))
    }

    /// What a link to a challenge shows; nil: there is no such challenge.
    package func link(to code: V2.ShareCode) async throws(PostgresError) -> ChallengeLink? {
        try await database.first(ReadChallengeLink(code: code))
    }

    /// The results of a challenge. The caller decides who may see them.
    package func results(of code: V2.ShareCode) async throws(PostgresError) -> [ChallengeLine] {
        try await database.execute(FunctionCall.readChallengeResults(code: code))
    }

    /// Begins a challenge's game, which is free, or returns the one that was begun. Refused, in this order: not found,
    /// challenge own word, challenge over, challenge full, too many.
    ///
    /// - Parameter code: nil: the text was not a code.
    package func startGame(
        of code: V2.ShareCode?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<AnsweredGame> {
        try await database.ask(.startChallengeGame(session: session, code: code))
    }

    /// The challenges that a player made or plays, newest first, without their results.
    ///
    /// - Parameters:
    ///   - before: Those that come after this place; nil: from the newest on.
    ///   - limit: How many at most, from 1 on.
    package func list(
        of session: Credential, before: Place?, limit: Int
    ) async throws(PostgresError) -> V2Answer<V2.ChallengeList> {
        let list = FunctionCall.listChallenges(session: session, before: before, limit: limit + 1)
        return try await database.list(list).map { challenges in
            let page = challenges.prefix(limit).map(\.challenge)
            let next = challenges.count > limit ? page.last.map { "\(Place($0))" } : nil
            return V2.ChallengeList(challenges: page, next: next)
        }
    }

    /// Deletes a challenge; the games that were begun stay. Refused: not found; not maker, if another player made it.
    ///
    /// - Parameter code: nil: the text was not a code.
    package func delete(_ code: V2.ShareCode?, by session: Credential) async throws(PostgresError) -> V2Answer<Void> {
        try await database.ask(.deleteChallenge(session: session, code: code))
    }

    /// Where a challenge is in a list.
    package struct Place: Sendable, Hashable, CustomStringConvertible {
        let createdAt: V2.Timestamp
        let code: V2.ShareCode

        init(_ challenge: V2.Challenge) {
            createdAt = challenge.createdAt
            code = challenge.code
        }

        /// Reads a `description`; nil for anything else.
        package init?(_ text: String) {
            let parts = text.split(separator: "-", maxSplits: 1)
            guard parts.count == 2, let moment = Int64(parts[0]), let code = V2.ShareCode(String(parts[1])) else {
                return nil
            }
            (createdAt, self.code) = (V2.Timestamp(microsecondsSince1970: moment), code)
        }

        /// The time, in microseconds since 1970, and the code.
        package var description: String { "\(createdAt.microsecondsSince1970)-\(code)" }
    }
}

/// A challenge, and what its reader may see of it.
package struct SeenChallenge: Sendable {
    /// The challenge, without results.
    package let challenge: V2.Challenge
    /// Whether the results may be seen.
    package let isOpen: Bool
    /// The maker's balance, if it was just made; for a repeat, after the first time.
    package let energy: Int
    /// The name of the reader, if they have a game of it.
    let readerName: String?
    /// The results, if they were read too.
    package let results: [ChallengeLine]?

    /// How many are shown of all results.
    private static let shown = 100

    /// The challenge with results: the best, and that of the reader.
    package func with(_ lines: [ChallengeLine]) -> V2.Challenge {
        var challenge = challenge
        let own = challenge.game?.id
        challenge.results = lines.enumerated().compactMap { index, line in
            guard index < Self.shown || line.game == own else { return nil }
            var result = line.result
            if line.game == own {
                result.isMe = true
                result.name = readerName ?? result.name
            }
            return result
        }
        return challenge
    }

    /// The reader's game, if it ended in time and so is among the results.
    package var gameInResults: V2.Game.ID? {
        guard let game = challenge.game, let endedAt = game.endedAt, endedAt < challenge.endsAt else { return nil }
        return game.id
    }
}

/// A line of a challenge's results (`challenge_result`).
package struct ChallengeLine: Sendable {
    /// The id of the game.
    package let game: V2.Game.ID
    /// The public part. Beyond the best hundred it has no name.
    package let result: V2.ChallengeResult
}

extension ChallengeLine: PostgresDecodable {
    /// Reads a `challenge_result`.
    package init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        game = .init(try fields.next(PostgresUUID.self, in: bytes).description)
        let rank = try fields.integer(in: bytes)
        let name = try fields.next(String?.self, in: bytes) ?? ""
        let isWon = try fields.next(Bool.self, in: bytes)
        let guesses = try fields.integer(in: bytes)
        let seconds = Int(try fields.next(Int64.self, in: bytes))
        let marks = Array(try fields.next(String.self, in: bytes).utf8.map(V2.Mark.init(shown:)))
        guard guesses >= 0, guesses == 0 ? marks.isEmpty : marks.count.isMultiple(of: guesses) else { throw .malformed }
        let length = guesses == 0 ? 0 : marks.count / guesses
        result = V2.ChallengeResult(
            rank: rank, name: name, state: isWon ? .won : .lost, guesses: guesses, seconds: seconds,
            marks: (0..<guesses).map { Array(marks[$0 * length..<($0 + 1) * length]) })
    }
}

extension SeenChallenge: AnswerValue {
    /// Reads a `challenge_answer`.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        let energy = try fields.integer(in: bytes)
        let isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        let refill = try fields.refill(in: bytes)
        let shown = try fields.next(ShownChallenge?.self, in: bytes)
        let results = try fields.next([ChallengeLine]?.self, in: bytes)
        let seen = shown.map {
            SeenChallenge(
                challenge: $0.challenge, isOpen: $0.isOpen, energy: energy, readerName: $0.readerName, results: results)
        }
        return answer(refusal, seen, isReplay: isReplay, details: V2Details(energy: energy, refill: refill))
    }
}

/// A `shown_challenge`, which has word and salt only when its reader may see them.
struct ShownChallenge: PostgresDecodable {
    let challenge: V2.Challenge
    let isOpen: Bool
    let readerName: String?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        guard let code = V2.ShareCode(try fields.next(String.self, in: bytes)) else { throw .malformed }
        let maker = try fields.next(String?.self, in: bytes)
        let isMine = try fields.next(Bool.self, in: bytes)
        let isOwnWord = try fields.next(Bool.self, in: bytes)
        let language = try fields.next(String.self, in: bytes)
        let length = try fields.integer(in: bytes)
        let isHard = try fields.next(Bool.self, in: bytes)
        let commitment = Hexadecimal.encode(try fields.next([UInt8].self, in: bytes))
        let createdAt = V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes))
        let endsAt = V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes))
        let players = try fields.integer(in: bytes)
        let game = try fields.next(ShownGame?.self, in: bytes)?.game
        isOpen = try fields.next(Bool.self, in: bytes)
        let secret = try fields.next(String?.self, in: bytes)
        let salt = try fields.next(PostgresUUID?.self, in: bytes)?.digits
        readerName = try fields.next(in: bytes)
        let meaning = try fields.next(String?.self, in: bytes)
        let isAnyWord = try fields.next(Bool.self, in: bytes)
        let hint = try fields.next(String?.self, in: bytes)
        challenge = V2.Challenge(
            code: code, by: maker, isMine: isMine, isOwnWord: isOwnWord, language: language, length: length,
            isHard: isHard, commitment: commitment, createdAt: createdAt, endsAt: endsAt, players: players,
            game: game, secret: secret, salt: salt, meaning: meaning, isAnyWord: isAnyWord, hint: hint)
    }
}

// Rows that do not belong to one player are on the coordinator.

extension FunctionCall<AnswerRow<SeenChallenge>> {
    static func createChallenge(session: Credential, _ wanted: V2.NewChallenge, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.create_challenge($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", session: session, isSpread: false
        ) {
            $0.append(
                wanted.language, wanted.length.map { Int32(clamping: $0) }, wanted.word, wanted.isHard,
                Int32(clamping: wanted.duration))
            $0.append(operation)
            $0.append(wanted.isAnyWord, wanted.hint)
        }
    }

    static func readChallenge(session: Credential?, code: V2.ShareCode?) -> Self {
        Self("SELECT juliet.read_challenge($1, $2)", session: session, access: .read, isSpread: false) {
            $0.append(code?.characters)
        }
    }

    static func listChallenges(session: Credential, before: Challenges.Place?, limit: Int) -> Self {
        Self("SELECT juliet.list_challenges($1, $2, $3, $4)", session: session, access: .read, isSpread: false) {
            $0.append(
                before.map { PostgresTimestamp(microsecondsSince1970: $0.createdAt.microsecondsSince1970) },
                before?.code.characters, Int32(clamping: limit))
        }
    }
}

extension FunctionCall<ChallengeLine> {
    static func readChallengeResults(code: V2.ShareCode) -> Self {
        Self("SELECT juliet.read_challenge_results($1)", access: .read) { $0.append(code.characters) }
    }
}

// These lock a challenge, which does not belong to one player, so batches order them by its code: statements of
// different challenges cannot deadlock. They can still deadlock with other statements of the same players; then they
// are tried again.

extension FunctionCall<AnswerRow<AnsweredGame>> {
    static func startChallengeGame(session: Credential, code: V2.ShareCode?) -> Self {
        Self(
            "SELECT juliet.start_challenge_game($1, $2)", attempts: 3,
            orderingKey: code?.characters ?? session.player?.rawValue, isKeyShared: code != nil
        ) {
            $0.append(session.proof, code?.characters)
        }
    }
}

extension FunctionCall<RefusalRow> {
    static func deleteChallenge(session: Credential, code: V2.ShareCode?) -> Self {
        Self(
            "SELECT juliet.delete_challenge($1, $2)", attempts: 3,
            orderingKey: code?.characters ?? session.player?.rawValue, isKeyShared: code != nil
        ) {
            $0.append(session.proof, code?.characters)
        }
    }
}
