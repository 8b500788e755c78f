#if canImport(Darwin)
    public import Foundation

    /// Carries requests over Foundation's URLSession.
    ///
    /// Unless told otherwise it keeps nothing: no cookies, no cache, no credentials. It follows no redirect, because that
    /// would send the request's credentials and content to whatever address the answer names: a 3xx is an answer like any
    /// other.
    public final class URLSessionTransport: StreamingTransport {
        private let session: URLSession
        private let exchanges: URLSessionExchanges

        /// Makes a transport with connections of its own, which close when it is released.
        ///
        /// - Parameter maximumResponseSize: How many bytes the content of an answer may have, decompressed; default 8 MiB. A
        ///   larger one is `ClientError` `.tooLarge`. It does not limit streams, of which only what is unread counts.
        public convenience init(maximumResponseSize: Int = HTTPResponse.maximumSize) {
            self.init(configuration: Self.defaultConfiguration, maximumResponseSize: maximumResponseSize)
        }

        /// Makes a transport with connections of its own, as the app sets them up: proxies, the classes of protocols that
        /// see the requests, whether to wait for a network, pinned certificates.
        ///
        /// - Parameters:
        ///   - configuration: Is copied; no background configuration. `URLSessionTransport.defaultConfiguration` is a good
        ///     one to begin with.
        ///   - delegate: Is asked what this transport does not answer itself: challenges of authentication, metrics,
        ///     waiting for a network. Redirects are not followed whatever it says. It is held until the transport ends.
        ///   - maximumResponseSize: How many bytes the content of an answer may have, decompressed.
        public init(
            configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)? = nil,
            maximumResponseSize: Int = HTTPResponse.maximumSize
        ) {
            exchanges = URLSessionExchanges(forwardingTo: delegate, limit: maximumResponseSize)
            session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        }

        /// A configuration that keeps nothing; a new copy each time.
        public static var defaultConfiguration: URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            return configuration
        }

        deinit {
            session.finishTasksAndInvalidate()
        }

        /// Sends one attempt and waits for its answer, or for the time-out, or for the task's cancellation.
        ///
        /// - Throws: `ClientError`, `.tooLarge` for an answer above the limit. With `waitsForConnectivity`, a time-out while the
        ///   session waits for a network is `.noNetwork`.
        public func send(_ message: RequestMessage, to baseURL: String, timeout: Duration) async throws -> HTTPResponse
        {
            // URLSession's own time-out is about silence: it must not come first.
            let request = try Self.request(message, baseURL: baseURL, silence: timeout + .seconds(60))
            let task = session.dataTask(with: request)
            return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                group.addTask { try await self.exchanges.response(to: task) }
                group.addTask {
                    // A cancelled sleep may end before the exchange does.
                    guard (try? await Task.sleep(for: timeout)) != nil else { throw ClientError(.cancelled) }
                    throw ClientError(self.exchanges.lateness(of: task))
                }
                defer { group.cancelAll() }
                guard let response = try await group.next() else { throw ClientError(.cancelled) }
                return response
            }
        }

        /// Sends one attempt, and streams its answer. Releasing the stream cancels it.
        ///
        /// - Parameters:
        ///   - message: What to send, with the additions of the `prepare` hook.
        ///   - baseURL: Where to; `message.options.host` replaces it.
        ///   - timeout: How long the server may be silent.
        /// - Throws: `ClientError`, the stream too.
        public func stream(
            _ message: RequestMessage, to baseURL: String, timeout: Duration
        ) throws -> AsyncThrowingStream<ResponsePart, any Error> {
            exchanges.stream(try Self.request(message, baseURL: baseURL, silence: timeout), in: session)
        }

        private static func request(
            _ message: RequestMessage, baseURL: String, silence: Duration
        ) throws(ClientError) -> URLRequest {
            try message.checkGrammar()
            guard let url = URL(string: try message.url(baseURL: baseURL)), url.host != nil else {
                throw ClientError(.invalidURL)
            }
            var request = URLRequest(url: url)
            request.httpMethod = message.method.rawValue
            for field in message.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
            request.httpBody = message.body.map { Data($0) }
            request.httpShouldHandleCookies = false
            request.timeoutInterval = TimeInterval(max(1, silence.components.seconds))
            return request
        }
    }
#endif
