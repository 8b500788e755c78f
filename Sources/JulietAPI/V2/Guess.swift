extension V2 {
    /// The mark of one letter of a guess.
    public enum Mark: String, Codable, CaseIterable, Sendable {
        /// The secret does not have it, or not more often than is marked already.
        case absent
        /// The secret has it in another place.
        case present
        /// The secret has it in this place.
        case correct
    }

    /// A guess that counted.
    public struct Guess: Codable, Hashable, Sendable {
        /// The word, lower case.
        public var word: String
        /// One mark for each letter.
        public var marks: [Mark]

        /// Takes a word and its marks.
        public init(word: String, marks: [Mark]) {
            self.word = word
            self.marks = marks
        }
    }
}

extension V2.Mark: JSONWritable {}

extension V2.Guess: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Guess>(
        "Guess", "A guess that counted.",
        [
            .member("word", \.word, "The word, lower case."),
            .member(
                "marks", \.marks,
                "One mark for each letter. Correct letters are marked first, then present ones among the letters that are left."
            ),
        ])
}
