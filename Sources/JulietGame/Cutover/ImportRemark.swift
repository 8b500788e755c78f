/// One line of the report of an import: what was done with an item that was not simply imported.
package struct ImportRemark: Sendable, Hashable, Encodable {
    /// What became of it, and why.
    package enum Kind: String, Sendable, Hashable, CaseIterable, Encodable {
        // Refused.
        case malformed, userID, userIDReserved, energyUnusable, winsUnusable, wordsUnusable, database
        // Mended.
        case energyMissing, energyNegative, energyTooLarge, energyFraction
        case winsNegative, winsTooLarge, winsFraction
        case wordRepeated, wordMalformed, wordUnknown, purchaseUnusable
        // The player was here already.
        case replaced, different, claimed

        /// What it means for the item.
        package enum Effect: Sendable {
            case refused, mended, replaced, present
        }

        /// What it means for the item.
        package var effect: Effect {
            switch self {
            case .malformed, .userID, .userIDReserved, .energyUnusable, .winsUnusable, .wordsUnusable, .database:
                .refused
            case .replaced: .replaced
            case .different, .claimed: .present
            default: .mended
            }
        }

        /// In a few words.
        package var text: String {
            switch self {
            case .malformed: "not a JSON object"
            case .userID: "no userID of 1 to 128 printable characters"
            case .userIDReserved: "userID of the form that players of /v2 have"
            case .energyUnusable: "no usable number in energy"
            case .winsUnusable: "no usable number in userWins"
            case .wordsUnusable: "no list in playedWords"
            case .database: "refused by the database"
            case .energyMissing: "missing energy taken as a new player's"
            case .energyNegative: "negative energy taken as 0"
            case .energyTooLarge: "energy above 1,000,000 taken as 1,000,000"
            case .energyFraction: "fraction of energy cut off"
            case .winsNegative: "negative wins taken as 0"
            case .winsTooLarge: "wins above 1,000,000 taken as 1,000,000"
            case .winsFraction: "fraction of wins cut off"
            case .wordRepeated: "repeated words merged"
            case .wordMalformed: "entries that are not words left out"
            case .wordUnknown: "unknown words left out"
            case .purchaseUnusable: "hasMadePurchase neither yes nor no, taken as no"
            case .replaced: "registered since, and has done nothing else"
            case .different: "with other data"
            case .claimed: "claimed by a player of /v2"
            }
        }
    }

    /// The state of a player.
    package struct State: Sendable, Hashable, Encodable {
        /// The balance.
        package let energy: Int32
        /// Games won.
        package let wins: Int32
        /// The words played, in their order.
        package let playedWords: [String]
    }

    /// What was, or is.
    package enum Value: Sendable, Hashable, Encodable {
        /// Nothing: null.
        case nothing
        /// A number, such as the number of words.
        case number(Int32)
        /// A number as the old backend had it.
        case exactNumber(Double)
        /// Words.
        case words([String])
        /// A player's state.
        case state(State)
        /// An error's code, or a player's id.
        case text(String)

        /// Writes the value alone.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .nothing: try container.encodeNil()
            case .number(let number): try container.encode(number)
            case .exactNumber(let number):
                // JSON has no infinite numbers.
                if number.isFinite { try container.encode(number) } else { try container.encode("\(number)") }
            case .words(let words): try container.encode(words)
            case .state(let state): try container.encode(state)
            case .text(let text): try container.encode(text)
            }
        }
    }

    /// The export's name.
    package let file: String
    /// The line in it on which the item begins.
    package let line: Int
    /// Whose item it is; nil when it does not say.
    package let user: String?
    /// What became of it, and why.
    package let kind: Kind
    /// The value in the old backend; for a player who was registered here since, the value here.
    package let was: Value
    /// What the player has now.
    package let now: Value

    private enum CodingKeys: CodingKey {
        case file, line, user, kind, was, now
    }

    /// Writes every key, null where there is nothing.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try container.encode(line, forKey: .line)
        try container.encode(user, forKey: .user)
        try container.encode(kind, forKey: .kind)
        try container.encode(was, forKey: .was)
        try container.encode(now, forKey: .now)
    }
}
