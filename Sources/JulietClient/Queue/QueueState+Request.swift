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
        var mayHaveArrived: Bool { progress.isInFlight || progress.mayHaveArrived }

        /// Counts an attempt that may have reached the server, if its answer concerns the request. One that came before
        /// its time counts once: appends shall not use up the attempts of what waits. What the service fails at counts
        /// always.
        ///
        /// - Parameter policy: The one it is tried by.
        mutating func count(_ error: ClientError, _ policy: RetryPolicy, at now: Moment) {
            progress.mayHaveArrived = true
            guard error.concernsRequest else { return }
            if !isEarly || progress.answers == 0 { progress.answers += 1 }
            guard error.refusal?.status == 500 else { return }
            if progress.failures > 0 {
                // The clock may have been set, and the app may have been away.
                let time = Duration.milliseconds(now.date.subtractingReportingOverflow(progress.failedAt).partialValue)
                progress.failingFor += max(.zero, min(time, policy.maximumDelay))
            }
            progress.failures += 1
            progress.failedAt = now.date
        }

        /// Whether an attempt that failed was the last.
        ///
        /// - Parameter policy: The one it is tried by.
        func isSpent(_ policy: RetryPolicy) -> Bool {
            if progress.answers >= policy.maximumAttempts ?? .max { return true }
            guard let limit = policy.failureLimit, Int(progress.failures) >= limit.attempts else { return false }
            return progress.failingFor >= limit.time
        }
    }

    /// A request that will not be tried again by itself.
    struct DeadLetter {
        let entry: QueueEntry
        let attempts: Int
        let error: ClientError
    }
}
