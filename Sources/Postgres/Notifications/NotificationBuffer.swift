/// Notifications that wait to be taken, up to a limit; then the oldest make room.
struct NotificationBuffer {
    private let limit: Int
    private var waiting: [PostgresNotification] = []
    /// Where in `waiting` the oldest is; what lies before it has been taken or dropped.
    private var first = 0
    /// What is to be said before the oldest.
    private var cause: PostgresNotificationEvent.Cause?

    /// - Parameter limit: How many may wait, 1 or more.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Adds the newest.
    mutating func append(_ notification: PostgresNotification) {
        if waiting.count - first == limit {
            first += 1
            // Where everything may have been missed, some more make no difference.
            switch cause {
            case nil: cause = .overflow(dropped: 1)
            case .overflow(let dropped): cause = .overflow(dropped: dropped + 1)
            case .connected, .reconnected: break
            }
        }
        if first >= limit {
            waiting.removeFirst(first)
            first = 0
        }
        waiting.append(notification)
    }

    /// Says that what came before may be incomplete.
    mutating func mayHaveMissed(_ cause: PostgresNotificationEvent.Cause) { self.cause = cause }

    /// Takes the oldest.
    mutating func next() -> PostgresNotificationEvent? {
        if let cause {
            self.cause = nil
            return .mayHaveMissed(cause)
        }
        guard first < waiting.count else { return nil }
        defer {
            first += 1
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                first = 0
            }
        }
        return .notification(waiting[first])
    }
}
