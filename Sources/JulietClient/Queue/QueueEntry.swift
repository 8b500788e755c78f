/// What a queue keeps in memory of a request: all but what is sent. A class, for it is passed around by the thousand.
final class QueueEntry: Sendable {
    let id: RequestID
    /// When it was appended: milliseconds since 1970.
    let appendedAt: Int64
    /// The name its handlers are registered for.
    let name: String
    let method: HTTPMethod
    /// As it was appended.
    let path: String
    let tag: String?
    /// The same in every attempt.
    let idempotencyKey: String
    let uniquingKey: String?
    let identifiers: [String: String]
    let isBarrier: Bool
    let isAuthenticated: Bool
    let isBackground: Bool
    /// The local identifier its response has the counterpart of.
    let creates: CreatedIdentifier?
    /// The local identifiers it is sent with.
    let references: [LocalIdentifier]
    /// Nil: the queue's.
    let policy: RetryPolicy?
    /// What it is held up with when the server keeps failing; nil: with everything.
    let group: String?

    init(
        id: RequestID, appendedAt: Int64, name: String, method: HTTPMethod = .post, path: String = "/",
        tag: String? = nil, idempotencyKey: String, uniquingKey: String? = nil, identifiers: [String: String] = [:],
        isBarrier: Bool = true,
        isAuthenticated: Bool = true, isBackground: Bool = false, creates: CreatedIdentifier? = nil,
        references: [LocalIdentifier] = [], policy: RetryPolicy? = nil, group: String? = nil
    ) {
        self.id = id
        self.appendedAt = appendedAt
        self.name = name
        self.method = method
        self.path = path
        self.tag = tag
        self.idempotencyKey = idempotencyKey
        self.uniquingKey = uniquingKey
        self.identifiers = identifiers
        self.isBarrier = isBarrier
        self.isAuthenticated = isAuthenticated
        self.isBackground = isBackground
        self.creates = creates
        self.references = references
        self.policy = policy
        self.group = group
    }

    /// The same request appended anew.
    func appended(as id: RequestID, at date: Int64) -> QueueEntry {
        QueueEntry(
            id: id, appendedAt: date, name: name, method: method, path: path, tag: tag, idempotencyKey: idempotencyKey,
            uniquingKey: uniquingKey, identifiers: identifiers, isBarrier: isBarrier, isAuthenticated: isAuthenticated,
            isBackground: isBackground, creates: creates, references: references, policy: policy, group: group)
    }
}

/// A local identifier, and where its counterpart stands.
struct CreatedIdentifier: Hashable, Sendable {
    let local: LocalIdentifier
    let source: IdentifierSource
}

// MARK: - In the journal

extension QueueEntry {
    func write(to writer: inout ByteWriter) {
        writer.integer(id.number)
        writer.integer(appendedAt)
        writer.text(name)
        writer.text(method.rawValue)
        writer.text(path)
        writer.optional(tag) { $0.text($1) }
        writer.text(idempotencyKey)
        writer.optional(uniquingKey) { $0.text($1) }
        writer.list(identifiers.sorted { $0.key < $1.key }) {
            $0.text($1.key)
            $0.text($1.value)
        }
        writer.integer(UInt8((isBarrier ? 1 : 0) | (isAuthenticated ? 2 : 0) | (isBackground ? 4 : 0)))
        writer.optional(creates) {
            $0.text($1.local.placeholder)
            $1.source.write(to: &$0)
        }
        writer.list(references) { $0.text($1.placeholder) }
        writer.optional(policy) { $1.write(to: &$0) }
        writer.optional(group) { $0.text($1) }
    }

    static func read(from reader: inout ByteReader) throws(ByteReader.Failure) -> QueueEntry {
        let text = { (reader: inout ByteReader) throws(ByteReader.Failure) in try reader.text() }
        let id = RequestID(number: try reader.integer())
        let appendedAt = try reader.integer(Int64.self)
        let name = try reader.text()
        let method = HTTPMethod(rawValue: try reader.text())
        let path = try reader.text()
        let tag = try reader.optional(text)
        let idempotencyKey = try reader.text()
        let uniquingKey = try reader.optional(text)
        var identifiers: [String: String] = [:]
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let name = try reader.text()
            identifiers[name] = try reader.text()
        }
        let flags = try reader.integer(UInt8.self)
        let creates = try reader.optional { (reader: inout ByteReader) throws(ByteReader.Failure) in
            CreatedIdentifier(local: try LocalIdentifier(from: &reader), source: try IdentifierSource(from: &reader))
        }
        let references = try reader.list { (reader: inout ByteReader) throws(ByteReader.Failure) in
            try LocalIdentifier(from: &reader)
        }
        let policy = try reader.optional { (reader: inout ByteReader) throws(ByteReader.Failure) in
            try RetryPolicy(from: &reader)
        }
        let group = try reader.optional(text)
        return QueueEntry(
            id: id, appendedAt: appendedAt, name: name, method: method, path: path, tag: tag,
            idempotencyKey: idempotencyKey,
            uniquingKey: uniquingKey, identifiers: identifiers, isBarrier: flags & 1 != 0,
            isAuthenticated: flags & 2 != 0, isBackground: flags & 4 != 0, creates: creates, references: references,
            policy: policy, group: group)
    }
}
