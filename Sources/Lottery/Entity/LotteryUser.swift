/// A user who may take part, as the document of users tells it.
public struct LotteryUser: Sendable, Hashable, Codable {
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

    /// Describes a user.
    public init(userID: Int, name: String, username: String, registrationDate: String) {
        self.userID = userID
        self.name = name
        self.username = username
        self.registrationDate = registrationDate
    }
}
