/// An answer the server makes by itself, before a renderer has given it a shape, with what is known of the request.
public struct HTTPFailure: Error, Sendable {
    /// What went wrong, stable, for programs: "http.head.tooLarge".
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// 400: the request breaks the grammar or can be read in two ways.
        public static let malformed = Code(rawValue: "http.malformed")
        /// 404: no route has this path.
        public static let notFound = Code(rawValue: "http.notFound")
        /// 405: the path has routes, none for this method; `Allow` lists theirs.
        public static let methodNotAllowed = Code(rawValue: "http.methodNotAllowed")
        /// 408: the request did not arrive completely within its deadline.
        public static let timeout = Code(rawValue: "http.timeout")
        /// 413: the body is over the limit.
        public static let bodyTooLarge = Code(rawValue: "http.body.tooLarge")
        /// 414: the request line is over the limit.
        public static let targetTooLong = Code(rawValue: "http.target.tooLong")
        /// 415: the body has a content coding the server was not told to accept.
        public static let contentCodingUnsupported = Code(rawValue: "http.contentCoding.unsupported")
        /// 417: an `Expect` other than `100-continue`.
        public static let expectationFailed = Code(rawValue: "http.expectation.failed")
        /// 421: an `https` target on a connection that is not secured.
        public static let misdirected = Code(rawValue: "http.misdirected")
        /// 431: the head or its number of fields is over the limit.
        public static let headTooLarge = Code(rawValue: "http.head.tooLarge")
        /// 500: the server itself failed.
        public static let internalError = Code(rawValue: "http.internalError")
        /// 501: a method no resource of this server knows.
        public static let methodUnknown = Code(rawValue: "http.method.unknown")
        /// 501: the body has a transfer coding other than `chunked`.
        public static let transferCodingUnsupported = Code(rawValue: "http.transferCoding.unsupported")
        /// 503: as many connections as the configuration allows, in all or from this address.
        public static let overloaded = Code(rawValue: "http.overloaded")
        /// 503: the handler did not answer before its deadline.
        public static let unanswered = Code(rawValue: "http.unanswered")
        /// 505: another version of HTTP.
        public static let versionUnsupported = Code(rawValue: "http.version.unsupported")

        /// The stable name.
        public var description: String { rawValue }
    }

    /// What went wrong.
    public var code: Code

    /// The status of the answer.
    public var status: HTTPStatus

    /// A constant sentence for people, naming the rule that was broken; never holds what the peer sent.
    public var message: String

    /// Field lines the answer needs, `Allow` or `Retry-After`; the server adds those the renderer leaves out.
    public var headers: Headers

    /// The method, if the request line got that far.
    public var method: HTTPMethod?

    /// The path as sent, if the request line got that far; cut off if it was too long or incomplete.
    public var path: String?

    /// The query as sent, if there is one.
    public var query: String?

    /// The field lines read so far.
    public var requestHeaders: Headers

    /// The part of the body that has been received, maybe none, maybe all; bounded by the body limit.
    public var body: [UInt8]

    /// A failure of which only the kind is known.
    public init(
        code: Code,
        status: HTTPStatus,
        message: String,
        headers: Headers = [:]
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.headers = headers
        requestHeaders = [:]
        body = []
    }

    /// A failure after the request was received completely.
    public init(
        code: Code,
        status: HTTPStatus,
        message: String,
        headers: Headers = [:],
        request: Request
    ) {
        self.init(code: code, status: status, message: message, headers: headers)
        describe(request)
    }

    /// The path with escaped characters that need no escape as themselves, as routes are looked up.
    package var normalizedPath: String? { path.map(PercentEncoding.normalized) }

    /// Adds what is known of a request.
    mutating func describe(_ request: Request) {
        method = request.method
        path = request.path
        query = request.query
        requestHeaders = request.headers
        body = request.body
    }
}

/// Renders the server's own answers. The server adds `Date`, lengths, `Connection` and the failure's
/// headers.
public typealias ErrorRenderer = @Sendable (HTTPFailure) -> Response

extension HTTPFailure {
    /// The renderer of a server that was given none: the message as one line of plain text.
    public static let plainTextRenderer: ErrorRenderer = { failure in
        .text(failure.message + "\n", status: failure.status)
    }

    /// What the server answers where a handler throws: 413, 408 or 400 for a ``RequestContentError``, and 500 for anything
    /// else.
    package init(_ error: any Error, of request: Request) {
        self =
            (error as? RequestContentError)?.failure(of: request)
            ?? HTTPFailure(
                code: .internalError, status: .internalServerError, message: "The handler failed.", request: request)
    }

    /// The answer: what the renderer makes of the failure, with the fields it left out.
    package func response(by renderer: ErrorRenderer) -> Response {
        var response = renderer(self)
        for (name, value) in headers where !response.headers.contains(name) {
            response.headers.append(name, value)
        }
        return response
    }
}
