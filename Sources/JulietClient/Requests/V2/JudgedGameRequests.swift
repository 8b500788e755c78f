public import JulietAPI

// Games that the service judges. All need a token.

/// Pays for a game and begins it. Refused with `game-unfinished`, one at a time, `list-unknown` or `energy-insufficient`.
public struct StartJudgedGame: V2Request {
    /// The game, and the balance that is left.
    public typealias Response = V2.StartedGame
    /// Whether every guess must use what earlier guesses have shown.
    public var isHard: Bool
    /// The language of the word, one of the service's `languages`; nil: the service's first.
    public var language: String?
    /// How many letters the word has; nil: as many as in the service's first list.
    public var length: Int?

    /// Asks for a game.
    public init(isHard: Bool = false, language: String? = nil, length: Int? = nil) {
        self.isHard = isHard
        self.language = language
        self.length = length
    }

    /// The game's.
    public var identifierSource: IdentifierSource { .json(["game", "id"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// The games.
    public var path: String { "/v2/games" }
    var content: V2.NewGame? { V2.NewGame(isHard: isHard, language: language, length: length) }
}

/// Asks how a game stands. Refused with `not-found` when it is not the player's.
public struct FetchGame: V2Request {
    /// The game.
    public typealias Response = V2.Game
    /// Which.
    public var game: V2.Game.ID

    /// Names a game.
    public init(game: V2.Game.ID) {
        self.game = game
    }

    /// The game.
    public var path: String { "/v2/games/\(game)" }
    typealias Content = V2.NoMembers
}

/// Asks for the player's games, of all kinds.
public struct ListGames: V2Request {
    /// Newest first.
    public typealias Response = V2.GameList
    /// `next` of the page before; nil: the first page.
    public var before: String?
    /// How many games; nil, and at most, 50.
    public var limit: Int?
    /// Only those that stand so; nil: all.
    public var state: V2.Game.State?
    /// Only those of this kind; nil: all.
    public var kind: V2.Game.Kind?

    /// Asks for a page.
    public init(
        before: String? = nil, limit: Int? = nil, state: V2.Game.State? = nil, kind: V2.Game.Kind? = nil
    ) {
        self.before = before
        self.limit = limit
        self.state = state
        self.kind = kind
    }

    /// The games.
    public var path: String { "/v2/games" }
    /// Which of them.
    public var query: RequestQuery { ["before": before, "limit": limit, "state": state, "kind": kind] }
    typealias Content = V2.NoMembers
}

/// Guesses a word.
///
/// Refused with `word-unknown` or, in hard mode, `guess-hard`, which do not count, `guess-taken`, `guess-early` or
/// `game-over`.
public struct SubmitGuess: V2Request {
    /// The game as it then stands.
    public typealias Response = V2.Game
    /// In which game.
    public var game: V2.Game.ID
    /// The word, in any letter case.
    public var word: String
    /// Which guess it is, 1 for the first: the same one twice counts once. Nil: the next.
    public var number: Int?

    /// Names a game and a word.
    public init(game: V2.Game.ID, word: String, number: Int? = nil) {
        self.game = game
        self.word = word
        self.number = number
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The game's guesses.
    public var path: String { "/v2/games/\(game)/guesses" }
    var content: V2.GuessWord? { V2.GuessWord(word: word, number: number) }
}

/// Gives a game up: it is lost. Again, or when it is over, it changes nothing.
public struct ResignGame: V2Request {
    /// The game as it then stands.
    public typealias Response = V2.Game
    /// Which.
    public var game: V2.Game.ID

    /// Names a game.
    public init(game: V2.Game.ID) {
        self.game = game
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The game's end.
    public var path: String { "/v2/games/\(game)/resign" }
    typealias Content = V2.NoMembers
}

/// Looks back at a game that is over: how many words each guess left, and how many it could be expected to leave.
///
/// Refused with `game-running`, `no-review` for a challenge of any word, or `too-many-requests`.
public struct FetchReview: V2Request {
    /// What each guess told.
    public typealias Response = V2.Review
    /// Which.
    public var game: V2.Game.ID

    /// Names a game.
    public init(game: V2.Game.ID) {
        self.game = game
    }

    /// The game's review.
    public var path: String { "/v2/games/\(game)/review" }
    typealias Content = V2.NoMembers
}

extension V2.Game.State: QueryElement {}
extension V2.Game.Kind: QueryElement {}
