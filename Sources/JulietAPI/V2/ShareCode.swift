extension V2 {
    /// A code that people share to find the same challenge or league: 40 random bits in Crockford's base 32.
    ///
    /// It is shown as `H7KQ-2MXP` and read as recovery codes are.
    public struct ShareCode: Hashable, Sendable {
        /// The code's 8 characters, upper case, as it is stored and compared.
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
    /// The code as it is shown to people: `H7KQ-2MXP`.
    public var description: String { CrockfordText.grouped(characters, by: 4) }
}

extension V2.ShareCode: Codable {
    /// Reads a code, however it is spelled.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let code = V2.ShareCode(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a code")
        }
        self = code
    }

    /// Writes the code as people are shown it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension V2.ShareCode: JSONWritable {
    /// Two groups of four characters.
    package static let schema = Schema(
        .string, [.pattern("^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$")])

    /// Writes the code as people are shown it.
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
