#if canImport(FoundationEssentials)
    public import struct FoundationEssentials.Date
#else
    public import struct Foundation.Date
#endif

/// A request of a queue, as it can be shown.
public struct QueuedRequest: Identifiable, Hashable, Sendable {
    /// How far a request has come.
    public enum State: Hashable, Sendable {
        /// It waits for its turn.
        case waiting
        /// An attempt is under way.
        case inFlight
        /// It will not be tried again by itself.
        case dead
        /// It has come to its end.
        case ended
    }

    /// Names it, across restarts.
    public let id: RequestID
    /// The name of its type.
    public let name: String
    /// Its HTTP method.
    public let method: HTTPMethod
    /// Its path, as it was appended: with the placeholders of local identifiers.
    public let path: String
    /// The word for logs that its options say.
    public let tag: String?
    /// When it was appended.
    public let appendedAt: Date
    /// The operation's name, which every attempt carries.
    public let idempotencyKey: String
    /// The key of which at most one request waits.
    public let uniquingKey: String?
    /// The app's data.
    public let identifiers: [String: String]
    /// Whether nothing behind it starts before it has ended.
    public let isBarrier: Bool
    /// How often it was tried.
    public let attempts: Int
    /// How far it has come.
    public let state: State

    init(_ entry: QueueEntry, attempts: Int, state: State) {
        id = entry.id
        name = entry.name
        method = entry.method
        path = entry.path
        tag = entry.tag
        appendedAt = Date(timeIntervalSince1970: Double(entry.appendedAt) / 1000)
        idempotencyKey = entry.idempotencyKey
        uniquingKey = entry.uniquingKey
        identifiers = entry.identifiers
        isBarrier = entry.isBarrier
        self.attempts = attempts
        self.state = state
    }
}

/// The argument of a handler: a request and its outcome.
public struct QueuedAnswer<Response: Sendable>: Sendable {
    /// The request.
    public let request: QueuedRequest
    /// The outcome.
    public let outcome: QueueOutcome<Response>
}

/// A request that will not be tried again by itself: it can be appended again, or deleted.
public struct DeadLetter: Sendable {
    /// The request.
    public let request: QueuedRequest
    /// Why it failed in the end.
    public let error: ClientError
}

/// The status of a queue.
public struct QueueStatus: Hashable, Sendable {
    /// How many requests have not come to their end, those under way included.
    public var waiting = 0
    /// How many are under way.
    public var inFlight = 0
    /// How many have ended whose handlers have not been called yet.
    public var untold = 0
    /// How many dead letters there are.
    public var deadLetters = 0
    /// Whether a worker sends.
    public var isRunning = false
    /// Whether someone has paused it.
    public var isPaused = false
    /// Whether the server wants a fresh token, or the journal's player has to sign in again (`lastFailure` is `.otherOwner`):
    /// nothing is sent before `resume()`, or a token of `refreshToken`.
    public var needsToken = false
    /// Why the last attempt failed, `.noNetwork` for instance; nil after a success.
    public var lastFailure: ClientError.Code?
    /// How many bytes of the journal were found damaged, or cut short at its end, when it was opened. Except for zeros,
    /// they are in the file `….damaged` beside it.
    public var damagedBytes = 0
}

/// A handler's registration.
public struct HandlerToken: Hashable, Sendable {
    let number: Int
}
