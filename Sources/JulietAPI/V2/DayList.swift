extension V2 {
    /// The player's game of a day, as the list of days has it.
    public struct ListedGame: Codable, Hashable, Sendable, Identifiable {
        /// Its id.
        public var id: Identifier<Game>
        /// `daily`: begun on the day. `archive`: begun after it.
        public var kind: Game.Kind
        /// Its state.
        public var state: Game.State
        /// How many guesses counted.
        public var guesses: Int

        /// Describes a game.
        public init(id: Identifier<Game>, kind: Game.Kind, state: Game.State, guesses: Int) {
            self.id = id
            self.kind = kind
            self.state = state
            self.guesses = guesses
        }
    }

    /// Today or a past day.
    public struct ListedDay: Codable, Hashable, Sendable {
        /// The day.
        public var day: Day
        /// The day's number, 1 on 2026-01-01.
        public var number: Int
        /// The language of its word: `en`.
        public var language: String
        /// How many letters its word has.
        public var length: Int
        /// True: whoever runs the service planned its word; nil: it was chosen by chance.
        public var planned: Bool?
        /// The player's game of it; nil without a player or a game.
        public var game: ListedGame?

        /// Describes a day.
        public init(day: Day, language: String, length: Int, isPlanned: Bool = false, game: ListedGame? = nil) {
            self.day = day
            number = day.number
            self.language = language
            self.length = length
            planned = isPlanned ? true : nil
            self.game = game
        }
    }

    /// A page of the days that had a word.
    public struct DayList: Codable, Hashable, Sendable {
        /// Newest first.
        public var days: [ListedDay]
        /// The `before` of the next page; nil: there is none.
        public var next: Day?

        /// Takes a page.
        public init(days: [ListedDay], next: Day? = nil) {
            self.days = days
            self.next = next
        }
    }
}

extension V2.ListedGame: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.ListedGame>(
        "ListedGame", "The player's game of a day.",
        [
            .member("id", \.id, "The game's id."),
            .member("kind", \.kind, "`daily`: begun on the day. `archive`: begun after the day."),
            .member("state", \.state, "The state of the game."),
            .member("guesses", \.guesses, "How many guesses counted.", .minimum(0)),
        ])
}

extension V2.ListedDay: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.ListedDay>(
        "ListedDay", "Today or a past day.",
        [
            .member("day", \.day, "The day."),
            .member("number", \.number, "The day's number, 1 on 2026-01-01."),
            .member("language", \.language, "The language of its word: `en`."),
            .member("length", \.length, "How many letters its word has.", .minimum(1)),
            .optional(
                "planned", \.planned,
                "`true` if whoever runs the service planned its word; missing if it was chosen by chance."),
            .optional("game", \.game, "The player's game of it."),
        ])
}

extension V2.DayList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.DayList>(
        "DayList", "A page of the days that had a word.",
        [
            .member("days", \.days, "Newest first."),
            .optional("next", \.next, "The `before` of the next page; missing on the last page."),
        ])
}
