/// A player as the old backend knew them, mended where its data allows nonsense.
package struct LegacyUser: Sendable, Hashable {
    /// Why an item cannot be taken over.
    package enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// Not a JSON object, or too large for one of the old table.
        case malformed
        /// No `userID`, or one that no request could carry.
        case userID
        /// A number that is none, or too large for a balance.
        case number(String)

        /// What is wrong, in a few words.
        package var description: String {
            switch self {
            case .malformed: "is no JSON object"
            case .userID: "has no userID of 1 to 128 printable characters"
            case .number(let attribute): "has no usable number in \(attribute)"
            }
        }
    }

    /// What had to be mended.
    package enum Repair: String, Sendable, Hashable, CaseIterable {
        /// The balance was negative and becomes 0.
        case negativeEnergy = "negative energy taken as 0"
        /// There was no balance; the player gets a new player's.
        case missingEnergy = "missing energy taken as a new player's"
        /// A number was written with decimals, which are cut off.
        case fraction = "fraction cut off"
        /// The count of wins was negative and becomes 0.
        case negativeWins = "negative wins taken as 0"
        /// A word was there more than once.
        case repeatedWord = "repeated word merged"
        /// An entry of `playedWords` was no word at all.
        case malformedWord = "entry that is no word left out"
    }

    /// The player.
    package let id: User.ID
    /// The balance, 0 or more.
    package let energy: Int32
    /// Wins, 0 or more.
    package let wins: Int32
    /// The words played, each once, as the language spells them.
    package let playedWords: [String]
    /// Whether the player ever bought energy.
    package let hasMadePurchase: Bool
    /// What was mended, with a count.
    package let repairs: [Repair: Int]

    /// Reads an item.
    ///
    /// Attributes may be plain JSON or DynamoDB's, where `{"N": "15"}` is a number; the item may stand in an object
    /// under `Item`, as exports to S3 have it. `saltHash` is not taken over: nothing needs it any more.
    ///
    /// - Parameters:
    ///   - json: One JSON object.
    ///   - spelling: Of the language whose words the player played.
    ///   - startingEnergy: The balance for an item that has none.
    package init(json: [UInt8], spelling: WordSpelling, startingEnergy: Int32) throws(Refusal) {
        guard case .object(let object) = LegacyValue(json: json) else { throw .malformed }
        let item = if case .object(let item) = object["Item"] { item } else { object }
        var repairs: [Repair: Int] = [:]

        guard case .text(let id) = item["userID"]?.plain, (1...128).contains(id.unicodeScalars.count),
            id.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .userID }
        self.id = User.ID(id)

        if let number = try Self.number(item["energy"], named: "energy", repairs: &repairs) {
            if number < 0 { repairs[.negativeEnergy] = 1 }
            energy = max(0, number)
        } else {
            repairs[.missingEnergy] = 1
            energy = startingEnergy
        }
        // Often missing, which says no more than that the player never won.
        let wins = try Self.number(item["userWins"], named: "userWins", repairs: &repairs) ?? 0
        if wins < 0 { repairs[.negativeWins] = 1 }
        self.wins = max(0, wins)

        var words: [String] = []
        var seen: Set<String> = []
        let entries = if case .list(let entries) = item["playedWords"]?.plain { entries } else { [LegacyValue]() }
        for entry in entries {
            guard case .text(let text) = entry.plain, let word = try? spelling.word(text) else {
                repairs[.malformedWord, default: 0] += 1
                continue
            }
            if seen.insert(word).inserted { words.append(word) } else { repairs[.repeatedWord, default: 0] += 1 }
        }
        playedWords = words
        hasMadePurchase =
            switch item["hasMadePurchase"]?.plain {
            case .flag(let flag): flag
            case .number(let number): number != 0
            default: false
            }
        self.repairs = repairs
    }

    /// A whole number, however it is written; nil when there is none.
    private static func number(
        _ value: LegacyValue?, named attribute: String, repairs: inout [Repair: Int]
    ) throws(Refusal) -> Int32? {
        let number: Double?
        switch value?.plain {
        case nil: return nil
        case .text(let text): number = Double(text)
        case .number(let value): number = value
        case .flag(let flag): number = flag ? 1 : 0
        case .object, .list, .null: number = nil
        }
        guard let number, let whole = Int32(exactly: number.rounded(.towardZero)) else { throw .number(attribute) }
        if Double(whole) != number { repairs[.fraction, default: 0] += 1 }
        return whole
    }
}
