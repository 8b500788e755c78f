public import JulietAPI

// The day's word and the leaderboards. All but `StartDailyGame` go without a token too, where the service allows it.

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

    /// Asks for today's.
    public init() {}

    /// POST.
    public var method: HTTPMethod { .post }
    /// The day's game.
    public var path: String { "/v2/daily/game" }
    typealias Content = V2.NoMembers
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
    /// Whether the player is to be in the middle, rather than the best at the top.
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
    public var query: Query { ["limit": limit, "around": isAroundMe ? "me" : String?.none] }
    typealias Content = V2.NoMembers
}

/// Asks who won most games.
public struct FetchWinsLeaderboard: V2Request {
    /// A part of the board.
    public typealias Response = V2.WinsLeaderboard
    /// Of what time.
    public var period: V2.Period
    /// How many places; nil, and at most, 50.
    public var limit: Int?
    /// Whether the player is to be in the middle, rather than the best at the top.
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
    public var query: Query {
        ["period": period, "limit": limit, "around": isAroundMe ? "me" : String?.none]
    }
    typealias Content = V2.NoMembers
}

extension V2.Period: QueryValue {}
