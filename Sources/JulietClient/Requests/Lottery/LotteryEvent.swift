/// What a view of the lottery shows.
public enum LotteryEvent: Hashable, Sendable, Decodable {
    /// No draw is shown: what comes next, and how the last one ended.
    case landing(Landing)
    /// A draw has started, and no name is shown yet.
    case loading(Running)
    /// Whom a round shows, 1 to 10: their number and name.
    case round(Int, userID: Int, name: String, Running)
    /// A draw is over, and somebody wins.
    case winner(Result)
    /// A draw is over, and nobody wins: the entry of the last round is void.
    case noWinner(Result)
    /// The state is not known; the reason in words.
    case failure(String)
    /// A state that this version does not know, by its name.
    case unknown(String)

    /// The state before a draw.
    public struct Landing: Hashable, Sendable, Decodable {
        /// The draw that comes next.
        public var draw: Int
        /// The SHA-256 of its seed, in hex digits: note it before the draw starts.
        public var commitment: String
        /// The energy that the winner gets; 0: no prize.
        public var prize: Int
        /// How many entries there are.
        public var entries: Int
        /// Whether anybody may start it now.
        public var canStart: Bool
        /// How many seconds until it may be started; 0: now.
        public var wait: Int
        /// The previous draw, if there was one.
        public var last: Result?
    }

    /// A draw that is shown.
    public struct Running: Hashable, Sendable, Decodable {
        /// Its number.
        public var draw: Int
        /// The SHA-256 of its seed, in hex digits.
        public var commitment: String
        /// The SHA-256 of its frozen list, in hex digits.
        public var listDigest: String
        /// How many entries there are.
        public var entries: Int
        /// The energy that the winner gets; 0: no prize.
        public var prize: Int
    }

    /// A draw that is over.
    public struct Result: Hashable, Sendable, Decodable {
        /// The draw.
        public var running: Running
        /// The entry that the last round showed.
        public var name: String
        /// Their number.
        public var userID: Int
        /// Whether that entry wins.
        public var hasWon: Bool
        /// The seed, in hex digits.
        public var seed: String
        /// Whether the service saw seed and list give this draw, and this commitment. Who does not trust it repeats the draw.
        public var isVerified: Bool

        /// Reads one object.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            running = try Running(from: decoder)
            name = try members.decode(String.self, forKey: .name)
            userID = try members.decode(Int.self, forKey: .userID)
            hasWon = try members.decode(String.self, forKey: .state) == "winner"
            seed = try members.decode(String.self, forKey: .seed)
            isVerified = try members.decode(Bool.self, forKey: .verified)
        }
    }

    fileprivate enum CodingKeys: String, CodingKey {
        case state, message, round, name, seed, verified
        case userID = "userId"
    }

    /// Reads one object.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        switch try members.decode(String.self, forKey: .state) {
        case "landing": self = .landing(try Landing(from: decoder))
        case "loading": self = .loading(try Running(from: decoder))
        case "round":
            self = .round(
                try members.decode(Int.self, forKey: .round), userID: try members.decode(Int.self, forKey: .userID),
                name: try members.decode(String.self, forKey: .name), try Running(from: decoder))
        case "winner": self = .winner(try Result(from: decoder))
        case "noWinner": self = .noWinner(try Result(from: decoder))
        case "failure": self = .failure(try members.decode(String.self, forKey: .message))
        case let other: self = .unknown(other)
        }
    }
}
