/// How a queue works.
public struct QueueConfiguration: Sendable {
    /// How many requests may run at the same time between two barriers, 1 or more; default 5.
    public var maximumConcurrent: Int
    /// When failed requests are tried again; a request can bring its own.
    public var retry: RetryPolicy
    /// When the queue asks for its next requests.
    public var scheduler: any QueueScheduler
    /// Gets a fresh token after a 401, which the client's `prepare` hook then uses. If it throws, it is called again
    /// later. Nil: after a 401 of the service itself (`ClientError.Refusal.isOfService`) the queue waits for
    /// `resume()`; a request with a 401 from elsewhere is tried again.
    public var refreshToken: (@Sendable () async throws -> Void)?
    /// Keeps the app running while requests that want it are under way or wait for their next attempt.
    public var backgroundTime: (any BackgroundTime)?
    /// The journal is rewritten when this many bytes of it, and half of it, are no longer needed; default 1 MB.
    public var compactionThreshold: Int

    /// Describes a way to work; the defaults suit most apps.
    public init(
        maximumConcurrent: Int = 5, retry: RetryPolicy = .standard, scheduler: any QueueScheduler = StandardScheduler(),
        refreshToken: (@Sendable () async throws -> Void)? = nil, backgroundTime: (any BackgroundTime)? = nil,
        compactionThreshold: Int = 1 << 20
    ) {
        self.maximumConcurrent = maximumConcurrent
        self.retry = retry
        self.scheduler = scheduler
        self.refreshToken = refreshToken
        self.backgroundTime = backgroundTime
        self.compactionThreshold = compactionThreshold
    }
}

/// Keeps the app running for a while after it has left the screen: on iOS `beginBackgroundTask`.
///
/// A queue calls `begin` when the first request that goes on in the background (`RequestOptions.isBackground`) is under way, and `end` when none is
/// any more and none waits for its next attempt, one after the other; also when its worker stops. When the system takes
/// the time back, end it: interrupted requests are tried again later.
public protocol BackgroundTime: Sendable {
    /// Asks the system for time.
    func begin()
    /// Gives it back.
    func end()
}
