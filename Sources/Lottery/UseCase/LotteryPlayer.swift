public import LotteryEntities

/// A user who takes part, merged from the two lists.
public struct LotteryPlayer: Sendable, Hashable {
    /// Who it is.
    public let user: LotteryUser
    /// Whether the entry cannot win.
    public let isVoid: Bool

    /// An entry of somebody whom the users do not name.
    public struct UnknownUser: Error, Hashable, CustomStringConvertible {
        /// The number in the entry.
        public let userID: Int

        /// In words.
        public var description: String { "user \(userID) takes part, but there is no such user" }
    }

    /// Merges both lists, in the order of the entries.
    ///
    /// - Throws: For the first entry of nobody.
    public static func merge(
        _ users: [LotteryUser], _ entries: [LotteryEntry]
    ) throws(UnknownUser) -> [LotteryPlayer] {
        let known = Dictionary(users.map { ($0.userID, $0) }, uniquingKeysWith: { first, _ in first })
        var players: [LotteryPlayer] = []
        for entry in entries {
            guard let user = known[entry.userID] else { throw UnknownUser(userID: entry.userID) }
            players.append(LotteryPlayer(user: user, isVoid: entry.isVoid))
        }
        return players
    }
}
