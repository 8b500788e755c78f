/// The state of a lottery.
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

/// The result of starting a draw.
public enum DrawStart: Sendable, Hashable {
    /// It is running; `isNew`: this call has started it.
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
    /// Another draw is being shown, or was a moment ago.
    case pause(seconds: Int)
    /// There is a prize: an operator starts it.
    case operatorOnly
}
