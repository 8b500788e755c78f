/// One game: the secret that was dealt and what was guessed.
package struct Game: Codable, Equatable, Sendable {
    /// How a game ended.
    package enum Outcome: Sendable {
        case won
        case lost
    }

    /// The guesses a player has.
    package static let attempts = 6

    /// The name of the operation that paid for it; the names of the game's other operations derive from it.
    package let id: String
    /// Upper case.
    package let secret: String
    /// Upper case, in their order; each as long as the secret.
    package private(set) var guesses: [String] = []

    package init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// Letters in the secret, and in a guess.
    package var length: Int { secret.count }

    /// How it ended; nil while it goes on.
    package var outcome: Outcome? {
        if guesses.last == secret { return .won }
        return guesses.count >= Self.attempts ? .lost : nil
    }

    /// The guesses with what they told.
    package var rows: [[(letter: Character, mark: Mark)]] {
        let secret = Array(secret)
        return guesses.map { guess in
            let letters = Array(guess)
            return Array(zip(letters, Mark.marks(of: letters, for: secret))).map { (letter: $0, mark: $1) }
        }
    }

    /// Takes a guess, unless the game has ended or the guess has another length.
    mutating func take(_ guess: String) {
        guard outcome == nil, guess.count == length else { return }
        guesses.append(guess)
    }
}
