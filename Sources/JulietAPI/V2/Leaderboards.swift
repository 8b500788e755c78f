extension V2 {
    /// Who won the day's game, with the fewest guesses first, then the least time.
    public struct DailyLeaderboard: Codable, Hashable, Sendable {
        /// One player's place.
        public struct Entry: Codable, Hashable, Sendable {
            /// 1 is first; equals share a rank, and the next ones are as far behind: 1, 1, 3.
            public var rank: Int
            /// The player's name.
            public var name: String
            /// How many guesses it took.
            public var guesses: Int
            /// How long it took, in whole seconds, rounded down.
            public var seconds: Int
            /// Whether it is the calling player.
            public var isMe: Bool

            /// Describes a place.
            public init(rank: Int, name: String, guesses: Int, seconds: Int, isMe: Bool) {
                self.rank = rank
                self.name = name
                self.guesses = guesses
                self.seconds = seconds
                self.isMe = isMe
            }
        }

        /// Best first.
        public var entries: [Entry]
        /// How many players ended their game of the day.
        public var players: Int
        /// The calling player's place; nil without a token, or if the player is not on the board.
        public var me: Entry?

        /// Takes a part of a board.
        public init(entries: [Entry], players: Int, me: Entry? = nil) {
            self.entries = entries
            self.players = players
            self.me = me
        }
    }

    /// Who won most games that the service judged.
    public struct WinsLeaderboard: Codable, Hashable, Sendable {
        /// One player's place.
        public struct Entry: Codable, Hashable, Sendable {
            /// 1 is first; equals share a rank, and the next ones are as far behind: 1, 1, 3.
            public var rank: Int
            /// The player's name.
            public var name: String
            /// How many games were won in the period.
            public var wins: Int
            /// Whether it is the calling player.
            public var isMe: Bool

            /// Describes a place.
            public init(rank: Int, name: String, wins: Int, isMe: Bool) {
                self.rank = rank
                self.name = name
                self.wins = wins
                self.isMe = isMe
            }
        }

        /// Best first.
        public var entries: [Entry]
        /// How many players won a game in the period.
        public var players: Int
        /// The calling player's place; nil without a token, or if the player is not on the board.
        public var me: Entry?

        /// Takes a part of a board.
        public init(entries: [Entry], players: Int, me: Entry? = nil) {
            self.entries = entries
            self.players = players
            self.me = me
        }
    }

    /// The period of a leaderboard of wins, of days of the game.
    public enum Period: String, Codable, CaseIterable, Sendable {
        /// Today.
        case day
        /// This week, from Monday on.
        case week
        /// This month.
        case month
        /// Of all time.
        case all
    }
}

extension V2.Period: JSONWritable {}

extension V2.DailyLeaderboard.Entry: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.DailyLeaderboard.Entry>(
        "DailyLeaderboardEntry",
        "One player's place among those who won the day's game.",
        [
            .member("rank", \.rank, "1 is first; equal results share a rank: 1, 1, 3.", .minimum(1)),
            .member("name", \.name, "The player's name."),
            .member("guesses", \.guesses, "How many guesses it took.", .range(1...6)),
            .member("seconds", \.seconds, "How long it took, in whole seconds, rounded down.", .minimum(0)),
            .member("isMe", \.isMe, "Whether it is the calling player."),
        ])
}

extension V2.DailyLeaderboard: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.DailyLeaderboard>(
        "DailyLeaderboard",
        "Who won the day's game, with the fewest guesses first, then the least time.",
        [
            .member("entries", \.entries, "Best first."),
            .member("players", \.players, "How many players ended their game of the day.", .minimum(0)),
            .optional(
                "me", \.me,
                "The calling player's place; missing without a token, or if the player is not on the board."),
        ])
}

extension V2.WinsLeaderboard.Entry: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.WinsLeaderboard.Entry>(
        "WinsLeaderboardEntry", "One player's place among those who won games.",
        [
            .member("rank", \.rank, "1 is first; equal results share a rank: 1, 1, 3.", .minimum(1)),
            .member("name", \.name, "The player's name."),
            .member("wins", \.wins, "How many games were won in the period.", .minimum(1)),
            .member("isMe", \.isMe, "Whether it is the calling player."),
        ])
}

extension V2.WinsLeaderboard: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.WinsLeaderboard>(
        "WinsLeaderboard", "Who won most games that the service judged.",
        [
            .member("entries", \.entries, "Best first."),
            .member("players", \.players, "How many players won a game in the period.", .minimum(0)),
            .optional(
                "me", \.me,
                "The calling player's place; missing without a token, or if the player is not on the board."),
        ])
}
