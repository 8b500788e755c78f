extension V2 {
    /// A player, as the player sees it.
    public struct Player: Codable, Hashable, Sendable, Identifiable {
        /// A lower-case UUID.
        public var id: Identifier<Player>
        /// 1 to 24 Unicode scalars, NFC; not unique.
        public var name: String
        /// The balance.
        public var energy: Int
        /// When the player was created.
        public var createdAt: Timestamp
        /// What became of the games.
        public var statistics: Statistics

        /// Describes a player.
        public init(
            id: Identifier<Player>, name: String, energy: Int, createdAt: Timestamp, statistics: Statistics
        ) {
            self.id = id
            self.name = name
            self.energy = energy
            self.createdAt = createdAt
            self.statistics = statistics
        }
    }

    /// What became of a player's judged games, dailies included.
    public struct Statistics: Codable, Hashable, Sendable {
        /// How many games ended.
        public var played: Int
        /// How many of them were won.
        public var won: Int
        /// How many games in a row were won last; 0 after a lost one.
        public var currentStreak: Int
        /// How many games in a row were ever won.
        public var longestStreak: Int
        /// How many games were won with 1, 2, … 6 guesses: six counts.
        public var distribution: [Int]

        /// Takes counts.
        public init(played: Int, won: Int, currentStreak: Int, longestStreak: Int, distribution: [Int]) {
            self.played = played
            self.won = won
            self.currentStreak = currentStreak
            self.longestStreak = longestStreak
            self.distribution = distribution
        }
    }
}

extension V2.Player: JSONObject {
    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("name", name)
        writer.member("energy", energy)
        writer.member("createdAt", createdAt)
        writer.member("statistics", statistics)
    }
}

extension V2.Statistics: JSONObject {
    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("played", played)
        writer.member("won", won)
        writer.member("currentStreak", currentStreak)
        writer.member("longestStreak", longestStreak)
        writer.member("distribution", distribution)
    }
}
