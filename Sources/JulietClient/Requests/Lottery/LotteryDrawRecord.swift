/// A draw of the lottery as far as it may be seen.
///
/// The commitment and the digest of the list, noted before and during the draw, prove afterwards that nobody changed either: the
/// module `Lottery` checks it, and docs/lottery.md says how to do it by hand.
public struct LotteryDrawRecord: Codable, Hashable, Sendable {
    /// How far a draw has come.
    public struct State: RawRepresentable, Codable, Hashable, Sendable {
        /// The value as it is sent.
        public let rawValue: String

        /// Names a state.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It can be started.
        public static let next = State(rawValue: "next")
        /// It is shown.
        public static let running = State(rawValue: "running")
        /// Everything of it is told.
        public static let over = State(rawValue: "over")
    }

    /// A round, with the entry that it shows.
    public struct Round: Codable, Hashable, Sendable {
        /// Their number.
        public var userID: Int
        /// Their name.
        public var name: String

        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case name
        }
    }

    /// Its number, from 1.
    public var draw: Int
    /// How far it has come.
    public var state: State
    /// The SHA-256 of its seed, 64 hex digits.
    public var commitment: String
    /// The energy that the winner gets; 0: none.
    public var prize: Int
    /// How many entries there are.
    public var entries: Int
    /// The SHA-256 of its frozen list, 64 hex digits; nil: it has not started.
    public var listDigest: String?
    /// The frozen list, a line for each entry; nil: it has not started.
    public var list: String?
    /// The rounds that may be seen, in order; nil: it has not started.
    public var rounds: [Round]?
    /// What all rounds followed from, 64 hex digits; nil: it is not over.
    public var seed: String?
    /// Who wins; nil: nobody does, or it is not over.
    public var winner: Round?
}
