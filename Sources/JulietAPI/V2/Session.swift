extension V2 {
    /// A device that is signed in.
    public struct Session: Codable, Hashable, Sendable, Identifiable {
        /// The session's id; `current` stands for the calling session.
        public var id: Identifier<Session>
        /// When it began.
        public var createdAt: Timestamp
        /// When it was last used, rounded down to the hour.
        public var lastUsedAt: Timestamp
        /// Whether it is the calling session.
        public var isCurrent: Bool
        /// How it was opened: `registration`, `recoveryCode`, `passkey`, or a provider's name.
        public var by: String

        /// Describes a session.
        public init(
            id: Identifier<Session>, createdAt: Timestamp, lastUsedAt: Timestamp, isCurrent: Bool, by: String
        ) {
            self.id = id
            self.createdAt = createdAt
            self.lastUsedAt = lastUsedAt
            self.isCurrent = isCurrent
            self.by = by
        }
    }

    /// The devices that are signed in.
    public struct SessionList: Codable, Hashable, Sendable {
        /// Newest first.
        public var sessions: [Session]

        /// Takes sessions.
        public init(sessions: [Session]) {
            self.sessions = sessions
        }
    }
}

extension V2.Identifier where Subject == V2.Session {
    /// The calling session.
    public static let current = Self("current")
}

extension V2.Session: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Session>(
        "Session", "A device that is signed in.",
        [
            .member("id", \.id, "The session's id. In a URL, `current` stands for the calling session."),
            .member("createdAt", \.createdAt, "When it began."),
            .member("lastUsedAt", \.lastUsedAt, "When it was last used, rounded down to the hour."),
            .member("isCurrent", \.isCurrent, "Whether it is the calling session."),
            .member(
                "by", \.by, "How it was opened: `registration`, `recoveryCode`, `passkey`, or a provider's name."),
        ])
}

extension V2.SessionList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.SessionList>(
        "SessionList", "The devices that are signed in.",
        [
            .member("sessions", \.sessions, "Newest first.")
        ])
}
