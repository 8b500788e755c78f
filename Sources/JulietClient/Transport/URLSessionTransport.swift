#if canImport(Darwin)
    import Foundation

    /// Carries requests over Foundation's URLSession.
    ///
    /// It keeps nothing: no cookies, no cache, no credentials. It follows no redirect, as that would take the request's
    /// credentials and its content to wherever the answer says: a 3xx is an answer as any other.
    public final class URLSessionTransport: Transport {
        private let session: URLSession
        private let exchanges = URLSessionExchanges()

        /// Makes a transport with connections of its own; they close when nobody holds it any more.
        public init() {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        }

        deinit {
            session.finishTasksAndInvalidate()
        }

        /// Sends one attempt and waits for its answer, or for the time-out, or for the task's cancellation.
        ///
        /// - Throws: `ClientError`.
        public func send(_ message: RequestMessage, to baseURL: String, timeout: Duration) async throws -> HTTPResponse
        {
            let request = try Self.request(message, baseURL: baseURL, timeout: timeout)
            return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                group.addTask { try await self.exchanges.response(to: request, in: self.session) }
                group.addTask {
                    // A cancelled sleep may end before the exchange does.
                    guard (try? await Task.sleep(for: timeout)) != nil else { throw ClientError(.cancelled) }
                    throw ClientError(.timedOut)
                }
                defer { group.cancelAll() }
                guard let response = try await group.next() else { throw ClientError(.cancelled) }
                return response
            }
        }

        private static func request(
            _ message: RequestMessage, baseURL: String, timeout: Duration
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
            // URLSession's own time-out is about silence: it must not come first.
            request.timeoutInterval = TimeInterval(timeout.components.seconds) + 60
            return request
        }
    }
#endif
