/// Why a call of a queue failed. The failure of a request is not such an error, but the request's outcome.
public struct QueueError: Error, Hashable, Sendable {
    /// The kind of error. There may be more kinds in later versions: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name, stable.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another queue, of this process or another, has the journal open. Nothing was touched.
        public static let journalInUse = Code(rawValue: "journalInUse")
        /// The file is not a journal, or nothing is left of it: `RequestQueue.salvage(_:)` makes it a journal. Nothing was
        /// touched.
        public static let notAJournal = Code(rawValue: "notAJournal")
        /// The journal is in an older format, which this release does not read: `RequestQueue.salvage(_:)` puts its content
        /// aside. Nothing was touched.
        public static let olderJournal = Code(rawValue: "olderJournal")
        /// The journal was written by a newer version of this library. Nothing was touched.
        public static let newerJournal = Code(rawValue: "newerJournal")
        /// The disk or the account's share of it is full. Nothing was appended; the journal is as it was.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The system could not read or write; see `systemError`. Nothing was appended.
        public static let fileError = Code(rawValue: "fileError")
        /// The request is larger than a journal allows, 256 MB. Nothing was appended.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The journal holds requests of another player: open one of this player's own, or have the other player's
        /// requests cancelled first. Nothing was touched.
        public static let otherOwner = Code(rawValue: "otherOwner")
        /// The journal was deleted, moved or replaced while it was open. Nothing was appended: open the queue again.
        public static let journalGone = Code(rawValue: "journalGone")
        /// The queue is closed.
        public static let closed = Code(rawValue: "closed")
        /// The queue is running already.
        public static let alreadyRunning = Code(rawValue: "alreadyRunning")
        /// The request cannot be stored: its idempotency key is not valid, for instance. Nothing was appended.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The request contains a local identifier that no earlier request creates. Nothing was appended.
        public static let unknownIdentifier = Code(rawValue: "unknownIdentifier")
        /// The local identifier belongs to another request, or has another value already. Nothing was changed.
        public static let conflictingIdentifier = Code(rawValue: "conflictingIdentifier")
    }

    /// The kind of error.
    public var code: Code
    /// The system's `errno`, with `.diskFull` and `.fileError`.
    public var systemError: Int32?

    /// Describes an error.
    public init(_ code: Code, systemError: Int32? = nil) {
        self.code = code
        self.systemError = systemError
    }
}

extension QueueError: CustomStringConvertible {
    /// The code, and the system's error if there is one.
    public var description: String {
        systemError.map { "\(code.rawValue) (errno \($0))" } ?? code.rawValue
    }
}
