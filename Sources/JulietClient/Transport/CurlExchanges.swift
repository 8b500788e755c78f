#if canImport(CCurl)
    import CCurl
    import Dispatch
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The exchanges of a transport, driven by libcurl's multi interface on a queue of their own while there are any:
    /// none of Swift's threads waits for a socket.
    final class CurlExchanges: @unchecked Sendable {
        // Invariant: `running` is touched by `loop` alone, which runs once at a time; of `multi`, elsewhere only
        // `curl_multi_wakeup` is called, which any thread may.

        private struct Changes {
            var arriving: [CurlExchange] = []
            var leaving: [CurlExchange] = []
            var isLooping = false
        }

        private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

        private let multi: UnsafeMutableRawPointer?
        private var running: [ObjectIdentifier: CurlExchange] = [:]
        private let changes = Mutex(Changes())
        private let queue = DispatchQueue(label: "juliet.client.curl")
        private let limit: Int

        /// - Parameter limit: How many bytes an answer may have, decoded.
        init(limit: Int) {
            self.limit = limit
            multi = Self.isReady ? curl_multi_init() : nil
        }

        deinit { if let multi { curl_multi_cleanup(multi) } }

        /// Sends a request and waits for its answer.
        ///
        /// - Throws: `ClientError`; `.cancelled` at once, whatever libcurl still has to do.
        func response(to message: RequestMessage, at url: String) async throws -> HTTPResponse {
            let exchange = CurlExchange(message, url: url, limit: limit)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let isNew = exchange.begin { result in
                        continuation.resume(with: result.mapError { $0 as any Error })
                    }
                    if isNew { change { $0.arriving.append(exchange) } }
                }
            } onCancel: {
                giveUp(exchange)
            }
        }

        /// Sends a request and streams its answer. Releasing the stream cancels the request.
        func stream(
            _ message: RequestMessage, at url: String, silence: Duration
        ) -> AsyncThrowingStream<ResponsePart, any Error> {
            AsyncThrowingStream(bufferingPolicy: .bufferingOldest(ResponsePart.maximumUnread)) { continuation in
                let stream = CurlExchange.Stream(silence: silence) { part in
                    if case .dropped = continuation.yield(part) { false } else { true }
                }
                let exchange = CurlExchange(message, url: url, limit: limit, stream: stream)
                continuation.onTermination = { _ in self.giveUp(exchange) }
                let isNew = exchange.begin { result in
                    switch result {
                    case .success: continuation.finish()
                    case .failure(let error): continuation.finish(throwing: error)
                    }
                }
                if isNew { change { $0.arriving.append(exchange) } }
            }
        }

        private func giveUp(_ exchange: CurlExchange) {
            if exchange.end(.failure(ClientError(.cancelled))) { change { $0.leaving.append(exchange) } }
        }

        private func change(_ body: (inout sending Changes) -> Void) {
            let isLooping = changes.withLock { changes in
                body(&changes)
                defer { changes.isLooping = true }
                return changes.isLooping
            }
            if !isLooping {
                queue.async { self.loop() }
            } else if let multi {
                curl_multi_wakeup(multi)
            }
        }

        // MARK: The loop

        private func loop() {
            let signals = BrokenPipes()
            defer { signals.unblock() }
            while takeChanges() {
                guard let multi else { continue }
                var count: Int32 = 0
                curl_multi_perform(multi, &count)
                endThoseDone(in: multi)
                endTheSilent()
                // The one that ended may be the last.
                if !running.isEmpty { curl_multi_poll(multi, nil, 0, patience, nil) }
            }
        }

        /// Adds new exchanges and removes cancelled ones.
        ///
        /// - Returns: Whether there is anything to do; if not, the loop has ended.
        private func takeChanges() -> Bool {
            let (arriving, leaving) = changes.withLock { changes in
                defer {
                    changes.arriving = []
                    changes.leaving = []
                }
                if changes.arriving.isEmpty, changes.leaving.isEmpty, running.isEmpty { changes.isLooping = false }
                return (changes.arriving, changes.leaving)
            }
            for exchange in arriving where !exchange.isEnded {
                guard let multi, let easy = exchange.makeHandle(), curl_multi_add_handle(multi, easy) == CURLM_OK else {
                    exchange.freeHandle()
                    _ = exchange.end(.failure(ClientError(.other)))
                    continue
                }
                running[ObjectIdentifier(exchange)] = exchange
            }
            for exchange in leaving { remove(exchange) }
            return !running.isEmpty || !arriving.isEmpty || !leaving.isEmpty
        }

        private func endThoseDone(in multi: UnsafeMutableRawPointer) {
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left) {
                guard message.pointee.msg == CURLMSG_DONE else { continue }
                let code = message.pointee.data.result
                var pointer: UnsafeMutablePointer<CChar>?
                juliet_curl_get_exchange(message.pointee.easy_handle, &pointer)
                guard let pointer else { continue }
                let exchange = Unmanaged<CurlExchange>.fromOpaque(pointer).takeUnretainedValue()
                let result = exchange.result(code)
                remove(exchange)
                _ = exchange.end(result)
            }
        }

        private func endTheSilent() {
            let now = ContinuousClock.now
            for exchange in running.values {
                guard let end = exchange.silenceEnd, end <= now else { continue }
                remove(exchange)
                _ = exchange.end(.failure(ClientError(.timedOut)))
            }
        }

        /// How long the loop may sleep, in milliseconds.
        private var patience: Int32 {
            guard let end = running.values.compactMap(\.silenceEnd).min() else { return 60_000 }
            let rest = min(max(end - ContinuousClock.now, .zero), .seconds(60)).components
            return Int32(rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000) + 1
        }

        private func remove(_ exchange: CurlExchange) {
            guard running.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
            if let multi, let easy = exchange.handle { curl_multi_remove_handle(multi, easy) }
            exchange.freeHandle()
        }
    }

    /// Blocks SIGPIPE on this thread, the signal for writing to a closed connection: the call's result says the same.
    private struct BrokenPipes {
        private var signal = sigset_t()
        private var before = sigset_t()

        init() {
            sigemptyset(&signal)
            sigaddset(&signal, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signal, &before)
        }

        func unblock() {
            var (signal, before) = (signal, before)
            var none = timespec()
            while sigtimedwait(&signal, nil, &none) == SIGPIPE {}
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
    }
#endif
