/// Names a player: 1 to 128 characters of printable text, as the service checks it.
public struct PlayerID: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// As it is sent; nothing is trimmed or folded.
    public let rawValue: String

    /// Names a player.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Names a player.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Names a player.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

extension PlayerID: QueryElement {}
