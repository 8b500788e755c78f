/// One attempt at a request, as hooks see it: for logs, metrics and traces.
public struct Exchange: Sendable {
    /// The message with all header fields, including credentials: log `method`, `path` and `tag` instead.
    public let message: RequestMessage
    /// The base URL it goes to; the client's, unless the request's options name another.
    public let baseURL: String

    /// The HTTP method.
    public var method: HTTPMethod { message.method }
    /// The path behind the base URL, without the query.
    public var path: String { message.path }
    /// The word for logs in the request's options.
    public var tag: String? { message.options.tag }
    /// The operation's name, the same in each attempt at it; nil if nothing is changed.
    public var idempotencyKey: String? { message.idempotencyKey }
}

/// An attempt that has ended, and how.
public struct EndedExchange: Sendable {
    /// What was sent.
    public let exchange: Exchange
    /// The answer of a success, with its headers; otherwise the error (`ClientError.refusal` has the answer).
    public let result: Result<HTTPResponse, ClientError>
    /// How long it took, from just before it was sent.
    public let duration: Duration

    /// HTTP's status; nil: no answer came.
    public var status: Int? {
        switch result {
        case .success(let response): response.status
        case .failure(let error): error.refusal?.response.status
        }
    }
}

extension Exchange: CustomStringConvertible, CustomReflectable {
    /// Method and path, `GET /v2/games`: it can be logged.
    public var description: String { "\(method.rawValue) \(path)" }

    /// Shows no header field and no content.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension EndedExchange: CustomStringConvertible, CustomReflectable {
    /// Method, path, status and duration: it can be logged.
    public var description: String { "\(exchange): \(status.map(String.init) ?? "no answer"), \(duration)" }

    /// Shows no header field and no content.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
