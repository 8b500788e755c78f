/// A draw, without what is still secret.
public struct LotteryDraw: Sendable, Hashable {
    /// How many rounds a draw has; the last one decides.
    public static let rounds = 10

    /// Its number, from 1.
    public var number: Int
    /// The SHA-256 of its seed, which is shown before anybody can start it.
    public var commitment: [UInt8]
    /// The energy that the winner gets; 0: none.
    public var prize: Int
    /// How many entries there are; once it has started, how many there were.
    public var entries: Int
    /// How long it loads, how long a round is shown, and how long only operators may start another.
    public var pace: Pace
    /// Its progress; nil: it has not started.
    public var progress: Progress?

    /// How a draw is shown.
    public struct Pace: Sendable, Hashable {
        /// From the start to the first round.
        public var loading: Duration
        /// From one round to the next, and from the last to the result.
        public var round: Duration
        /// After the result.
        public var pause: Duration

        /// Describes a pace; the defaults are the service's.
        public init(
            loading: Duration = .milliseconds(1500), round: Duration = .milliseconds(600),
            pause: Duration = .seconds(30)
        ) {
            self.loading = loading
            self.round = round
            self.pause = pause
        }

        /// From the start to the result.
        public var result: Duration { loading + round * LotteryDraw.rounds }
        /// From the start to the time when another may be started.
        public var end: Duration { result + pause }

        /// How many rounds are visible some time after the start.
        public func roundsShown(after elapsed: Duration) -> Int {
            guard elapsed >= loading else { return 0 }
            return min(LotteryDraw.rounds, Int((elapsed - loading) / round) + 1)
        }
    }

    /// A draw that has started.
    public struct Progress: Sendable, Hashable {
        /// The SHA-256 of the frozen list.
        public var listDigest: [UInt8]
        /// How long ago it started, by the clock of its repository.
        public var elapsed: Duration
        /// The rounds that may be seen, in order.
        public var rounds: [Round]
        /// How it ended; nil until the last round is over.
        public var end: End?

        /// Describes a draw's progress.
        public init(listDigest: [UInt8], elapsed: Duration, rounds: [Round], end: End?) {
            self.listDigest = listDigest
            self.elapsed = elapsed
            self.rounds = rounds
            self.end = end
        }
    }

    /// A round, with the entry that it shows.
    public struct Round: Sendable, Hashable, Codable {
        /// The participant.
        public var userID: Int
        /// Their name.
        public var name: String

        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case name
        }

        /// Describes a round.
        public init(userID: Int, name: String) {
            self.userID = userID
            self.name = name
        }
    }

    /// What is revealed when the last round is over.
    public struct End: Sendable, Hashable {
        /// What all rounds followed from, 32 bytes.
        public var seed: [UInt8]
        /// Whom the last round showed; nil: nobody wins, for that entry is void.
        public var winner: Int?

        /// Describes an end.
        public init(seed: [UInt8], winner: Int?) {
            self.seed = seed
            self.winner = winner
        }
    }

    /// Describes a draw.
    public init(
        number: Int, commitment: [UInt8], prize: Int = 0, entries: Int, pace: Pace = Pace(), progress: Progress? = nil
    ) {
        self.number = number
        self.commitment = commitment
        self.prize = prize
        self.entries = entries
        self.pace = pace
        self.progress = progress
    }
}
