extension QueueState {
    /// A request that has not come to its end.
    struct Request {
        let entry: QueueEntry
        var progress = JournalRecord.Progress()
        /// Not before then.
        var retryAt: Duration?
        var isCancelled = false
        /// How often the token had been refreshed when the attempt began.
        var tokenNumber = 0
        /// Whether its next attempt comes before its time, or is under way, for something was appended.
        var isEarly = false
        /// Whether it was tried since the worker started, and background time is kept for it.
        var wantsBackgroundTime = false

        /// Whether the server fails at it so often that other groups do not wait for it.
        var isStuck: Bool { progress.failures >= QueueState.failuresToPass }

        /// Whether the server may have got it.
        var mayHaveArrived: Bool { progress.isInFlight || progress.sent > 0 }

        /// Counts an attempt that may have reached the server. One that came before its time counts once: appends shall
        /// not use up the attempts of what waits. What the server fails at counts always.
        mutating func count(_ error: ClientError, at now: Moment) {
            if !isEarly || progress.sent == 0 { progress.sent += 1 }
            guard let refusal = error.refusal, refusal.status == 500, refusal.isOfService else { return }
            progress.failures += 1
            if progress.failures == 1 { progress.failingSince = now.date }
        }

        /// Whether an attempt that failed was the last.
        ///
        /// - Parameter policy: The one it is tried by.
        func isSpent(_ policy: RetryPolicy, at now: Moment) -> Bool {
            if progress.sent >= policy.maximumAttempts ?? .max || isTooOld(policy, at: now) { return true }
            guard let limit = policy.failureLimit, Int(progress.failures) >= limit.attempts else { return false }
            return Duration.milliseconds(now.date - progress.failingSince) >= limit.time
        }

        /// Whether it has waited for too long, and was tried.
        func isTooOld(_ policy: RetryPolicy, at now: Moment) -> Bool {
            guard progress.attempts > 0, let maximum = policy.maximumAge else { return false }
            return Duration.milliseconds(now.date - entry.appendedAt) > maximum
        }
    }

    /// A request that will not be tried again by itself.
    struct DeadLetter {
        let entry: QueueEntry
        let attempts: Int
        let error: ClientError
    }
}
