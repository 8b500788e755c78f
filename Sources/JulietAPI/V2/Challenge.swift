extension V2 {
    /// A word for everybody who has its code. Each plays it alone.
    public struct Challenge: Codable, Hashable, Sendable {
        /// The code by which friends find it.
        public var code: ShareCode
        /// The name of its maker; nil if the maker was deleted.
        public var by: String?
        /// True when the player made it; nil otherwise.
        public var isMine: Bool?
        /// True if the maker chose the word, and so does not play; nil if the service dealt it.
        public var ownWord: Bool?
        /// The language of its word: `en`.
        public var language: String
        /// How many letters its word has.
        public var length: Int
        /// True when it is played in hard mode; nil otherwise.
        public var hard: Bool?
        /// The lower-case hex SHA-256 of `salt:secret`, made when the challenge was.
        public var commitment: String
        /// When it was made.
        public var createdAt: Timestamp
        /// When it ends. This moment is no longer part of it.
        public var endsAt: Timestamp
        /// How many players began it, including players who were deleted.
        public var players: Int
        /// The player's game of it; nil without a player or a game.
        public var game: Game?
        /// The results of players who ended it in time, the best first; nil if the player may not see them yet.
        public var results: [ChallengeResult]?
        /// The word, lower case; nil if the player may not see it yet.
        public var secret: String?
        /// 32 hex digits; nil if the player may not see it yet.
        public var salt: String?
        /// What the word means, in its language; nil while the word is not shown, and if the service does not know it.
        public var meaning: String?
        /// True if its word, and guesses, need not be in a list; nil otherwise.
        public var anyWord: Bool?
        /// What the maker says of the word, for everybody; nil: nothing.
        public var hint: String?

        /// Describes a challenge.
        public init(
            code: ShareCode, by: String? = nil, isMine: Bool = false, isOwnWord: Bool = false, language: String,
            length: Int, isHard: Bool = false, commitment: String, createdAt: Timestamp, endsAt: Timestamp,
            players: Int, game: Game? = nil, results: [ChallengeResult]? = nil, secret: String? = nil,
            salt: String? = nil, meaning: String? = nil, isAnyWord: Bool = false, hint: String? = nil
        ) {
            self.code = code
            self.by = by
            self.isMine = isMine ? true : nil
            ownWord = isOwnWord ? true : nil
            self.language = language
            self.length = length
            hard = isHard ? true : nil
            self.commitment = commitment
            self.createdAt = createdAt
            self.endsAt = endsAt
            self.players = players
            self.game = game
            self.results = results
            self.secret = secret
            self.salt = salt
            self.meaning = meaning
            anyWord = isAnyWord ? true : nil
            self.hint = hint
        }
    }

    /// A player's result in a challenge.
    public struct ChallengeResult: Codable, Hashable, Sendable {
        /// How the game ended.
        public enum Outcome: String, Codable, CaseIterable, Sendable {
            /// The word was found.
            case won
            /// All guesses were used, or the player resigned.
            case lost
        }

        /// 1 for the best; equals share a rank.
        public var rank: Int
        /// The player's current name.
        public var name: String
        /// How the game ended.
        public var state: Outcome
        /// How many guesses were made.
        public var guesses: Int
        /// How long it took, in whole seconds, rounded down.
        public var seconds: Int
        /// The marks of each guess.
        public var marks: [[Mark]]
        /// True when it is the player's own; nil otherwise.
        public var isMe: Bool?

        /// Describes a result.
        public init(
            rank: Int, name: String, state: Outcome, guesses: Int, seconds: Int, marks: [[Mark]], isMe: Bool = false
        ) {
            self.rank = rank
            self.name = name
            self.state = state
            self.guesses = guesses
            self.seconds = seconds
            self.marks = marks
            self.isMe = isMe ? true : nil
        }
    }

    /// A challenge that was paid for.
    public struct MadeChallenge: Codable, Hashable, Sendable {
        /// The challenge.
        public var challenge: Challenge
        /// The balance after paying.
        public var energy: Int

        /// Takes a challenge and a balance.
        public init(challenge: Challenge, energy: Int) {
            self.challenge = challenge
            self.energy = energy
        }
    }

    /// A challenge's game.
    public struct ChallengeGame: Codable, Hashable, Sendable {
        /// The game.
        public var game: Game

        /// Takes a game.
        public init(game: Game) {
            self.game = game
        }
    }

    /// A page of the challenges that a player made or plays.
    public struct ChallengeList: Codable, Hashable, Sendable {
        /// Newest first, without their results.
        public var challenges: [Challenge]
        /// The `before` of the next page; nil: there is none.
        public var next: String?

        /// Takes a page.
        public init(challenges: [Challenge], next: String? = nil) {
            self.challenges = challenges
            self.next = next
        }
    }
}

extension V2.ChallengeResult.Outcome: JSONWritable {}

extension V2.Challenge: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Challenge>(
        "Challenge", "A word for everybody who has its code. Each plays it alone.",
        [
            .member("code", \.code, "The code by which friends find it."),
            .optional("by", \.by, "The name of its maker; missing if the maker was deleted."),
            .optional("isMine", \.isMine, "`true` if the calling player made it, otherwise missing."),
            .optional(
                "ownWord", \.ownWord,
                "`true` if the maker chose the word, and so does not play; missing if the service dealt it."),
            .member("language", \.language, "The language of its word: `en`."),
            .member("length", \.length, "How many letters its word has.", .minimum(1)),
            .optional("hard", \.hard, "`true` if it is played in hard mode, otherwise missing."),
            .member(
                "commitment", \.commitment,
                "The lower-case hex SHA-256 of `salt:secret`, made with the challenge.", .hexDigits(64)),
            .member("createdAt", \.createdAt, "When it was made."),
            .member("endsAt", \.endsAt, "When it ends. This moment is no longer part of it."),
            .member(
                "players", \.players, "How many players began it, including players who were deleted.", .minimum(0)),
            .optional("game", \.game, "The calling player's game."),
            .optional(
                "results", \.results,
                "The results of players who ended it in time: the best hundred and the calling player. Present if the player has ended their game or chose the word, and for all when the challenge is over."
            ),
            .optional("secret", \.secret, "The word, lower case; only for players who may see the results."),
            .optional(
                "salt", \.salt, "The salt of the commitment; only for players who may see the results.", .hexDigits(32)),
            .optional(
                "meaning", \.meaning,
                "What the word means, in its language; missing while the word is not shown, and if the service does not know it.",
                .length(1...280)),
            .optional(
                "anyWord", \.anyWord,
                "`true` if the word need not be in a list, and guesses can be any letters; otherwise missing."),
            .optional("hint", \.hint, "What the maker says of the word, for everybody.", .length(1...320)),
        ])
}

extension V2.ChallengeResult: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.ChallengeResult>(
        "ChallengeResult", "A player's result in a challenge, without letters.",
        [
            .member("rank", \.rank, "1 for the best. Equal results share a rank, as do all lost games.", .minimum(1)),
            .member("name", \.name, "The player's current name."),
            .member("state", \.state, "How the game ended."),
            .member("guesses", \.guesses, "How many guesses were made.", .range(0...6)),
            .member("seconds", \.seconds, "How long it took, in whole seconds, rounded down.", .minimum(0)),
            .member("marks", \.marks, "The marks of each guess."),
            .optional("isMe", \.isMe, "`true` if it is the calling player's, otherwise missing."),
        ])
}

extension V2.MadeChallenge: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.MadeChallenge>(
        "MadeChallenge", "A challenge that was paid for.",
        [
            .member("challenge", \.challenge, "The challenge."),
            .member("energy", \.energy, "The balance after paying.", .minimum(0)),
        ])
}

extension V2.ChallengeGame: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.ChallengeGame>(
        "ChallengeGame", "A challenge's game.",
        [.member("game", \.game, "The game.")])
}

extension V2.ChallengeList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.ChallengeList>(
        "ChallengeList", "A page of the challenges that a player made or plays.",
        [
            .member("challenges", \.challenges, "Newest first, without their results."),
            .optional("next", \.next, "The `before` of the next page; missing on the last page."),
        ])
}
