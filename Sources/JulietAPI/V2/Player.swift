extension V2 {
    /// A player, as the player sees it.
    public struct Player: Codable, Hashable, Sendable, Identifiable {
        /// A lower-case UUID.
        public var id: Identifier<Player>
        /// 1 to 24 grapheme clusters, NFC; not unique.
        public var name: String
        /// The balance; a refund may take it below 0.
        public var energy: Int
        /// When the player was created.
        public var createdAt: Timestamp
        /// Figures of the games.
        public var statistics: Statistics
        /// Energy that comes back with time; nil: none is due, or will be until the balance falls.
        public var refill: Refill?

        /// Describes a player.
        public init(
            id: Identifier<Player>, name: String, energy: Int, createdAt: Timestamp, statistics: Statistics,
            refill: Refill? = nil
        ) {
            self.id = id
            self.name = name
            self.energy = energy
            self.createdAt = createdAt
            self.statistics = statistics
            self.refill = refill
        }
    }

    /// Figures of a player's judged games, including daily games.
    public struct Statistics: Codable, Hashable, Sendable {
        /// How many games ended.
        public var played: Int
        /// How many of them were won.
        public var won: Int
        /// How many games in a row were won most recently; 0 after a lost game.
        public var currentStreak: Int
        /// The most games that were ever won in a row.
        public var longestStreak: Int
        /// How many games were won with 1, 2, … 6 guesses: six counts.
        public var distribution: [Int]
        /// How the words of the days ended that the player ended on their day.
        public var days: DayStatistics

        /// Takes counts.
        public init(
            played: Int, won: Int, currentStreak: Int, longestStreak: Int, distribution: [Int],
            days: DayStatistics = DayStatistics()
        ) {
            self.played = played
            self.won = won
            self.currentStreak = currentStreak
            self.longestStreak = longestStreak
            self.distribution = distribution
            self.days = days
        }
    }

    /// Figures of the words of the days that a player ended on their day.
    public struct DayStatistics: Codable, Hashable, Sendable {
        /// How many days' words ended.
        public var played: Int
        /// How many of them were won.
        public var won: Int
        /// How many days in a row were won, up to today or, while today's word is not ended, up to yesterday.
        public var currentStreak: Int
        /// The most days that were ever won in a row.
        public var longestStreak: Int

        /// Takes counts.
        public init(played: Int = 0, won: Int = 0, currentStreak: Int = 0, longestStreak: Int = 0) {
            self.played = played
            self.won = won
            self.currentStreak = currentStreak
            self.longestStreak = longestStreak
        }
    }
}

extension V2.Player: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Player>(
        "Player", "A player, as the player sees it.",
        [
            .member("id", \.id, "The player's id.", .format("uuid")),
            .member("name", \.name, "1 to 24 grapheme clusters, NFC; not unique.", .length(1...96)),
            .member("energy", \.energy, "The balance; a refund may take it below 0."),
            .member("createdAt", \.createdAt, "When the player was created."),
            .member("statistics", \.statistics, "How many games were played and won."),
            .optional("refill", \.refill, "Energy that comes back with time; missing while none does."),
        ])
}

extension V2.Statistics: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Statistics>(
        "Statistics", "How a player's judged games ended, games of the day included.",
        [
            .member("played", \.played, "How many games ended.", .minimum(0)),
            .member("won", \.won, "How many of them were won.", .minimum(0)),
            .member(
                "currentStreak", \.currentStreak,
                "How many games in a row were won up to now; 0 after a lost game.",
                .minimum(0)),
            .member("longestStreak", \.longestStreak, "The most games that were ever won in a row.", .minimum(0)),
            .member(
                "distribution", \.distribution, "How many games were won with 1, 2, … 6 guesses.", .count(6),
                .elements(.minimum(0))),
            .member("days", \.days, "How the words of the days ended that the player ended on their day."),
        ])
}

extension V2.DayStatistics: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.DayStatistics>(
        "DayStatistics",
        "How the words of the days ended for a player. Only those count that the player ended on their day.",
        [
            .member("played", \.played, "How many were ended, given up ones included.", .minimum(0)),
            .member("won", \.won, "How many of them were won.", .minimum(0)),
            .member(
                "currentStreak", \.currentStreak,
                "How many days in a row were won, up to today or, while today's word is not ended, up to yesterday.",
                .minimum(0)),
            .member("longestStreak", \.longestStreak, "The most days that were ever won in a row.", .minimum(0)),
        ])
}
