import JulietAPI

/// The client for an app's requests to the service.
///
/// ```swift
/// let juliet = Juliet(baseURL: "https://words.example.org", apiKey: key)
/// let game = try await juliet.send(StartGame(player: id))
/// ```
///
/// A request is sent once, unless the caller says by `retry:` when to send it again. If it must survive a dead network or
/// the app's end, use a queue. Identical reading requests that are under way at the same time, a queue's among them, are sent
/// once for all callers.
public final class Juliet: Sendable {
    /// The client's configuration.
    public let configuration: JulietConfiguration
    let shared = SharedExchanges()
    /// Names the player whose token requests are sent with, if somebody is signed in; nil: the client does not know.
    let player: (@Sendable () async -> String?)?

    /// Makes a client. It opens no connection yet.
    public convenience init(_ configuration: JulietConfiguration) {
        self.init(configuration, player: nil)
    }

    init(_ configuration: JulietConfiguration, player: (@Sendable () async -> String?)?) {
        self.configuration = configuration
        self.player = player
    }

    /// Makes a client with the usual settings.
    public convenience init(baseURL: String, apiKey: String? = nil) {
        self.init(JulietConfiguration(baseURL: baseURL, apiKey: apiKey))
    }

    /// Sends a request and waits for its answer. Cancelling the task gives up.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - idempotencyKey: The operation's name. After an error that leaves open whether the server has done it, the
    ///     request can be sent again with the same name, and takes effect once. Nil: a new name, for all but GET and
    ///     HEAD.
    ///   - retry: After which errors it is sent again, when, and how many attempts there are at most; default: one attempt.
    ///     Each carries the same name, so a request that changes something takes effect once if the server knows names, as
    ///     the service does. `failureLimit` is for queues.
    /// - Throws: `ClientError`, and nothing else; after several attempts, that of the last. The type is not in the signature
    ///   because Swift up to 6.3.1 crashes where a `catch` with a `where` follows typed errors.
    public func send<R: Request>(
        _ request: R, idempotencyKey: String? = nil, retry: RetryPolicy = .never
    ) async throws -> R.Response {
        try await answer(to: request, idempotencyKey: idempotencyKey, retry: retry).value
    }

    /// Sends a request and waits for its answer, as `send` does: the value together with status and header fields, the
    /// `ETag` for instance.
    ///
    /// - Throws: As `send`.
    public func response<R: Request>(
        to request: R, idempotencyKey: String? = nil, retry: RetryPolicy = .never
    ) async throws -> DecodedResponse<R.Response> {
        try await answer(to: request, idempotencyKey: idempotencyKey, retry: retry)
    }

    /// Sends a request for code that has no `async`.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - idempotencyKey: As that of the function with `async`.
    ///   - retry: As that of the function with `async`.
    ///   - completion: Called once, whatever happens, on no particular thread.
    /// - Returns: A handle that can cancel the request; releasing it does not.
    @discardableResult
    public func send<R: Request>(
        _ request: R, idempotencyKey: String? = nil, retry: RetryPolicy = .never,
        completion: @escaping @Sendable (Result<R.Response, ClientError>) -> Void
    ) -> RequestHandle {
        RequestHandle(
            Task {
                do throws(ClientError) {
                    let answer = try await answer(to: request, idempotencyKey: idempotencyKey, retry: retry)
                    completion(.success(answer.value))
                } catch {
                    completion(.failure(error))
                }
            })
    }

    /// Makes one attempt to send a message: prepared, with the API key, within its time-out.
    ///
    /// This is what a queue calls for each of its attempts; the message then carries the operation's name already.
    /// - Returns: A success, of status 200..<300, or 304 if the message is conditional.
    /// - Throws: `ClientError`; `.unexpectedContent` for an answer that cannot be the server's, `.rejected` with the error of
    ///   `checkResponse`, otherwise `.refused` with the result of `mapError`.
    @concurrent
    public func attempt(_ message: RequestMessage) async throws(ClientError) -> HTTPResponse {
        let exchange = Exchange(
            message: try await prepare(message), baseURL: message.options.host ?? configuration.baseURL)
        await configuration.willSend(exchange)
        let start = ContinuousClock.now
        let result: Result<HTTPResponse, ClientError>
        do throws(ClientError) {
            result = .success(try await send(exchange.message))
        } catch {
            result = .failure(error)
        }
        await configuration.didEnd(
            EndedExchange(exchange: exchange, result: result, duration: ContinuousClock.now - start))
        return try result.get()
    }

    @concurrent
    private func send(_ prepared: RequestMessage) async throws(ClientError) -> HTTPResponse {
        let response: HTTPResponse
        do {
            response = try await configuration.transport.send(
                prepared, to: configuration.baseURL, timeout: prepared.options.timeout ?? configuration.timeout)
        } catch {
            throw ClientError(error, otherwise: .other)
        }
        guard prepared.accepts(response) else { throw ClientError(.unexpectedContent) }
        do {
            try await configuration.checkResponse(prepared, response)
        } catch {
            throw ClientError(error, otherwise: .rejected)
        }
        guard response.isSuccess else { throw ClientError(configuration.mapError(response)) }
        return response
    }

    @concurrent
    private func answer<R: Request>(
        to request: R, idempotencyKey: String?, retry: RetryPolicy
    ) async throws(ClientError) -> DecodedResponse<R.Response> {
        let message = try request.message()
        guard !message.hasLocalIdentifierInURL else { throw ClientError(.unusableIdentifier) }
        let name = message.named(idempotencyKey).idempotencyKey
        var failures = 0
        while true {
            do throws(ClientError) {
                let response =
                    idempotencyKey == nil
                    ? try await sharedAttempt(message, named: name) : try await attempt(message.named(name))
                return DecodedResponse(value: try R.response(from: response), response: response)
            } catch {
                failures += 1
                guard failures < retry.maximumAttempts ?? .max, retry.retries(after: error) else { throw error }
                let retryAfter = error.refusal.flatMap {
                    RetryAfter.delay(in: $0.response, now: WallClock.milliseconds / 1000)
                }
                let delay = retry.delay(
                    afterFailures: failures, retryAfter: retryAfter, random: .random(in: 0..<1))
                guard (try? await Task.sleep(for: delay)) != nil else { throw ClientError(.cancelled) }
            }
        }
    }

    /// Makes one attempt to send a message under a name, or joins one at an identical message that is under way.
    ///
    /// - Parameter name: The operation's; nil makes a new one, for all but GET and HEAD.
    @concurrent
    func sharedAttempt(_ message: RequestMessage, named name: String?) async throws(ClientError) -> HTTPResponse {
        guard message.options.mayBeDeduplicated ?? message.method.isSafe else {
            return try await attempt(message.named(name))
        }
        return try await shared.response(to: message.shared) { () async throws(ClientError) in
            try await self.attempt(message.named(name))
        }
    }

    func prepare(_ message: RequestMessage) async throws(ClientError) -> RequestMessage {
        var message = message
        if let key = configuration.apiKey, message.options.isAuthenticated, message.goes(to: configuration.baseURL) {
            message.headers.append(HeaderField("AuthToken", key))
        }
        do {
            try await configuration.prepare(&message)
        } catch {
            throw ClientError(error, otherwise: .preparation)
        }
        return message
    }
}

extension ClientError {
    /// Returns a `ClientError` as it is, recognises cancellation, and wraps any other error.
    init(_ error: any Error, otherwise code: Code) {
        switch error {
        case let error as ClientError: self = error
        case is CancellationError: self.init(.cancelled)
        default: self.init(code, underlying: error)
        }
    }
}
