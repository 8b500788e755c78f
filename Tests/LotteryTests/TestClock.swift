import Synchronization

/// A clock on which nobody waits: who sleeps until a moment makes it that moment.
final class TestClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var sinceStart = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
    }

    private let time = Mutex(Instant())

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        time.withLock { $0 = max($0, deadline) }
    }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
