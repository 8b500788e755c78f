/// The client for an app's requests to the service.
///
/// ```swift
/// let juliet = Juliet(baseURL: "https://words.example.org", apiKey: key)
/// let game = try await juliet.send(StartGame(player: id))
/// ```
///
/// A request is sent once. If it must survive a dead network or the app's end, use a queue. Identical reading
/// requests that are under way at the same time are sent once for all callers.
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
    /// - Throws: `ClientError`, and nothing else. The type is not in the signature because Swift up to 6.3.1 crashes where a
    ///   `catch` with a `where` follows typed errors.
    public func send<R: Request>(_ request: R, idempotencyKey: String? = nil) async throws -> R.Response {
        try await response(to: request, idempotencyKey: idempotencyKey)
    }

    /// Sends a request for code that has no `async`.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - idempotencyKey: As that of the function with `async`.
    ///   - completion: Called once, whatever happens, on no particular thread.
    /// - Returns: A handle that can cancel the request; releasing it does not.
    @discardableResult
    public func send<R: Request>(
        _ request: R, idempotencyKey: String? = nil,
        completion: @escaping @Sendable (Result<R.Response, ClientError>) -> Void
    ) -> RequestHandle {
        RequestHandle(
            Task {
                do throws(ClientError) {
                    completion(.success(try await response(to: request, idempotencyKey: idempotencyKey)))
                } catch {
                    completion(.failure(error))
                }
            })
    }

    /// Makes one attempt to send a message: prepared, with the API key, within its time-out.
    ///
    /// This is what a queue calls for each of its attempts; the message then carries the operation's name already.
    /// - Returns: A success, of status 200..<300 or 304.
    /// - Throws: `ClientError`; `.unexpectedContent` for an answer that cannot be the server's, otherwise `.refused`
    ///   with the result of `mapError`.
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
        guard response.isSuccess else { throw ClientError(configuration.mapError(response)) }
        return response
    }

    @concurrent
    private func response<R: Request>(
        to request: R, idempotencyKey: String?
    ) async throws(ClientError) -> R.Response {
        let message = try request.message()
        let response: HTTPResponse
        if idempotencyKey == nil, message.options.mayBeDeduplicated ?? message.method.isSafe {
            response = try await shared.response(to: message.shared) { () async throws(ClientError) in
                try await self.attempt(message.named(nil))
            }
        } else {
            response = try await attempt(message.named(idempotencyKey))
        }
        return try R.response(from: response)
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
