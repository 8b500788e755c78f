/// An entry, as in the document of the lottery.
public struct LotteryEntry: Sendable, Hashable, Codable {
    /// The number of the user or player.
    public var userID: Int
    /// Whether it cannot win. If a void entry is drawn last, nobody wins.
    public var isVoid: Bool

    private enum CodingKeys: String, CodingKey {
        case userID = "userId"
        case isVoid = "void"
    }

    /// Describes an entry.
    public init(userID: Int, isVoid: Bool = false) {
        self.userID = userID
        self.isVoid = isVoid
    }
}
