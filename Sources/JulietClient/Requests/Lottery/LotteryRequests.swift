// The lottery: its two documents, its draws, taking part. Where a service has none it refuses them with `not-found`.

/// Asks who may take part in the lottery. Needs no token.
public struct FetchLotteryUsers: Request {
    /// The document.
    public struct Response: Codable, Hashable, Sendable {
        /// By number.
        public var items: [User]
    }

    /// Somebody who may take part.
    public struct User: Codable, Hashable, Sendable {
        /// Their number, 1 or more.
        public var userID: Int
        /// Their name.
        public var name: String
        /// Their short name.
        public var username: String
        /// When they registered: `2020-10-19`.
        public var registrationDate: String

        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case name, username
            case registrationDate = "regDate"
        }
    }

    /// Asks for all.
    public init() {}

    /// The document.
    public let path = "/API/SimpleLottery/users.json"
    /// Anybody may ask.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
}

/// Asks who takes part in the lottery. Needs no token.
public struct FetchLotteryEntries: Request {
    /// The document.
    public struct Response: Codable, Hashable, Sendable {
        /// In the order of the list.
        public var lotteryList: [Entry]
    }

    /// That somebody takes part.
    public struct Entry: Codable, Hashable, Sendable {
        /// The number of the user or player.
        public var userID: Int
        /// Whether it cannot win. If a void entry is drawn last, nobody wins.
        public var isVoid: Bool

        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case isVoid = "void"
        }
    }

    /// Asks for all.
    public init() {}

    /// The document.
    public let path = "/API/SimpleLottery/usersInLottery.json"
    /// Anybody may ask.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
}

/// Asks for a draw as far as it may be seen: before it starts its commitment, at its end the seed. Needs no token. Refused
/// with `not-found`.
public struct FetchLotteryDraw: Request {
    /// The draw.
    public typealias Response = LotteryDrawRecord
    /// Which, from 1.
    public var number: Int

    /// Names a draw.
    public init(number: Int) {
        self.number = number
    }

    /// The draw.
    public var path: String { "/lottery/draws/\(number)" }
    /// Anybody may ask.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }
}

/// Starts a draw; one that has started goes on. Needs no token. Refused with `empty`, `pause` (`retryAfter`), `operator`
/// (there is a prize) or `not-found`.
public struct StartLotteryDraw: Request {
    /// Nothing but success.
    public typealias Response = Void
    /// Which, from 1: the next.
    public var number: Int

    /// Names a draw.
    public init(number: Int) {
        self.number = number
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The draw.
    public var path: String { "/lottery/draws/\(number)" }
    /// Anybody may start it.
    public var options: RequestOptions { RequestOptions(isAuthenticated: false) }

    /// Takes the contract's answer, 202 without content.
    public static func decode(_ response: HTTPResponse) throws {
        guard response.status == 202, response.body.isEmpty else { throw ClientError(.unexpectedContent) }
    }
}

/// Lets the player take part; again: the same. Needs a token.
public struct EnterLottery: Request {
    /// The player's place.
    public struct Response: Codable, Hashable, Sendable {
        /// The player's number in the lottery.
        public var userID: Int
        /// How many entries there are.
        public var entries: Int

        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case entries
        }
    }

    /// Asks to take part.
    public init() {}

    /// PUT.
    public var method: HTTPMethod { .put }
    /// The player's entry.
    public let path = "/lottery/entry"
}

/// Watches the lottery: how things stand, at once, then each change. Needs no token.
///
/// ```swift
/// for try await state in juliet.events(WatchLottery()) { show(state) }
/// ```
public struct WatchLottery: EventRequest {
    /// What a view shows.
    public typealias Event = LotteryEvent

    /// Watches all draws.
    public init() {}

    /// The events.
    public let path = "/lottery/events"
    /// Anybody may look. The service says something every 15 s.
    public var options: RequestOptions { RequestOptions(timeout: .seconds(45), isAuthenticated: false) }
}
