/// Decides when a queue asks for its next requests.
///
/// It gets events and decides when requests may start; the queue decides which ones. A value, so
/// that the queue's rules can be tested without a clock.
public protocol QueueScheduler: Sendable {
    /// Decides the next start after an event.
    mutating func decide(after event: SchedulingEvent) -> SchedulingDecision
}

/// What a scheduler is told.
public enum SchedulingEvent: Hashable, Sendable {
    /// A request was appended. The decision `.now` starts requests that wait for their next attempt. The scheduler is
    /// not called during a `Retry-After` of the server.
    case enqueued
    /// Someone wants everything sent now: `flush`, `resume`, the queue's start.
    case flushed
    /// An attempt was answered: with a success, or with a refusal that no retry can change.
    case succeeded
    /// An attempt failed; the request is due again after a wait.
    case failed(retryIn: Duration)
}

/// What a scheduler decides.
public enum SchedulingDecision: Hashable, Sendable {
    /// Requests may start now.
    case now
    /// None starts before this has passed.
    case after(Duration)
    /// As it was decided before.
    case unchanged
}

/// Continues at once after a success or an append, and after a failure waits as long as the request that failed.
public struct StandardScheduler: QueueScheduler {
    /// Makes one.
    public init() {}

    /// See the type.
    public mutating func decide(after event: SchedulingEvent) -> SchedulingDecision {
        switch event {
        case .enqueued, .flushed, .succeeded: .now
        case .failed(let delay): .after(delay)
        }
    }
}
