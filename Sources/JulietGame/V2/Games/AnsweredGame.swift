package import JulietAPI
import Postgres
import StrictEncoding

/// A game that was asked for (`game_answer`).
package struct AnsweredGame: Sendable {
    /// The game as it is, or was when this was first answered.
    package let game: V2.Game
    /// Whether it was begun.
    package let isNew: Bool
    /// The balance, if the game was to be paid; for a repeat, after the first time.
    package let energy: Int
}

extension AnsweredGame: AnswerValue {
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        let energy = try fields.integer(in: bytes)
        let isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        let isNew = try fields.next(Bool?.self, in: bytes) ?? false
        let game = try fields.next(ShownGame?.self, in: bytes)?.game
        guard let refusal else {
            return answer(nil, game.map { Self(game: $0, isNew: isNew, energy: energy) }, isReplay: isReplay)
        }
        let refill = try fields.refill(in: bytes)
        let letter = try fields.next(String?.self, in: bytes)
        let position = try fields.next(Int32?.self, in: bytes)
        let count = try fields.integer(in: bytes)
        let rule = letter.map { letter in
            position.map { V2.HardRule(letter: letter, position: Int($0)) } ?? .init(letter: letter, count: count)
        }
        return answer(
            refusal, nil, isReplay: isReplay, details: V2Details(energy: energy, game: game, refill: refill, rule: rule)
        )
    }
}

/// A `shown_game`, which has word and salt only when the game is over.
struct ShownGame: PostgresDecodable {
    let game: V2.Game

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        let id = try fields.next(PostgresUUID.self, in: bytes).description
        let day = try fields.next(PostgresDate?.self, in: bytes).map(V2.Day.init)
        let language = try fields.next(String.self, in: bytes)
        let length = try fields.integer(in: bytes)
        let words = try fields.next(String.self, in: bytes)
        let marks = try fields.next(String.self, in: bytes)
        let isWon = try fields.next(Bool.self, in: bytes)
        let commitment = Hexadecimal.encode(try fields.next([UInt8].self, in: bytes))
        let startedAt = V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes))
        let endedAt = try fields.next(PostgresTimestamp?.self, in: bytes).map(V2.Timestamp.init)
        let secret = try fields.next(String?.self, in: bytes)
        let salt = try fields.next(PostgresUUID?.self, in: bytes)?.digits
        let reward = try fields.next(Int32?.self, in: bytes).map(Int.init)
        guard let kind = V2.Game.Kind(rawValue: try fields.next(String.self, in: bytes)) else { throw .malformed }
        let isHard = try fields.next(Bool.self, in: bytes)
        let challenge = try fields.next(String?.self, in: bytes).flatMap { V2.ShareCode($0) }
        let meaning = try fields.next(String?.self, in: bytes)
        let isAnyWord = try fields.next(Bool.self, in: bytes)
        let hint = try fields.next(String?.self, in: bytes)
        game = V2.Game(
            id: .init(id), kind: kind, isHard: isHard,
            state: endedAt == nil ? .playing : isWon ? .won : .lost, language: language, length: length,
            guesses: try Self.guesses(words, marks, length: length), commitment: commitment, startedAt: startedAt,
            endedAt: endedAt, secret: secret, salt: salt, meaning: meaning, day: day, reward: reward,
            challenge: challenge, isAnyWord: isAnyWord, hint: hint)
    }

    /// Splits the guesses, which are stored one after the other.
    private static func guesses(
        _ words: String, _ marks: String, length: Int
    ) throws(PostgresDecodingError.Reason) -> [V2.Guess] {
        // A letter is one scalar: words are composed.
        let letters = words.unicodeScalars
        guard length > 0, letters.count == marks.utf8.count, letters.count.isMultiple(of: length) else {
            throw .malformed
        }
        var guesses: [V2.Guess] = []
        guesses.reserveCapacity(letters.count / length)
        var (letter, mark) = (letters.startIndex, marks.utf8.startIndex)
        while letter < letters.endIndex {
            let (word, row) = (letters.index(letter, offsetBy: length), marks.utf8.index(mark, offsetBy: length))
            guesses.append(
                V2.Guess(
                    word: String(letters[letter..<word]), marks: marks.utf8[mark..<row].map(V2.Mark.init(shown:))))
            (letter, mark) = (word, row)
        }
        return guesses
    }
}

extension V2.Mark {
    /// Reads a letter of `marks` in the database.
    init(shown letter: UInt8) {
        self =
            switch letter {
            case UInt8(ascii: "c"): .correct
            case UInt8(ascii: "p"): .present
            default: .absent
            }
    }
}
