/// A client's configuration: the service's address, the credentials, and the hooks around each attempt.
public struct JulietConfiguration: Sendable {
    /// Where the service is: `https://words.example.org`, with the path before its URLs, if there is one.
    public var baseURL: String
    /// The service's API key, sent in the header `AuthToken` of authenticated requests to the base URL's host; nil sends
    /// none. A secret.
    public var apiKey: String?
    /// How long one attempt may take, from its start to the last byte of the answer; default 30 s.
    public var timeout: Duration
    /// The transport; default URLSession, on Linux libcurl. It limits the size of answers:
    /// `SystemTransport(maximumResponseSize:)`.
    public var transport: any Transport
    /// Completes a request just before each attempt: a fresh token, a trace.
    ///
    /// It is called for every attempt, so it may wait until a token is renewed. It must check
    /// `RequestOptions.isAuthenticated` before it adds credentials. An error it throws ends the attempt unsent, with
    /// `ClientError.Code.preparation` unless it is a `ClientError`.
    public var prepare: @Sendable (inout RequestMessage) async throws -> Void
    /// Called for each attempt just before it is sent, after `prepare`. The attempt waits for it.
    public var willSend: @Sendable (Exchange) async -> Void
    /// Called for each attempt after it has ended, with or without an answer, and before the caller gets the result.
    public var didEnd: @Sendable (EndedExchange) async -> Void
    /// Decides whether an answer still counts: called for each answer of the server, a refusal too, before anyone gets it. If
    /// the app's state has changed since the request was sent, the hook throws, and the caller gets `ClientError` `.rejected`
    /// with the hook's error, or that error if it is a `ClientError`. A queue's request ends with it.
    public var checkResponse: @Sendable (RequestMessage, HTTPResponse) async throws -> Void
    /// Reads the refusal in an answer that is not a success; default `ClientError.Refusal.init(reading:)`.
    public var mapError: @Sendable (HTTPResponse) -> ClientError.Refusal

    /// Describes a client.
    public init(
        baseURL: String, apiKey: String? = nil, timeout: Duration = .seconds(30),
        transport: any Transport = SystemTransport(),
        prepare: @escaping @Sendable (inout RequestMessage) async throws -> Void = { _ in },
        willSend: @escaping @Sendable (Exchange) async -> Void = { _ in },
        didEnd: @escaping @Sendable (EndedExchange) async -> Void = { _ in },
        checkResponse: @escaping @Sendable (RequestMessage, HTTPResponse) async throws -> Void = { _, _ in },
        mapError: @escaping @Sendable (HTTPResponse) -> ClientError.Refusal = { ClientError.Refusal(reading: $0) }
    ) {
        self.baseURL = baseURL
        self.apiKey = apiKey
        self.timeout = timeout
        self.transport = transport
        self.prepare = prepare
        self.willSend = willSend
        self.didEnd = didEnd
        self.checkResponse = checkResponse
        self.mapError = mapError
    }
}
