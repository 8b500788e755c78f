/// One thing that a queue must still know after a restart.
enum JournalRecord {
    /// A request was appended.
    case request(QueueEntry, RequestMessage)
    /// How far a request has come.
    case progress(RequestID, Progress)
    /// A request has come to its end, and its handlers are to be told. A dead letter stays.
    case ended(RequestID, QueueOutcome<HTTPResponse>, isDead: Bool)
    /// The handlers have been told.
    case told(RequestID)
    /// A request is not needed any more: its handlers were told, or it was deleted.
    case removed(RequestID)
    /// A request shall not be sent any more; its handlers are to be told.
    case cancelled(RequestID)
    /// A local identifier has its counterpart.
    case resolved(LocalIdentifier, String)
    /// The last name that was given to a request.
    case lastID(RequestID)
    /// Whose requests these are.
    case owner(String)

    /// How far a request has come.
    struct Progress: Equatable {
        /// How often it was tried.
        var attempts: UInt32 = 0
        /// How many attempts had an answer that concerns the request.
        var answers: UInt32 = 0
        /// Whether an attempt may have reached the server.
        var mayHaveArrived = false
        /// Whether an attempt is under way.
        var isInFlight = false
        /// How many attempts the service has failed at (500).
        var failures: UInt32 = 0
        /// The time between those, in whole milliseconds.
        var failingFor = Duration.zero
        /// When it last failed at one, in milliseconds since 1970.
        var failedAt: Int64 = 0
    }

    /// Its number in the file.
    var kind: UInt8 {
        switch self {
        case .request: Self.requestKind
        case .progress: 10
        case .ended: 3
        case .told: 4
        case .removed: 5
        case .cancelled: 6
        case .resolved: 7
        case .lastID: 8
        case .owner: 11
        }
    }

    /// The kind of a request's record.
    static let requestKind: UInt8 = 9
    /// The first kind there is.
    static let firstKind: UInt8 = 3
    /// The last kind there is.
    static let lastKind: UInt8 = 11

    /// As it is in the file.
    func content() throws -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .request(let entry, let message):
            entry.write(to: &writer)
            try message.write(to: &writer)
        case .progress(let id, let progress):
            writer.integer(id.number)
            writer.integer(progress.attempts)
            writer.integer(progress.answers)
            writer.integer(UInt8((progress.isInFlight ? 1 : 0) | (progress.mayHaveArrived ? 2 : 0)))
            writer.integer(progress.failures)
            writer.integer(Int64(progress.failingFor / .milliseconds(1)))
            writer.integer(progress.failedAt)
        case .ended(let id, let outcome, let isDead):
            writer.integer(id.number)
            writer.integer(UInt8(isDead ? 1 : 0))
            outcome.write(to: &writer)
        case .told(let id), .removed(let id), .cancelled(let id), .lastID(let id):
            writer.integer(id.number)
        case .resolved(let local, let value):
            writer.text(local.placeholder)
            writer.text(value)
        case .owner(let name):
            writer.text(name)
        }
        return writer.bytes
    }
}

/// A record as it is read back: of a request, its message stays in the file.
enum StoredRecord {
    case request(QueueEntry)
    case other(JournalRecord)

    init(kind: UInt8, content: ArraySlice<UInt8>) throws(ByteReader.Failure) {
        var reader = ByteReader(content)
        if kind == JournalRecord.requestKind {
            self = .request(try QueueEntry.read(from: &reader))
            return
        }
        if kind == 7 {
            guard let local = LocalIdentifier(placeholder: try reader.text()) else { throw ByteReader.Failure() }
            self = .other(.resolved(local, try reader.text()))
            return
        }
        if kind == 11 {
            self = .other(.owner(try reader.text()))
            return
        }
        let id = RequestID(number: try reader.integer())
        switch kind {
        case 10:
            var progress = JournalRecord.Progress(attempts: try reader.integer(), answers: try reader.integer())
            let flags = try reader.integer(UInt8.self)
            progress.isInFlight = flags & 1 != 0
            progress.mayHaveArrived = flags & 2 != 0
            progress.failures = try reader.integer()
            progress.failingFor = .milliseconds(try reader.integer(Int64.self))
            progress.failedAt = try reader.integer()
            self = .other(.progress(id, progress))
        case 3:
            let isDead = try reader.integer(UInt8.self) == 1
            self = .other(.ended(id, try QueueOutcome(from: &reader), isDead: isDead))
        case 4: self = .other(.told(id))
        case 5: self = .other(.removed(id))
        case 6: self = .other(.cancelled(id))
        case 8: self = .other(.lastID(id))
        default: throw ByteReader.Failure()
        }
    }
}
