import JulietClient
import PlayUseCase

/// What a board shows of a game, whoever judges it.
struct Board: Sendable {
    /// The guesses with what they told, upper case.
    var rows: [[(letter: Character, mark: Mark)]] = []
    /// Letters in a guess.
    var length = 5
    /// The guesses a player has.
    var attempts = Game.attempts
    /// Whether another guess can be typed.
    var takesGuess = false

    /// The best that is known of each letter that was guessed.
    var knowledge: [Character: Mark] {
        rows.joined().reduce(into: [:]) { known, tile in
            known[tile.letter] = max(known[tile.letter] ?? .absent, tile.mark)
        }
    }
}

extension Board {
    /// A game by the app's contract; nil: an empty board.
    init(_ game: Game?) {
        guard let game else {
            self.init()
            return
        }
        self.init(rows: game.rows, length: game.length, takesGuess: game.outcome == nil)
    }

    /// A game of `/v2`.
    init(_ game: V2.Game) {
        let rows = game.guesses.map { guess in
            // A mark is of one code point, which need not be one character.
            let letters = guess.word.unicodeScalars.map { Character($0).inUpperCase(of: game.language) }
            return Array(zip(letters, guess.marks.map(Mark.init))).map { (letter: $0, mark: $1) }
        }
        self.init(
            rows: rows, length: game.length, attempts: game.maximumGuesses, takesGuess: game.state == .playing)
    }
}

extension Mark {
    fileprivate init(_ mark: V2.Mark) {
        self =
            switch mark {
            case .absent: .absent
            case .present: .present
            case .correct: .correct
            }
    }
}
