public import JulietAPI

// One word that friends play. Codes are read as people write them: `V2.ShareCode("h7kq 2mxp")`.

/// Pays for a challenge and makes it.
///
/// Refused, in this order, with `name-refused` (the hint), `word-unknown` or `list-unknown`, `word-refused`, `hint-tells`,
/// `too-many` while fifty challenges of the player's are open, and `energy-insufficient`. Repeated under the same idempotency
/// key, it answers the challenge as it was made.
public struct MakeChallenge: V2Request {
    /// The challenge, and the balance that is left.
    public typealias Response = V2.MadeChallenge
    /// A word of the player's own, who then does not play; nil: one is dealt.
    public var word: String?
    /// The language of the word; nil: the first of the service's languages.
    public var language: String?
    /// How many letters a word that is dealt has; nil: as many as in the first of the service's languages.
    public var length: Int?
    /// Whether the own word, and guesses, may be any letters, 4 to 8, and need not be in a list. Only where the service's
    /// `anyWords` is true; otherwise a word that is in no list is refused as `word-unknown`.
    public var isAnyWord: Bool
    /// What everybody who has the code is told of an own word, 1 to 80 characters; nil: nothing.
    public var hint: String?
    /// Whether every guess must use what earlier guesses have shown.
    public var isHard: Bool
    /// For how many times 24 hours, 1...30; nil: 7.
    public var days: Int?

    /// Says what is to be played, and for how long.
    public init(
        word: String? = nil, language: String? = nil, length: Int? = nil, isAnyWord: Bool = false, hint: String? = nil,
        isHard: Bool = false, days: Int? = nil
    ) {
        self.word = word
        self.language = language
        self.length = length
        self.isAnyWord = isAnyWord
        self.hint = hint
        self.isHard = isHard
        self.days = days
    }

    /// The challenge's code.
    public var identifierSource: IdentifierSource { .json(["challenge", "code"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// The challenges.
    public var path: String { "/v2/challenges" }
    var content: V2.NewChallenge? {
        V2.NewChallenge(
            word: word, language: language, length: length, isAnyWord: isAnyWord, hint: hint, isHard: isHard, days: days
        )
    }
}

/// Asks for a challenge. Refused with `not-found` when there is none of this code.
public struct FetchChallenge: V2Request {
    /// The challenge; with a token, the player's game too, and the results once it is over.
    public typealias Response = V2.Challenge
    /// Which.
    public var code: V2.ShareCode

    /// Names a challenge.
    public init(code: V2.ShareCode) {
        self.code = code
    }

    /// The challenge.
    public var path: String { "/v2/challenges/\(code)" }
    typealias Content = V2.NoMembers
}

/// Asks for the challenges that the player made or plays.
public struct ListChallenges: V2Request {
    /// Newest first, without their results.
    public typealias Response = V2.ChallengeList
    /// What `next` of the page before says; nil: from the newest on.
    public var before: String?
    /// How many; nil: 50; at most 100.
    public var limit: Int?

    /// Asks for a page.
    public init(before: String? = nil, limit: Int? = nil) {
        self.before = before
        self.limit = limit
    }

    /// The challenges.
    public var path: String { "/v2/challenges" }
    /// Which of them.
    public var query: RequestQuery { ["before": before, "limit": limit] }
    typealias Content = V2.NoMembers
}

/// Begins a challenge's game, free and counted nowhere but in its results, or goes on with the player's game of it.
///
/// Refused, in this order, with `not-found`, `challenge-own-word`, `challenge-over`, `challenge-full`, and `too-many` while a
/// hundred games of challenges and past days are unfinished.
public struct StartChallengeGame: V2Request {
    /// The game.
    public typealias Response = V2.ChallengeGame
    /// Which challenge's.
    public var code: V2.ShareCode

    /// Names a challenge.
    public init(code: V2.ShareCode) {
        self.code = code
    }

    /// The game's.
    public var identifierSource: IdentifierSource { .json(["game", "id"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// The challenge's game.
    public var path: String { "/v2/challenges/\(code)/game" }
    typealias Content = V2.NoMembers
}

/// Deletes a challenge that the player made. The games that were begun stay. Refused with `not-found`, also when it is
/// somebody else's.
public struct DeleteChallenge: V2Request {
    /// Nothing but success.
    public typealias Response = Void
    /// Which.
    public var code: V2.ShareCode

    /// Names a challenge.
    public init(code: V2.ShareCode) {
        self.code = code
    }

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The challenge.
    public var path: String { "/v2/challenges/\(code)" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}
