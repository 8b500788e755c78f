/// Options for a request that is appended. All have defaults.
public struct QueueOptions: Sendable {
    /// The name its handlers are registered for; nil: that of its type, with its module and the types around it. It must
    /// stay the same from release to release: name requests whose types may move or are private.
    public var name: String?
    /// At most one request of a key waits: a newer one replaces it at the tail. One that the server may have
    /// received stays.
    public var uniquingKey: String?
    /// Groups requests: when the server has failed at a request three times, requests of other groups overtake it and
    /// those of its own group wait. Nil: it belongs to every group, so it waits for all and all wait for it.
    public var group: String?
    /// Data that the app needs when the answer comes.
    public var identifiers: [String: String]
    /// Whether it starts only after all earlier requests have ended, and later ones only after it; nil: all but GET and HEAD.
    public var isBarrier: Bool?
    /// Names the operation: 1 to 255 visible ASCII characters; nil makes a name.
    public var idempotencyKey: String?
    /// When it is tried again; nil: the queue's policy.
    public var retry: RetryPolicy?
    /// The local identifier of what it creates; the request's `identifierSource` says where the server's is.
    public var creates: LocalIdentifier?

    /// Says what differs from the usual.
    public init(
        name: String? = nil, uniquingKey: String? = nil, group: String? = nil,
        identifiers: [String: String] = [:], isBarrier: Bool? = nil,
        idempotencyKey: String? = nil, retry: RetryPolicy? = nil, creates: LocalIdentifier? = nil
    ) {
        self.name = name
        self.uniquingKey = uniquingKey
        self.group = group
        self.identifiers = identifiers
        self.isBarrier = isBarrier
        self.idempotencyKey = idempotencyKey
        self.retry = retry
        self.creates = creates
    }
}

/// A request of any type to append together with others.
public struct QueueItem: Sendable {
    let request: any Request
    let options: QueueOptions

    /// Describes one.
    public init(_ request: any Request, options: QueueOptions = QueueOptions()) {
        self.request = request
        self.options = options
    }

    /// The request's type.
    var type: any Request.Type { Swift.type(of: request) }

    /// As the queue keeps it.
    ///
    /// - Throws: `ClientError` `.encoding`, or `QueueError` `.invalidRequest`.
    func entry(id: RequestID, appendedAt: Int64) throws -> (QueueEntry, RequestMessage) {
        let message = try request.message()
        let key = options.idempotencyKey ?? message.idempotencyKey ?? RandomName.make()
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw QueueError(.invalidRequest)
        }
        let created = options.creates.map { CreatedIdentifier(local: $0, source: request.identifierSource) }
        let entry = QueueEntry(
            id: id, appendedAt: appendedAt, name: options.name ?? RequestName(type).full, method: message.method,
            path: message.path, tag: message.options.tag,
            idempotencyKey: key, uniquingKey: options.uniquingKey, identifiers: options.identifiers,
            isBarrier: options.isBarrier ?? !message.method.isSafe, isAuthenticated: message.options.isAuthenticated,
            isBackground: message.options.isBackground ?? !message.method.isSafe, creates: created,
            // It may contain the identifier of what it creates: then the server gets the local identifier.
            references: message.localIdentifiers.filter { $0 != options.creates }, policy: options.retry,
            group: options.group)
        return (entry, message)
    }
}
