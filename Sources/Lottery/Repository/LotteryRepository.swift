public import LotteryEntities

/// Where users and entries come from: the records of a service, or the two documents.
public protocol ParticipantRepository: Sendable {
    /// All users.
    func users() async throws -> [LotteryUser]

    /// Those who take part, in the order of the list.
    func entries() async throws -> [LotteryEntry]
}

/// Where draws are kept, and started.
public protocol DrawRepository: Sendable {
    /// How things stand now.
    func look() async throws -> LotteryLook

    /// A draw with its frozen list.
    ///
    /// - Parameter number: nil: the one that started last.
    /// - Returns: nil: there is no such draw.
    func draw(_ number: Int?) async throws -> KeptDraw?

    /// Starts a draw, once: one that has started stays as it is.
    ///
    /// - Throws: When it is not known whether it has started: start it again.
    func start(_ number: Int) async throws -> DrawStart
}
