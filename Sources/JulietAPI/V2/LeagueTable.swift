extension V2 {
    /// Who did best at the words of the day, among the members of a league.
    public struct LeagueTable: Codable, Hashable, Sendable {
        /// How a member's game of today's word ended.
        public struct Today: Codable, Hashable, Sendable {
            /// `won` or `lost`.
            public var state: Game.State
            /// How many guesses were made.
            public var guesses: Int
            /// How long it took, in whole seconds, rounded down.
            public var seconds: Int
            /// How each guess was marked, without its letters.
            public var marks: [[Mark]]

            /// Describes a game.
            public init(state: Game.State, guesses: Int, seconds: Int, marks: [[Mark]]) {
                self.state = state
                self.guesses = guesses
                self.seconds = seconds
                self.marks = marks
            }
        }

        /// A member's place.
        public struct Entry: Codable, Hashable, Sendable {
            /// 1 is first; equals share a rank, and the next ones are as far behind: 1, 1, 3.
            public var rank: Int
            /// The player's current name.
            public var name: String
            /// A word found with one guess is 6 points, with six guesses 1; a word that was lost or not played is 0.
            public var points: Int
            /// How many of the days' words the member ended on their day.
            public var played: Int
            /// How many of them were found.
            public var won: Int
            /// True: the calling player; nil: not.
            public var isMe: Bool?
            /// How the member's game of today ended; nil before that, and for all until the calling player has ended theirs.
            public var today: Today?

            /// Describes a place.
            public init(
                rank: Int, name: String, points: Int, played: Int, won: Int, isMe: Bool = false, today: Today? = nil
            ) {
                self.rank = rank
                self.name = name
                self.points = points
                self.played = played
                self.won = won
                self.isMe = isMe ? true : nil
                self.today = today
            }
        }

        /// The period.
        public var period: Period
        /// The first day of it; nil for `all`.
        public var startsOn: Day?
        /// All members, best first.
        public var entries: [Entry]
        /// How many members have ended today's word, on its day.
        public var endedToday: Int
        /// True: today counts in nothing but `endedToday`, because the calling player has not ended today's word; nil: it counts.
        public var withoutToday: Bool?

        /// Takes places.
        public init(
            period: Period, startsOn: Day? = nil, entries: [Entry], endedToday: Int = 0, isWithoutToday: Bool = false
        ) {
            self.period = period
            self.startsOn = startsOn
            self.entries = entries
            self.endedToday = endedToday
            withoutToday = isWithoutToday ? true : nil
        }
    }
}

extension V2.LeagueTable.Today: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.LeagueTable.Today>(
        "LeagueTableToday", "How a member's game of today's word ended.",
        [
            .member("state", \.state, "`won` or `lost`."),
            .member("guesses", \.guesses, "How many guesses were made.", .range(0...6)),
            .member("seconds", \.seconds, "How long it took, in whole seconds, rounded down.", .minimum(0)),
            .member("marks", \.marks, "How each guess was marked, without its letters."),
        ])
}

extension V2.LeagueTable.Entry: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.LeagueTable.Entry>(
        "LeagueTableEntry", "A member's place.",
        [
            .member("rank", \.rank, "1 is first; equal results share a rank: 1, 1, 3.", .minimum(1)),
            .member("name", \.name, "The player's current name."),
            .member(
                "points", \.points,
                "A word found with one guess is 6 points, with six guesses 1; a word that was lost or not played is 0.",
                .minimum(0)),
            .member(
                "played", \.played, "How many of the days' words the member ended on their day.", .minimum(0)),
            .member("won", \.won, "How many of them were found.", .minimum(0)),
            .optional("isMe", \.isMe, "`true` for the calling player, otherwise missing."),
            .optional(
                "today", \.today,
                "How the member's game of today ended; missing before that, and for all until the calling player has ended theirs."
            ),
        ])
}

extension V2.LeagueTable: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.LeagueTable>(
        "LeagueTable",
        "Who did best at the words of the day, among the members of a league.",
        [
            .member("period", \.period, "The period."),
            .optional("startsOn", \.startsOn, "The first day of the period; missing for `all`."),
            .member("entries", \.entries, "All members, best first."),
            .member("endedToday", \.endedToday, "How many members have ended today's word.", .minimum(0)),
            .optional(
                "withoutToday", \.withoutToday,
                "`true` as long as the calling player has not ended today's word: nobody's result of today counts in this table."
            ),
        ])
}
