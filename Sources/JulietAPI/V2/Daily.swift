extension V2 {
    /// What is public of a word before its day: its commitment.
    public struct CommittedWord: Codable, Hashable, Sendable {
        /// The lower-case hex SHA-256 of `salt:secret`.
        public var commitment: String

        /// Takes a commitment.
        public init(commitment: String) {
            self.commitment = commitment
        }
    }

    /// What is public of tomorrow's word: its list and its commitment.
    public struct TomorrowsWord: Codable, Hashable, Sendable {
        /// The language of the word: `en`.
        public var language: String
        /// How many letters the word has.
        public var length: Int
        /// The lower-case hex SHA-256 of `salt:secret`.
        public var commitment: String
        /// When its day is over.
        public var endsAt: Timestamp
        /// True: whoever runs the service planned the word, so somebody knows it; nil: it was chosen by chance.
        public var planned: Bool?

        /// Describes tomorrow's word.
        public init(language: String, length: Int, commitment: String, endsAt: Timestamp, isPlanned: Bool = false) {
            self.language = language
            self.length = length
            self.commitment = commitment
            self.endsAt = endsAt
            planned = isPlanned ? true : nil
        }
    }

    /// Today's word, the same for all players; the word itself is only in `game`, once that is over.
    public struct DailyWord: Codable, Hashable, Sendable {
        /// The day.
        public var day: Day
        /// The day's number, 1 on 2026-01-01.
        public var number: Int
        /// The language of the word: `en`.
        public var language: String
        /// How many letters the word has.
        public var length: Int
        /// The lower-case hex SHA-256 of `salt:secret`.
        public var commitment: String
        /// When the day is over.
        public var endsAt: Timestamp
        /// True: whoever runs the service planned the word, so somebody knew it before; nil: it was chosen by chance.
        public var planned: Bool?
        /// The word of the next day.
        public var tomorrow: TomorrowsWord
        /// The player's game of the day; nil without a player or a game.
        public var game: Game?

        /// Describes a day's word.
        public init(
            day: Day, language: String, length: Int, commitment: String, endsAt: Timestamp, isPlanned: Bool = false,
            tomorrow: TomorrowsWord, game: Game? = nil
        ) {
            self.day = day
            number = day.number
            self.language = language
            self.length = length
            self.commitment = commitment
            self.endsAt = endsAt
            planned = isPlanned ? true : nil
            self.tomorrow = tomorrow
            self.game = game
        }
    }

    /// The word of a past day, and how many solved it.
    public struct PastDay: Codable, Hashable, Sendable {
        /// The day.
        public var day: Day
        /// The day's number, 1 on 2026-01-01.
        public var number: Int
        /// The language of the word: `en`.
        public var language: String
        /// How many letters the word has.
        public var length: Int
        /// The lower-case hex SHA-256 of `salt:secret`.
        public var commitment: String
        /// When the day was over.
        public var endsAt: Timestamp
        /// True: whoever runs the service planned the word, so somebody knew it before; nil: it was chosen by chance.
        public var planned: Bool?
        /// The word of the day after; nil if that day was never held.
        public var tomorrow: CommittedWord?
        /// The player's game of that day; nil without a player or a game.
        public var game: Game?
        /// The word, lower case.
        public var secret: String
        /// 32 hex digits.
        public var salt: String
        /// What the word means, in its language; nil if the service does not know it.
        public var meaning: String?
        /// How many players ended their game of that day.
        public var players: Int
        /// How many of them won it.
        public var won: Int
        /// How many won with 1, 2, … 6 guesses: six counts.
        public var distribution: [Int]

        /// Describes a day.
        public init(
            day: Day, language: String, length: Int, commitment: String, endsAt: Timestamp, isPlanned: Bool = false,
            tomorrow: CommittedWord? = nil, game: Game? = nil, secret: String, salt: String, meaning: String? = nil,
            players: Int, won: Int,
            distribution: [Int]
        ) {
            self.day = day
            number = day.number
            self.language = language
            self.length = length
            self.commitment = commitment
            self.endsAt = endsAt
            planned = isPlanned ? true : nil
            self.tomorrow = tomorrow
            self.game = game
            self.secret = secret
            self.salt = salt
            self.meaning = meaning
            self.players = players
            self.won = won
            self.distribution = distribution
        }
    }

    /// The player's game of the day.
    public struct DailyGame: Codable, Hashable, Sendable {
        /// The game.
        public var game: Game

        /// Takes a game.
        public init(game: Game) {
            self.game = game
        }
    }
}

extension V2.CommittedWord: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.CommittedWord>(
        "CommittedWord", "What is public about a word before its day.",
        [
            .member(
                "commitment", \.commitment, "The lower-case hex SHA-256 of `salt:secret`, which binds the word.",
                .hexDigits(64))
        ])
}

extension V2.TomorrowsWord: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.TomorrowsWord>(
        "TomorrowsWord", "What is public about tomorrow's word.",
        [
            .member("language", \.language, "The language of the word: `en`."),
            .member("length", \.length, "How many letters the word has.", .minimum(1)),
            .member(
                "commitment", \.commitment, "The lower-case hex SHA-256 of `salt:secret`, which binds the word.",
                .hexDigits(64)),
            .member("endsAt", \.endsAt, "When its day is over."),
            .optional(
                "planned", \.planned,
                "`true` if whoever runs the service planned the word, so somebody knows it; missing if it was chosen by chance."
            ),
        ])
}

extension V2.DailyWord: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.DailyWord>(
        "DailyWord", "Today's word, the same for all players: its language, length and commitment.",
        [
            .member("day", \.day, "The day."),
            .member("number", \.number, "The day's number, 1 on 2026-01-01."),
            .member("language", \.language, "The language of the word: `en`."),
            .member("length", \.length, "How many letters the word has.", .minimum(1)),
            .member(
                "commitment", \.commitment, "The lower-case hex SHA-256 of `salt:secret`, which binds the word.",
                .hexDigits(64)),
            .member("endsAt", \.endsAt, "When the day is over."),
            .optional(
                "planned", \.planned,
                "`true` if whoever runs the service planned the word, so somebody knew it before; missing if it was chosen by chance."
            ),
            .member("tomorrow", \.tomorrow, "The word of the next day."),
            .optional("game", \.game, "The player's game of the day."),
        ])
}

extension V2.PastDay: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.PastDay>(
        "PastDay", "The word of a past day, and how many solved it.",
        [
            .member("day", \.day, "The day."),
            .member("number", \.number, "The day's number, 1 on 2026-01-01."),
            .member("language", \.language, "The language of the word: `en`."),
            .member("length", \.length, "How many letters the word has.", .minimum(1)),
            .member(
                "commitment", \.commitment, "The lower-case hex SHA-256 of `salt:secret`, which binds the word.",
                .hexDigits(64)),
            .member("endsAt", \.endsAt, "When the day was over."),
            .optional(
                "planned", \.planned,
                "`true` if whoever runs the service planned the word, so somebody knew it before; missing if it was chosen by chance."
            ),
            .optional("tomorrow", \.tomorrow, "The word of the next day."),
            .optional("game", \.game, "The player's game of that day."),
            .member("secret", \.secret, "The word, lower case."),
            .member("salt", \.salt, "The salt of the commitment.", .hexDigits(32)),
            .optional(
                "meaning", \.meaning, "What the word means, in its language; missing if the service does not know it.",
                .length(1...280)),
            .member("players", \.players, "How many players ended their game of that day.", .minimum(0)),
            .member("won", \.won, "How many of them won it.", .minimum(0)),
            .member(
                "distribution", \.distribution, "How many won with 1, 2, … 6 guesses.", .count(6),
                .elements(.minimum(0))),
        ])
}

extension V2.DailyGame: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.DailyGame>(
        "DailyGame", "The player's game of the day.",
        [
            .member("game", \.game, "The game.")
        ])
}
