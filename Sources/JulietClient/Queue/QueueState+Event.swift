extension QueueState {
    /// A time: `uptime` never goes back, `date` is milliseconds since 1970.
    struct Moment {
        var uptime: Duration
        var date: Int64
    }

    /// What happens to a queue.
    enum Event {
        /// The journal was read, and what was known is to be brought in line with it.
        case opened
        /// Its worker starts, or has stopped.
        case started, stopped
        case appended([QueueEntry])
        case attemptEnded(RequestID, Result<HTTPResponse, ClientError>)
        case cancelled(RequestID)
        case paused, resumed, flushed
        case tokenRefreshed, tokenRefreshFailed
        case resolved(LocalIdentifier, String)
        /// A dead letter was deleted, or appended anew.
        case deadLetterRemoved(RequestID)
        /// Time has passed.
        case ticked
    }

    /// What is to be done. In this order.
    enum Action {
        case send(RequestID)
        /// Give up an attempt; its end comes as an event all the same.
        case callOff(RequestID)
        case note(JournalRecord)
        case end(Ending)
        case refreshToken
    }

    /// The end of a request.
    struct Ending: Sendable {
        let entry: QueueEntry
        let attempts: Int
        let outcome: QueueOutcome<HTTPResponse>
        /// Whether it stays as a dead letter.
        let isDead: Bool
        /// What its local identifier stands for from now on.
        var resolution: (local: LocalIdentifier, value: String)?
    }
}
