extension V2 {
    /// A game that the service judges.
    public struct Game: Codable, Hashable, Sendable, Identifiable {
        /// The kind of game.
        public enum Kind: String, Codable, CaseIterable, Sendable {
            /// One that was paid for, with a word of its own.
            case game
            /// The day's, free, with one word for all.
            case daily
            /// The word of a past day, free; it does not count.
            case archive
            /// A challenge's, free, with one word for all its players; it counts only in the challenge.
            case challenge
        }

        /// How a game stands.
        public enum State: String, Codable, CaseIterable, Sendable {
            /// Guesses are left.
            case playing
            /// The word was found.
            case won
            /// All guesses were used, or the player resigned.
            case lost
        }

        /// How many guesses a game has.
        public static let maximumGuesses = 6

        /// Its id.
        public var id: Identifier<Game>
        /// The kind of game.
        public var kind: Kind
        /// True if every guess must use what earlier guesses have shown; nil otherwise.
        public var hard: Bool?
        /// Its state.
        public var state: State
        /// The language of its word: `en`.
        public var language: String
        /// How many letters its word has.
        public var length: Int
        /// How many guesses the game has.
        public var maximumGuesses: Int
        /// The guesses that counted, in order.
        public var guesses: [Guess]
        /// The lower-case hex SHA-256 of `salt:secret`, made when the game started.
        public var commitment: String
        /// When it started.
        public var startedAt: Timestamp
        /// When it ended; nil while it is played.
        public var endedAt: Timestamp?
        /// The word, lower case; nil while it is played.
        public var secret: String?
        /// 32 hex digits; nil while it is played.
        public var salt: String?
        /// What the word means, in its language; nil while the game is played, and if the service does not know it.
        public var meaning: String?
        /// The day of a daily and of an archive game; nil for other games.
        public var day: Day?
        /// The energy that a daily brought.
        public var reward: Int?
        /// The code of the challenge that it is of; nil for other games.
        public var challenge: ShareCode?
        /// True if any letters may be guessed, as the word need not be in a list; nil otherwise.
        public var anyWord: Bool?
        /// What the challenge's maker says of the word; nil: nothing.
        public var hint: String?

        /// Whether every guess must use what earlier guesses have shown.
        public var isHard: Bool { hard == true }

        /// Describes a game.
        public init(
            id: Identifier<Game>, kind: Kind, isHard: Bool = false, state: State, language: String, length: Int,
            maximumGuesses: Int = Game.maximumGuesses, guesses: [Guess], commitment: String, startedAt: Timestamp,
            endedAt: Timestamp? = nil, secret: String? = nil, salt: String? = nil,
            meaning: String? = nil, day: Day? = nil, reward: Int? = nil, challenge: ShareCode? = nil,
            isAnyWord: Bool = false, hint: String? = nil
        ) {
            self.id = id
            self.kind = kind
            hard = isHard ? true : nil
            self.state = state
            self.language = language
            self.length = length
            self.maximumGuesses = maximumGuesses
            self.guesses = guesses
            self.commitment = commitment
            self.startedAt = startedAt
            self.endedAt = endedAt
            self.secret = secret
            self.salt = salt
            self.meaning = meaning
            self.day = day
            self.reward = reward
            self.challenge = challenge
            anyWord = isAnyWord ? true : nil
            self.hint = hint
        }
    }

    /// A game that was paid for.
    public struct StartedGame: Codable, Hashable, Sendable {
        /// The game.
        public var game: Game
        /// The balance after paying.
        public var energy: Int

        /// Takes a game and a balance.
        public init(game: Game, energy: Int) {
            self.game = game
            self.energy = energy
        }
    }

    /// A page of a player's games, of all kinds.
    public struct GameList: Codable, Hashable, Sendable {
        /// Newest first.
        public var games: [Game]
        /// The `before` of the next page; nil: there is none.
        public var next: String?

        /// Takes a page.
        public init(games: [Game], next: String? = nil) {
            self.games = games
            self.next = next
        }
    }
}

extension V2.Game.Kind: JSONWritable {}
extension V2.Game.State: JSONWritable {}

extension V2.Game: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Game>(
        "Game", "A game that the service judges.",
        [
            .member("id", \.id, "The game's id."),
            .member(
                "kind", \.kind,
                "`game`: paid for, with a word of its own. `daily`: free, the same word for all. `archive`: the word of a past day. `challenge`: the word of a challenge. The last two are free and do not count in statistics or on leaderboards."
            ),
            .optional(
                "hard", \.hard, "`true` if every guess must use what earlier guesses have shown, otherwise missing."),
            .member("state", \.state, "The state of the game."),
            .member("language", \.language, "The language of its word: `en`."),
            .member("length", \.length, "How many letters its word has.", .minimum(1)),
            .member("maximumGuesses", \.maximumGuesses, "How many guesses there are.", .minimum(1)),
            .member("guesses", \.guesses, "The guesses that counted, in order."),
            .member(
                "commitment", \.commitment, "The lower-case hex SHA-256 of `salt:secret`, made when the game started.",
                .hexDigits(64)),
            .member("startedAt", \.startedAt, "When it started."),
            .optional("endedAt", \.endedAt, "When it ended; missing while it is played."),
            .optional("secret", \.secret, "The word, lower case; missing while it is played."),
            .optional("salt", \.salt, "The salt of the commitment; missing while the game is played.", .hexDigits(32)),
            .optional(
                "meaning", \.meaning,
                "What the word means, in its language; missing while the game is played, and if the service does not know it.",
                .length(1...280)),
            .optional("day", \.day, "The day; only in daily and archive games."),
            .optional("reward", \.reward, "The energy that a daily game brought.", .minimum(1)),
            .optional("challenge", \.challenge, "The code of the challenge that the game belongs to."),
            .optional(
                "anyWord", \.anyWord,
                "`true` if guesses can be any letters, because the word need not be in a list; otherwise missing."),
            .optional("hint", \.hint, "The hint of the challenge's maker.", .length(1...320)),
        ])
}

extension V2.StartedGame: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.StartedGame>(
        "StartedGame", "A game that was paid for.",
        [
            .member("game", \.game, "The game."),
            .member("energy", \.energy, "The balance after paying.", .minimum(0)),
        ])
}

extension V2.GameList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.GameList>(
        "GameList", "A page of a player's games, of all kinds.",
        [
            .member("games", \.games, "Newest first."),
            .optional("next", \.next, "The `before` of the next page; missing on the last page."),
        ])
}
