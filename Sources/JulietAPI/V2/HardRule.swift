extension V2 {
    /// A rule of hard mode that a guess breaks: it must use what earlier guesses have shown.
    public struct HardRule: Codable, Hashable, Sendable {
        /// The letter, lower case.
        public var letter: String
        /// Where it is known to be, 1 for the first place; nil: it is known to be in the word.
        public var position: Int?
        /// How often the guess must have it; nil if its place is known.
        public var count: Int?

        /// Takes a letter that is known to be in place.
        public init(letter: String, position: Int) {
            self.letter = letter
            self.position = position
        }

        /// Takes a letter that is known to be in the word.
        public init(letter: String, count: Int) {
            self.letter = letter
            self.count = count
        }
    }
}

extension V2.HardRule: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.HardRule>(
        "HardRule",
        "A rule of hard mode that a guess breaks. It has either `position` or `count`.",
        [
            .member("letter", \.letter, "The letter, lower case."),
            .optional("position", \.position, "Where it is known to be, counted from 1.", .minimum(1)),
            .optional(
                "count", \.count, "How often the guess must have it, as an earlier guess has shown.", .minimum(1)),
        ])
}
