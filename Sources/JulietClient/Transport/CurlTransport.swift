#if canImport(CCurl)
    /// Carries requests over libcurl: Linux's transport.
    ///
    /// It keeps nothing but connections: no cookies, no cache, no credentials. It follows no redirect, because that would
    /// send the request's credentials and content to whatever address the answer names: a 3xx is an answer like any
    /// other.
    public final class CurlTransport: StreamingTransport {
        private let exchanges: CurlExchanges

        /// Makes a transport with connections of its own, which close when it is released.
        ///
        /// - Parameter maximumResponseSize: How many bytes an answer may have, head and decompressed content together;
        ///   default 8 MiB. A larger one is `ClientError` `.tooLarge`. It does not limit streams, of which only what is
        ///   unread counts.
        public init(maximumResponseSize: Int = HTTPResponse.maximumSize) {
            exchanges = CurlExchanges(limit: maximumResponseSize)
        }

        /// Sends one attempt and waits for its answer, or for the time-out, or for the task's cancellation.
        ///
        /// - Throws: `ClientError`, `.tooLarge` for an answer above the limit.
        public func send(_ message: RequestMessage, to baseURL: String, timeout: Duration) async throws -> HTTPResponse
        {
            try message.checkGrammar()
            let url = try message.url(baseURL: baseURL)
            return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                group.addTask { try await self.exchanges.response(to: message, at: url) }
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

        /// Sends one attempt, and streams its answer. Releasing the stream closes the connection.
        ///
        /// - Parameters:
        ///   - message: What to send, with the additions of the `prepare` hook.
        ///   - baseURL: Where to; `message.options.host` replaces it.
        ///   - timeout: How long the server may be silent.
        /// - Throws: `ClientError`, the stream too.
        public func stream(
            _ message: RequestMessage, to baseURL: String, timeout: Duration
        ) throws -> AsyncThrowingStream<ResponsePart, any Error> {
            try message.checkGrammar()
            return exchanges.stream(message, at: try message.url(baseURL: baseURL), silence: timeout)
        }
    }
#endif
