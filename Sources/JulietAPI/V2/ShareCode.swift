extension V2 {
    /// What people give to one another so that they find the same challenge or league: 40 random bits in Crockford's base 32.
    ///
    /// It is shown as `H7KQ-2MXP` and read as recovery codes are.
    public struct ShareCode: Hashable, Sendable {
        /// The code's 8 characters, upper case: its one form, in which it is kept and compared.
        public let characters: String

        /// Reads a code as people write it: letter case, hyphens and blanks do not matter, I and L are 1, O is 0.
        ///
        /// Nil for anything else.
        public init?(_ text: String) {
            guard let characters = CrockfordText.read(text, count: 8) else { return nil }
            self.characters = characters
        }
    }
}

extension V2.ShareCode: CustomStringConvertible {
    /// The code as people are shown it: `H7KQ-2MXP`.
    public var description: String { CrockfordText.grouped(characters, by: 4) }
}
