import JulietAPI

/// A player of the old backend, with impossible values corrected.
package struct LegacyUser: Sendable, Hashable {
    /// A correction: the old value and the new one.
    package struct Repair: Sendable, Hashable {
        /// What was wrong.
        package let kind: ImportRemark.Kind
        /// What the old backend had.
        package let was: ImportRemark.Value
        /// What the player has now.
        package let now: ImportRemark.Value?
    }

    /// Why an item cannot be taken over.
    package struct Refusal: Error, Sendable, Hashable {
        /// What is wrong.
        package let kind: ImportRemark.Kind
        /// Whose item it is, if known.
        package let user: User.ID?
    }

    /// The player.
    package let id: User.ID
    /// The balance, 0 to ``maximum``.
    package let energy: Int32
    /// Wins, 0 to ``maximum``.
    package let wins: Int32
    /// The words played, each once, as the language spells them, in the order in which they were played last.
    package let playedWords: [String]
    /// Whether the player ever bought energy.
    package let hasMadePurchase: Bool
    /// The corrections.
    package let repairs: [Repair]

    /// The highest balance and number of wins that are imported: the most that the service accepts from a client, and
    /// far below the 2,147,483,647 at which both end, so that the player can still buy and win.
    package static let maximum: Int32 = 1_000_000

    /// Reads an item.
    ///
    /// Attributes may be plain JSON or DynamoDB's, where `{"N": "15"}` is a number; the item may be in an object
    /// under `Item`, as in exports to S3. `saltHash` is ignored: nothing needs it any more.
    ///
    /// - Parameters:
    ///   - json: One JSON object.
    ///   - spelling: The spelling of the language whose words the player played.
    ///   - startingEnergy: The balance for an item that has none.
    /// - Throws: ``Refusal``, also for an attribute of an unexpected type: nothing is guessed.
    package init(json: [UInt8], spelling: WordSpelling, startingEnergy: Int32) throws(Refusal) {
        guard let item = (try? LegacyValue(json: json))?.item else { throw Refusal(kind: .malformed, user: nil) }
        guard item["userID"]?.hasType("S") != false, case .text(let id) = item["userID"]?.plain, isAccountID(id) else {
            throw Refusal(kind: .userID, user: nil)
        }
        let user = User.ID(id)
        guard !user.isPlayers else { throw Refusal(kind: .userIDReserved, user: user) }
        self.id = user
        var repairs: [Repair] = []

        func number(_ name: String, _ harms: Harms, missing: Int32) throws(Refusal) -> Int32 {
            guard let value = item[name]?.plain else {
                if let kind = harms.missing { repairs.append(Repair(kind: kind, was: .nothing, now: .number(missing))) }
                return missing
            }
            guard let number = Self.number(value) else { throw Refusal(kind: harms.unusable, user: user) }
            let taken = Int32(min(max(number, 0), Double(Self.maximum)))
            let kind: ImportRemark.Kind? =
                if number < 0 { harms.negative } else if number > Double(Self.maximum) { harms.tooLarge } else {
                    Double(taken) == number ? nil : harms.fraction
                }
            if let kind { repairs.append(Repair(kind: kind, was: .exactNumber(number), now: .number(taken))) }
            return taken
        }
        energy = try number("energy", .energy, missing: startingEnergy)
        // Often missing, which only means that the player never won.
        wins = try number("userWins", .wins, missing: 0)

        let entries: [LegacyValue]
        switch item["playedWords"]?.plain {
        case .list(let list): entries = list
        case nil: entries = []
        default: throw Refusal(kind: .wordsUnusable, user: user)
        }
        var words: [String] = []
        var seen: Set<String> = []
        var repeated: [String] = []
        var malformed = 0
        // From the end: of a repeated word the last place counts.
        for entry in entries.reversed() {
            guard case .text(let text) = entry.plain, let word = try? spelling.word(text) else {
                malformed += 1
                continue
            }
            if seen.insert(word).inserted { words.append(word) } else { repeated.append(word) }
        }
        if !repeated.isEmpty {
            repairs.append(Repair(kind: .wordRepeated, was: .words(repeated.reversed()), now: nil))
        }
        if malformed > 0 {
            repairs.append(Repair(kind: .wordMalformed, was: .number(Int32(clamping: malformed)), now: nil))
        }
        playedWords = words.reversed()
        switch item["hasMadePurchase"]?.plain {
        case .flag(let flag): hasMadePurchase = flag
        case .number(let number): hasMadePurchase = number != 0
        case nil: hasMadePurchase = false
        // DynamoDB's numbers have their digits as text.
        case .text("0"), .text("false"): hasMadePurchase = false
        case .text("1"), .text("true"): hasMadePurchase = true
        default:
            hasMadePurchase = false
            repairs.append(Repair(kind: .purchaseUnusable, was: .nothing, now: nil))
        }
        self.repairs = repairs
    }

    /// What can be wrong with a number.
    private struct Harms {
        let missing: ImportRemark.Kind?
        let unusable: ImportRemark.Kind
        let negative: ImportRemark.Kind
        let tooLarge: ImportRemark.Kind
        let fraction: ImportRemark.Kind

        static let energy = Harms(
            missing: .energyMissing, unusable: .energyUnusable, negative: .energyNegative, tooLarge: .energyTooLarge,
            fraction: .energyFraction)
        static let wins = Harms(
            missing: nil, unusable: .winsUnusable, negative: .winsNegative, tooLarge: .winsTooLarge,
            fraction: .winsFraction)
    }

    /// A number in either form; infinite if it is too large.
    private static func number(_ value: LegacyValue) -> Double? {
        let number: Double? =
            switch value {
            case .text(let text): Double(text)
            case .number(let value): value
            case .flag, .object, .list, .null: nil
            }
        guard let number, !number.isNaN else { return nil }
        return number
    }
}
