extension V2 {
    /// A look back at a game that is over. A candidate is a word that a guess could still have been for: a secret of the
    /// game's list that fits all marks before it.
    public struct Review: Codable, Hashable, Sendable {
        /// The guesses, in order.
        public var guesses: [ReviewedGuess]

        /// Takes guesses.
        public init(guesses: [ReviewedGuess]) {
            self.guesses = guesses
        }
    }

    /// What a guess told, and what could be expected of it.
    public struct ReviewedGuess: Codable, Hashable, Sendable {
        /// The guess.
        public var word: String
        /// How many candidates there were before it.
        public var before: Int
        /// How many were left after it.
        public var left: Int
        /// How many a guess of this word leaves on average, each candidate being as likely; two decimals.
        public var expected: Double
        /// The candidate that leaves the fewest on average; nil if there was only one.
        public var best: BestGuess?

        /// Describes a guess.
        public init(word: String, before: Int, left: Int, expected: Double, best: BestGuess? = nil) {
            self.word = word
            self.before = before
            self.left = left
            self.expected = expected
            self.best = best
        }
    }

    /// The guess that leaves the fewest candidates on average.
    public struct BestGuess: Codable, Hashable, Sendable {
        /// The word.
        public var word: String
        /// How many it leaves on average; two decimals.
        public var expected: Double

        /// Describes a guess.
        public init(word: String, expected: Double) {
            self.word = word
            self.expected = expected
        }
    }
}

extension V2.Review: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Review>(
        "Review",
        "A look back at a game that is over. A candidate is a secret of the game's list that fits all marks before a guess.",
        [.member("guesses", \.guesses, "The guesses, in order.")])
}

extension V2.ReviewedGuess: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.ReviewedGuess>(
        "ReviewedGuess", "What a guess told, and what could be expected of it.",
        [
            .member("word", \.word, "The guess."),
            .member("before", \.before, "How many candidates there were before it.", .minimum(1)),
            .member("left", \.left, "How many were left after it.", .minimum(1)),
            .member(
                "expected", \.expected,
                "How many the word leaves on average, each candidate being as likely; at most two decimals.",
                .minimum(1)),
            .optional(
                "best", \.best, "The candidate that leaves the fewest on average; missing if there was only one."),
        ])
}

extension V2.BestGuess: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.BestGuess>(
        "BestGuess", "The candidate that leaves the fewest others on average, the first in the order of code points.",
        [
            .member("word", \.word, "The word."),
            .member("expected", \.expected, "How many it leaves on average; at most two decimals.", .minimum(1)),
        ])
}
