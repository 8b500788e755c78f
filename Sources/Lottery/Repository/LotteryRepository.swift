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

/// How things stand in a lottery.
public struct LotteryLook: Sendable, Hashable {
    /// The draw that can be started next.
    public var next: LotteryDraw
    /// The one that was started last, which may be under way.
    public var last: LotteryDraw?

    /// Describes a state.
    public init(next: LotteryDraw, last: LotteryDraw? = nil) {
        self.next = next
        self.last = last
    }
}

/// A draw and what it was drawn from.
public struct KeptDraw: Sendable, Hashable {
    /// The draw, as far as it may be seen.
    public var draw: LotteryDraw
    /// The list as it was frozen, byte for byte; nil: the draw has not started.
    public var list: String?

    /// Describes a draw.
    public init(draw: LotteryDraw, list: String?) {
        self.draw = draw
        self.list = list
    }
}

/// What became of the wish to start a draw.
public enum DrawStart: Sendable, Hashable {
    /// It goes on; `isNew`: it does since this start.
    case started(isNew: Bool)
    /// It has not started.
    case refused(DrawRefusal)
}

/// Why a draw has not started. Nothing was changed.
public enum DrawRefusal: Error, Sendable, Hashable {
    /// There is no draw of this number yet.
    case unknownDraw
    /// Nobody takes part.
    case empty
    /// Another draw is shown, or was a moment ago.
    case pause(seconds: Int)
    /// There is a prize: an operator starts it.
    case operatorOnly
}
