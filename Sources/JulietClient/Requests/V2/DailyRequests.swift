public import JulietAPI

// The day's word, past days and the leaderboards. All but those that start a game go without a token too, where the
// service allows it.

/// Asks for the day's word, as far as it is told.
public struct FetchDailyWord: V2Request {
    /// The word; with a token, the player's game too.
    public typealias Response = V2.DailyWord

    /// Asks for today's.
    public init() {}

    /// The day.
    public var path: String { "/v2/daily" }
    typealias Content = V2.NoMembers
}

/// Begins the day's game, free, or goes on with it.
public struct StartDailyGame: V2Request {
    /// The game.
    public typealias Response = V2.DailyGame
    /// Whether every guess must use what earlier guesses have shown. A game that was begun keeps its mode.
    public var isHard: Bool

    /// Asks for today's.
    public init(isHard: Bool = false) {
        self.isHard = isHard
    }

    /// The game's.
    public var identifierSource: IdentifierSource { .json(["game", "id"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// The day's game.
    public var path: String { "/v2/daily/game" }
    var content: V2.NewDailyGame? { isHard ? V2.NewDailyGame(isHard: true) : nil }
}

/// Asks for today and the past days that had a word.
public struct ListDays: V2Request {
    /// Newest first; with a token, with the player's games.
    public typealias Response = V2.DayList
    /// Those before this day, `next` of the page before; nil: from today on.
    public var before: V2.Day?
    /// How many days; nil: 50; at most 100.
    public var limit: Int?

    /// Asks for a page.
    public init(before: V2.Day? = nil, limit: Int? = nil) {
        self.before = before
        self.limit = limit
    }

    /// The days.
    public var path: String { "/v2/daily/days" }
    /// Which of them.
    public var query: RequestQuery { ["before": before, "limit": limit] }
    typealias Content = V2.NoMembers
}

/// Begins the game of a past day, free and counted nowhere, or goes on with the player's game of that day.
///
/// Refused with `not-found` for today, days to come and days never held, and with `too-many` while a hundred such games
/// are unfinished.
public struct StartArchiveGame: V2Request {
    /// The game.
    public typealias Response = V2.DailyGame
    /// Which day's.
    public var day: V2.Day
    /// Whether every guess must use what earlier guesses have shown. A game that was begun keeps its mode.
    public var isHard: Bool

    /// Names a day.
    public init(day: V2.Day, isHard: Bool = false) {
        self.day = day
        self.isHard = isHard
    }

    /// The game's.
    public var identifierSource: IdentifierSource { .json(["game", "id"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// The day's game.
    public var path: String { "/v2/daily/\(day)/game" }
    var content: V2.NewDailyGame? { isHard ? V2.NewDailyGame(isHard: true) : nil }
}

/// Asks for the word of a day that is over. Refused with `not-found` before, and for days that were never held.
public struct FetchPastDay: V2Request {
    /// The word, and what became of it.
    public typealias Response = V2.PastDay
    /// Which.
    public var day: V2.Day

    /// Names a day.
    public init(day: V2.Day) {
        self.day = day
    }

    /// The day.
    public var path: String { "/v2/daily/\(day)" }
    typealias Content = V2.NoMembers
}

/// Asks who won a day's game best.
public struct FetchDailyLeaderboard: V2Request {
    /// A part of the board.
    public typealias Response = V2.DailyLeaderboard
    /// Which day's.
    public var day: V2.Day
    /// How many places; nil, and at most, 50.
    public var limit: Int?
    /// Whether to return the places around the player instead of the best ones.
    public var isAroundMe: Bool

    /// Asks for a part.
    public init(day: V2.Day, limit: Int? = nil, isAroundMe: Bool = false) {
        self.day = day
        self.limit = limit
        self.isAroundMe = isAroundMe
    }

    /// The day's board.
    public var path: String { "/v2/daily/\(day)/leaderboard" }
    /// Which part of it.
    public var query: RequestQuery { ["limit": limit, "around": isAroundMe ? "me" : String?.none] }
    typealias Content = V2.NoMembers
}

/// Asks who won most games.
public struct FetchWinsLeaderboard: V2Request {
    /// A part of the board.
    public typealias Response = V2.WinsLeaderboard
    /// The period.
    public var period: V2.Period
    /// How many places; nil, and at most, 50.
    public var limit: Int?
    /// Whether to return the places around the player instead of the best ones.
    public var isAroundMe: Bool

    /// Asks for a part.
    public init(period: V2.Period = .all, limit: Int? = nil, isAroundMe: Bool = false) {
        self.period = period
        self.limit = limit
        self.isAroundMe = isAroundMe
    }

    /// The board.
    public var path: String { "/v2/leaderboards/wins" }
    /// Which part of it.
    public var query: RequestQuery {
        ["period": period, "limit": limit, "around": isAroundMe ? "me" : String?.none]
    }
    typealias Content = V2.NoMembers
}

extension V2.Period: QueryElement {}
extension V2.Day: QueryElement {}
