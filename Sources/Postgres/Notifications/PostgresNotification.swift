/// What one `NOTIFY` has sent.
public struct PostgresNotification: Sendable, Hashable {
    /// The channel, as it was listened to.
    public let channel: String
    /// The text that was sent with it, less than 8000 bytes; empty if there was none.
    public let payload: String
    /// The server's process that sent it: to know one's own by ``PostgresConnection/backendPID``.
    public let processID: Int

    /// Makes the value, for tests.
    public init(channel: String, payload: String = "", processID: Int = 0) {
        self.channel = channel
        self.payload = payload
        self.processID = processID
    }
}

/// An element of ``PostgresNotifications``.
public enum PostgresNotificationEvent: Sendable, Hashable {
    /// Why notifications may have been missed.
    public enum Cause: Sendable, Hashable {
        /// It has only just begun.
        case connected
        /// The connection was lost, and made again.
        case reconnected
        /// They came faster than they were taken: so many were dropped, the oldest ones.
        case overflow(dropped: Int)
    }

    /// A notification, in the server's order.
    case notification(PostgresNotification)
    /// Notifications may have been missed before this point, and none since: read anew what they tell about.
    case mayHaveMissed(Cause)
}
