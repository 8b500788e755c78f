/// One attempt at a request, as hooks see it: for logs, metrics and traces.
public struct Exchange: Sendable {
    /// What is sent, with all header fields, credentials included: log `method`, `path` and `tag` rather than the whole.
    public let message: RequestMessage
    /// The base URL it goes to; the client's, unless the request's options name another.
    public let baseURL: String

    /// What is done to the resource.
    public var method: HTTPMethod { message.method }
    /// The path behind the base URL, without the query.
    public var path: String { message.path }
    /// The word for logs that the request's options say.
    public var tag: String? { message.options.tag }
    /// The operation's name, the same in each attempt at it; nil where nothing is changed.
    public var idempotencyKey: String? { message.idempotencyKey }
}

/// An attempt that has ended, and how.
public struct EndedExchange: Sendable {
    /// What was sent.
    public let exchange: Exchange
    /// The answer of a success, with its headers; else why there is none (`ClientError.refusal` has what was answered).
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
