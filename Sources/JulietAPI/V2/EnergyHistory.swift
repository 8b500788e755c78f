extension V2 {
    /// One change of a balance.
    public struct EnergyEntry: Codable, Hashable, Sendable {
        /// When it happened.
        public var at: Timestamp
        /// What was added; below 0, what was taken.
        public var delta: Int
        /// The balance after it.
        public var balance: Int
        /// What it was for.
        public var reason: EnergyReason
        /// The game that was paid for or that gave the energy.
        public var game: Identifier<Game>?

        /// Describes a change.
        public init(
            at: Timestamp, delta: Int, balance: Int, reason: EnergyReason, game: Identifier<Game>? = nil
        ) {
            self.at = at
            self.delta = delta
            self.balance = balance
            self.reason = reason
            self.game = game
        }
    }

    /// The reason of a change of a balance. There may be more in later versions: a `switch` needs a `default`.
    public struct EnergyReason: RawRepresentable, Codable, Hashable, Sendable {
        /// The reason's name, stable.
        public let rawValue: String

        /// Names a reason.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The energy of a new player.
        public static let registration = EnergyReason(rawValue: "registration")
        /// The balance of the older backend.
        public static let `import` = EnergyReason(rawValue: "import")
        /// The price of a game.
        public static let game = EnergyReason(rawValue: "game")
        /// A purchase.
        public static let purchase = EnergyReason(rawValue: "purchase")
        /// What the published app reported.
        public static let clientReport = EnergyReason(rawValue: "clientReport")
        /// A correction by the operator.
        public static let support = EnergyReason(rawValue: "support")
        /// A refunded purchase; if energy was added, a refund that was reversed.
        public static let refund = EnergyReason(rawValue: "refund")
        /// A prize.
        public static let lottery = EnergyReason(rawValue: "lottery")
        /// A refill.
        public static let refill = EnergyReason(rawValue: "refill")
        /// The reward for the word of the day.
        public static let daily = EnergyReason(rawValue: "daily")
        /// The price of a challenge.
        public static let challenge = EnergyReason(rawValue: "challenge")
        /// The energy taken over from a player who was merged into this one; negative for a debt.
        public static let merge = EnergyReason(rawValue: "merge")
    }

    /// A page of a player's energy entries.
    public struct EnergyHistory: Codable, Hashable, Sendable {
        /// Newest first.
        public var entries: [EnergyEntry]
        /// The `before` of the next page; nil: there is none.
        public var next: String?

        /// Takes a page.
        public init(entries: [EnergyEntry], next: String? = nil) {
            self.entries = entries
            self.next = next
        }
    }
}

extension V2.EnergyReason: JSONWritable {
    /// Any string: more reasons may come.
    package static let schema = Schema.string
}

extension V2.EnergyEntry: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.EnergyEntry>(
        "EnergyEntry", "One change of a balance.",
        [
            .member("at", \.at, "When it happened."),
            .member("delta", \.delta, "What was added to the balance; below 0, what was taken."),
            .member("balance", \.balance, "The balance after it; a refund may take it below 0."),
            .member("reason", \.reason, "What it was for. More reasons may come."),
            .optional("game", \.game, "The game that was paid for or that gave the energy."),
        ])
}

extension V2.EnergyHistory: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.EnergyHistory>(
        "EnergyHistory", "A page of a player's energy entries.",
        [
            .member("entries", \.entries, "Newest first."),
            .optional("next", \.next, "The `before` of the next page; missing on the last page."),
        ])
}
