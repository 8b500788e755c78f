extension V2 {
    /// What a service offers, and its prices.
    public struct Service: Codable, Hashable, Sendable {
        /// The rules of energy.
        public struct Energy: Codable, Hashable, Sendable {
            /// How energy comes back with time.
            public struct Refill: Codable, Hashable, Sendable {
                /// What each refill brings.
                public var amount: Int
                /// How many seconds each refill takes.
                public var every: Int
                /// The balance up to which there are refills.
                public var upTo: Int

                /// Takes figures.
                public init(amount: Int, every: Int, upTo: Int) {
                    self.amount = amount
                    self.every = every
                    self.upTo = upTo
                }
            }

            /// What a game costs.
            public var price: Int
            /// What a new player gets.
            public var start: Int
            /// nil: energy does not come back.
            public var refill: Refill?
            /// The energy that a player gets for ending the word of the day on its day; nil: none.
            public var dailyReward: Int?

            /// Takes figures.
            public init(price: Int, start: Int, refill: Refill? = nil, dailyReward: Int? = nil) {
                self.price = price
                self.start = start
                self.refill = refill
                self.dailyReward = dailyReward
            }
        }

        /// A list of words that games deal from.
        public struct Language: Codable, Hashable, Sendable {
            /// Its language: `en`.
            public var language: String
            /// How many letters its words have.
            public var length: Int
            /// The letters of its words, each one code point, in the order of these; nil: they are a to z, or more than 64.
            public var letters: String?

            /// Takes a list's name and length, and its letters.
            public init(language: String, length: Int, letters: String? = nil) {
                self.language = language
                self.length = length
                self.letters = letters
            }
        }

        /// A list that the word of the day is of from a day on, after a change of the rules.
        public struct NextList: Codable, Hashable, Sendable {
            /// Its language: `en`.
            public var language: String
            /// How many letters its words have.
            public var length: Int
            /// The first day whose word is of it.
            public var from: Day

            /// Takes a list and its first day.
            public init(language: String, length: Int, from: Day) {
                self.language = language
                self.length = length
                self.from = from
            }
        }

        /// A time zone in which days begin from a day on, after a change of the rules.
        public struct NextTimeZone: Codable, Hashable, Sendable {
            /// Its name in the time zone database: `Europe/Berlin`.
            public var timeZone: String
            /// The first day that begins at midnight there.
            public var from: Day

            /// Takes a time zone and its first day.
            public init(timeZone: String, from: Day) {
                self.timeZone = timeZone
                self.from = from
            }
        }

        /// Its name.
        public var name: String
        /// Whether players can sign in with a passkey.
        public var passkeys: Bool
        /// The providers whose identity tokens sign players in.
        public var identityProviders: [String]
        /// The rules of energy.
        public var energy: Energy
        /// The word lists that games deal from: first the one that the service usually deals from.
        public var languages: [Language]
        /// The list that the word of the day is of from a day on; nil: it is already.
        public var nextList: NextList?
        /// The time zone in which today began at midnight: `UTC`, or its name in the time zone database.
        public var timeZone: String
        /// The time zone in which days begin from a day on; nil: it is that of today.
        public var nextTimeZone: NextTimeZone?
        /// Whether the words of past days can be played.
        public var daysGoneBy: Bool
        /// Whether there are leagues.
        public var leagues: Bool
        /// Whether there are challenges.
        public var challenges: Bool
        /// Whether challenges can be of words that are in no list.
        public var anyWords: Bool

        /// Describes a service.
        public init(
            name: String, passkeys: Bool = false, identityProviders: [String] = [], energy: Energy,
            languages: [Language], nextList: NextList? = nil, timeZone: String = "UTC",
            nextTimeZone: NextTimeZone? = nil, daysGoneBy: Bool = false, leagues: Bool = false,
            challenges: Bool = false,
            anyWords: Bool = false
        ) {
            self.name = name
            self.passkeys = passkeys
            self.identityProviders = identityProviders
            self.energy = energy
            self.languages = languages
            self.nextList = nextList
            self.timeZone = timeZone
            self.nextTimeZone = nextTimeZone
            self.daysGoneBy = daysGoneBy
            self.leagues = leagues
            self.challenges = challenges
            self.anyWords = anyWords
        }
    }
}

extension V2.Service: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Service>(
        "Service", "What a service offers, and its prices.",
        [
            .member("name", \.name, "What it is called."),
            .member("passkeys", \.passkeys, "Whether players can sign in with a passkey."),
            .member("identityProviders", \.identityProviders, "The providers whose identity tokens sign players in."),
            .member("energy", \.energy, "The rules of energy."),
            .member(
                "languages", \.languages,
                "The word lists that games deal from: first the one that games are dealt from if no other is asked for."
            ),
            .optional(
                "nextList", \.nextList,
                "The list that the word of the day is of from a day on; missing if it is already of the first list."),
            .member(
                "timeZone", \.timeZone,
                "The time zone in which today began at midnight: `UTC`, or its name in the time zone database."),
            .optional(
                "nextTimeZone", \.nextTimeZone,
                "The time zone in which days begin from a day on; missing if it is that of today."),
            .member("daysGoneBy", \.daysGoneBy, "Whether the words of past days can be played."),
            .member("leagues", \.leagues, "Whether there are leagues."),
            .member("challenges", \.challenges, "Whether there are challenges."),
            .member("anyWords", \.anyWords, "Whether challenges can be of words that are in no list."),
        ])
}

extension V2.Service.Energy: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Service.Energy>(
        "EnergyRules", "The rules of energy.",
        [
            .member("price", \.price, "What a game costs.", .minimum(0)),
            .member("start", \.start, "What a new player gets.", .minimum(0)),
            .optional("refill", \.refill, "How energy comes back with time; missing if it does not."),
            .optional(
                "dailyReward", \.dailyReward,
                "The energy that a player gets for ending the word of the day on its day; missing if there is none.",
                .minimum(1)),
        ])
}

extension V2.Service.Energy.Refill: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Service.Energy.Refill>(
        "RefillRules", "How energy comes back with time.",
        [
            .member("amount", \.amount, "What each refill brings.", .minimum(1)),
            .member("every", \.every, "How many seconds each refill takes.", .minimum(1)),
            .member("upTo", \.upTo, "The balance up to which there are refills.", .minimum(1)),
        ])
}

extension V2.Service.NextList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Service.NextList>(
        "NextList", "A list that the word of the day is of from a day on.",
        [
            .member("language", \.language, "Its language: `en`."),
            .member("length", \.length, "How many letters its words have.", .minimum(1)),
            .member("from", \.from, "The first day whose word is of it."),
        ])
}

extension V2.Service.NextTimeZone: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Service.NextTimeZone>(
        "NextTimeZone", "A time zone in which days begin from a day on.",
        [
            .member("timeZone", \.timeZone, "Its name in the time zone database: `Europe/Berlin`."),
            .member("from", \.from, "The first day that begins at midnight there."),
        ])
}

extension V2.Service.Language: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Service.Language>(
        "Language", "A list of words that games deal from.",
        [
            .member("language", \.language, "Its language: `en`."),
            .member("length", \.length, "How many letters its words have.", .minimum(1)),
            .optional(
                "letters", \.letters,
                "The letters of its words, each one code point, in the order of these; missing if they are a to z, or more than 64.",
                .length(1...64)),
        ])
}
