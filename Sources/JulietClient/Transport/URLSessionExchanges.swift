#if canImport(Darwin)
    import Foundation

    /// The requests a URLSession has under way, and who waits for each: the session's delegate.
    ///
    /// Not the session's own `async` functions: their answer may come after the end of a cancelled task.
    final class URLSessionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        private struct Exchange {
            let continuation: CheckedContinuation<HTTPResponse, any Error>
            var body: [UInt8] = []
        }

        // Invariant: `exchanges` is touched only while `lock` is held.
        private var exchanges: [Int: Exchange] = [:]
        private let lock = NSLock()

        /// Sends a request and waits for its answer.
        ///
        /// - Throws: `ClientError`; `.cancelled` at once, whatever URLSession still has to do.
        func response(to request: URLRequest, in session: URLSession) async throws -> HTTPResponse {
            let task = session.dataTask(with: request)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    if !start(task, continuation) {
                        continuation.resume(throwing: ClientError(.cancelled))
                    }
                }
            } onCancel: {
                if let exchange = take(task) {
                    exchange.continuation.resume(throwing: ClientError(.cancelled))
                    task.cancel()
                }
            }
        }

        /// Starts a task unless it was cancelled before. The lock makes a cancellation that comes later find it started.
        private func start(_ task: URLSessionDataTask, _ continuation: CheckedContinuation<HTTPResponse, any Error>)
            -> Bool
        {
            lock.withLock {
                guard !Task.isCancelled else { return false }
                exchanges[task.taskIdentifier] = Exchange(continuation: continuation)
                task.resume()
                return true
            }
        }

        /// Takes an exchange out, to end it; nil if that was done before.
        private func take(_ task: URLSessionTask) -> Exchange? {
            lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
        }

        private func end(_ task: URLSessionTask, with response: URLResponse?) {
            guard let exchange = take(task) else { return }
            guard let response = response as? HTTPURLResponse else {
                exchange.continuation.resume(throwing: ClientError(.notHTTP))
                return
            }
            let headers = response.allHeaderFields.compactMap { name, value -> HeaderField? in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HeaderField(name, value)
            }
            exchange.continuation.resume(
                returning: HTTPResponse(status: response.statusCode, headers: headers, body: exchange.body))
        }

        // MARK: What the session tells

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            lock.withLock { exchanges[dataTask.taskIdentifier]?.body.append(contentsOf: data) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            if let error {
                take(task)?.continuation.resume(throwing: ClientError(transport: error))
            } else {
                end(task, with: task.response)
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
