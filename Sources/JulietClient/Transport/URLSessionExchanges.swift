#if canImport(Darwin)
    import Foundation

    /// The requests a URLSession has under way, and who waits for each: the session's delegate.
    ///
    /// Not the session's own `async` functions: their answer may come after the end of a cancelled task.
    final class URLSessionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        private struct Exchange {
            /// Receives the answer as a stream, and returns false if the reader is too far behind; nil: the answer is delivered
            /// as a whole.
            var stream: (@Sendable (ResponsePart) -> Bool)?
            /// Is told how it ended, once.
            let completion: @Sendable (Result<HTTPResponse, ClientError>) -> Void
            var body: [UInt8] = []
            /// The session waits for a network (`waitsForConnectivity`), or did.
            var hasWaited = false
        }

        // Invariant: `exchanges` is touched only while `lock` is held; `delegate` never changes.
        private var exchanges: [Int: Exchange] = [:]
        private let lock = NSLock()
        private let delegate: (any URLSessionDelegate)?
        private let limit: Int

        /// - Parameters:
        ///   - delegate: Is told what is not answered here.
        ///   - limit: How many bytes the content of an answer may have, decoded; not of a stream.
        init(forwardingTo delegate: (any URLSessionDelegate)?, limit: Int) {
            self.delegate = delegate
            self.limit = limit
            super.init()
        }

        // MARK: The app's delegate

        override func responds(to selector: Selector!) -> Bool {
            super.responds(to: selector) || delegate?.responds(to: selector) == true
        }

        override func forwardingTarget(for selector: Selector!) -> Any? {
            delegate?.responds(to: selector) == true ? delegate : super.forwardingTarget(for: selector)
        }

        // MARK: Exchanges

        /// Starts a task and waits for its answer.
        ///
        /// - Throws: `ClientError`; `.cancelled` at once, whatever URLSession still has to do.
        func response(to task: URLSessionDataTask) async throws -> HTTPResponse {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let exchange = Exchange(completion: { result in
                        continuation.resume(with: result.mapError { $0 as any Error })
                    })
                    if !start(task, exchange) {
                        task.cancel()
                        continuation.resume(throwing: ClientError(.cancelled))
                    }
                }
            } onCancel: {
                giveUp(task)
            }
        }

        /// Sends a request and streams its answer. Releasing the stream cancels the request.
        func stream(
            _ request: URLRequest, in session: URLSession
        ) -> AsyncThrowingStream<ResponsePart, any Error> {
            AsyncThrowingStream(bufferingPolicy: .bufferingOldest(ResponsePart.maximumUnread)) { continuation in
                let task = session.dataTask(with: request)
                continuation.onTermination = { _ in self.giveUp(task) }
                let exchange = Exchange(
                    stream: { part in
                        if case .dropped = continuation.yield(part) { false } else { true }
                    },
                    completion: { result in
                        switch result {
                        case .success: continuation.finish()
                        case .failure(let error): continuation.finish(throwing: error)
                        }
                    })
                if !start(task, exchange) {
                    task.cancel()
                    continuation.finish(throwing: ClientError(.cancelled))
                }
            }
        }

        /// Starts a task unless it was cancelled before. The lock makes a cancellation that comes later find it started.
        private func start(_ task: URLSessionDataTask, _ exchange: Exchange) -> Bool {
            lock.withLock {
                guard !Task.isCancelled else { return false }
                exchanges[task.taskIdentifier] = exchange
                task.resume()
                return true
            }
        }

        private func giveUp(_ task: URLSessionTask, _ code: ClientError.Code = .cancelled) {
            guard let exchange = take(task) else { return }
            exchange.completion(.failure(ClientError(code)))
            task.cancel()
        }

        /// What it means that a task has taken too long: the session may have waited for a network all the time.
        func lateness(of task: URLSessionTask) -> ClientError.Code {
            let hasWaited = lock.withLock { exchanges[task.taskIdentifier]?.hasWaited == true }
            return Self.lateness(of: task, hasWaited: hasWaited)
        }

        /// A request that may change something was not sent if none of its content was; one without content may have been.
        private static func lateness(of task: URLSessionTask, hasWaited: Bool) -> ClientError.Code {
            let isRead = ["GET", "HEAD"].contains(task.originalRequest?.httpMethod ?? "")
            let hasContent = task.originalRequest?.httpBody?.isEmpty == false
            guard hasWaited, task.response == nil, task.countOfBytesSent == 0, isRead || hasContent else {
                return .timedOut
            }
            return .noNetwork
        }

        /// Takes an exchange out, to end it; nil if that was done before.
        private func take(_ task: URLSessionTask) -> Exchange? {
            lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
        }

        private static func head(of response: HTTPURLResponse) -> HTTPResponse {
            let headers = response.allHeaderFields.compactMap { name, value -> HeaderField? in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HeaderField(name, value)
            }
            return HTTPResponse(status: response.statusCode, headers: headers)
        }

        // MARK: What the session tells

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            let stream = lock.withLock { exchanges[dataTask.taskIdentifier]?.stream }
            if let stream, let response = response as? HTTPURLResponse { _ = stream(.head(Self.head(of: response))) }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            lock.withLock { exchanges[task.taskIdentifier]?.hasWaited = true }
            (delegate as? any URLSessionTaskDelegate)?.urlSession?(session, taskIsWaitingForConnectivity: task)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            // The data is decoded already.
            let (stream, size) = lock.withLock {
                let stream = exchanges[dataTask.taskIdentifier]?.stream
                if stream == nil { exchanges[dataTask.taskIdentifier]?.body.append(contentsOf: data) }
                return (stream, exchanges[dataTask.taskIdentifier]?.body.count ?? 0)
            }
            let isTaken = stream?(.content(Array(data))) ?? (size <= limit)
            if !isTaken { giveUp(dataTask, .tooLarge) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let exchange = take(task) else { return }
            if let error {
                var failure = ClientError(transport: error)
                // Whoever gives up takes the exchange out before: the app's delegate has refused a challenge, such as a certificate.
                if failure.code == .cancelled { failure.code = .other }
                if failure.code == .timedOut {
                    failure.code = Self.lateness(of: task, hasWaited: exchange.hasWaited)
                }
                exchange.completion(.failure(failure))
            } else if let response = task.response as? HTTPURLResponse {
                var whole = Self.head(of: response)
                whole.body = exchange.body
                exchange.completion(.success(whole))
            } else {
                exchange.completion(.failure(ClientError(.notHTTP)))
            }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }
#endif
