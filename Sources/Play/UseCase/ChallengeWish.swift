/// What a challenge is to be, as its maker says it.
package struct ChallengeWish: Codable, Hashable, Sendable {
    /// A word of the maker's own; nil: one is dealt.
    package internal(set) var word: String?
    /// The language of the word; nil: the usual one.
    package internal(set) var language: String?
    /// How many letters a word that is dealt has; nil: the usual number.
    package internal(set) var length: Int?
    /// Whether the word, and guesses, need not be in a list.
    package internal(set) var isAnyWord = false
    /// What everybody is told of an own word; nil: nothing.
    package internal(set) var hint: String?
    /// Whether it is played in hard mode.
    package internal(set) var isHard = false
    /// For how many times 24 hours.
    package internal(set) var days = 7

    /// Whether the word may be one that is in no list, as far as can be seen here: 4 to 8 letters, and nothing else.
    var canBeAnyWord: Bool {
        guard let word else { return false }
        let letters = [Character](lettersOf: word)
        return (4...8).contains(letters.count) && String(letters) == word
    }
}

/// A challenge that is being made, question by question.
package struct DeskMaking: Equatable, Sendable {
    /// What is asked.
    package enum Step: Equatable, Sendable {
        /// Whether a word is dealt.
        case kind
        /// Which word.
        case word
        case hint
        /// How the others are to see the player.
        case name
        /// How it is played, and whether to pay.
        case terms
        /// Whether to take the word though it is in no list.
        case anyWord
    }

    package internal(set) var step = Step.kind
    package internal(set) var wish: ChallengeWish
    /// Whether it is of the word of the game on the board.
    let isOfGame: Bool
}
