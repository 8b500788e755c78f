/// What a view of the lottery shows. It is `Encodable` as the events of the page are: `{"state": "round", …}`.
public enum LotteryViewState: Sendable, Hashable {
    /// No draw is under way: the button, the commitment of the next draw.
    case landing(Landing)
    /// A draw has started, and no name is shown yet.
    case loading(Running)
    /// Whom a round shows, 1 to 10: their number and name.
    case round(Int, userID: Int, name: String, Running)
    /// The draw is over, and somebody wins.
    case winner(Result)
    /// The draw is over, and nobody wins: the entry of the last round is void.
    case noWinner(Result)
    /// The state is not known; the reason in words.
    case failure(String)

    /// The state before a draw.
    public struct Landing: Sendable, Hashable, Encodable {
        /// The draw that comes next.
        public var draw: Int
        /// The SHA-256 of its seed, in hex digits.
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

    /// A draw under way.
    public struct Running: Sendable, Hashable, Encodable {
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
    public struct Result: Sendable, Hashable {
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
        /// Whether it was verified that seed and list give this draw, and this commitment.
        public var isVerified: Bool
    }
}
