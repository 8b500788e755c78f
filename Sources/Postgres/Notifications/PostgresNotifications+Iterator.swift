import EventLoop

extension PostgresNotifications {
    /// One iteration. Letting go of it closes its session.
    public struct Iterator: AsyncIteratorProtocol {
        private let options: PostgresNotifications
        private let configuration: PostgresConfiguration
        private let loop: EventLoop
        private let listen: String
        private var failure: PostgresError?
        private let inbox: Confined<NotificationInbox>
        private var connection: PostgresConnection?
        private var backoff: Backoff
        /// Whether an attempt was made before, so that the next one waits.
        private var hasTried = false
        private var hasListened = false
        private var isOver = false

        init(
            _ options: PostgresNotifications, configuration: PostgresConfiguration, loop: EventLoop, listen: String,
            failure: PostgresError?
        ) {
            self.options = options
            self.configuration = configuration
            self.loop = loop
            self.listen = listen
            self.failure = failure
            inbox = Confined(NotificationInbox(limit: options.bufferLimit), to: loop)
            backoff = Backoff(configuration.reconnectDelay)
        }

        /// Waits for the next element.
        ///
        /// - Returns: `nil` once the task has been cancelled; the session is closed then.
        /// - Throws: ``PostgresError`` `.misuse` or `.configuration`, once; `nil` follows.
        public mutating func next() async throws(PostgresError) -> PostgresNotificationEvent? {
            if let failure {
                self.failure = nil
                isOver = true
                throw failure
            }
            while !isOver, !Task.isCancelled {
                guard let connection else {
                    try await connect()
                    continue
                }
                switch await wake() {
                case .event(let event): return event
                case .lost: await giveUp(connection, PostgresError(.notSent, reason: "the connection was lost"))
                case .idle: await probe(connection)
                case .cancelled: isOver = true
                }
            }
            isOver = true
            await connection?.close()
            connection = nil
            return nil
        }

        /// Makes one attempt to connect and listen.
        private mutating func connect() async throws(PostgresError) {
            if hasTried, (try? await Task.sleep(for: backoff.failed())) == nil { return }
            hasTried = true
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(configuration, on: loop)
                let inbox = inbox
                await connection.onLoop { inbox.value.attach($0.connection) }
                try await connection.executeScript(listen, timeout: configuration.connectTimeout)
                let cause: PostgresNotificationEvent.Cause = hasListened ? .reconnected : .connected
                await connection.onLoop { _ in inbox.value.announce(cause) }
                self.connection = connection
                hasListened = true
                backoff.succeeded()
            } catch {
                if error.code == .configuration {
                    isOver = true
                    throw error
                }
                if error.code != .cancelled { options.onFailure(error) }
            }
        }

        private func wake() async -> NotificationInbox.Wake {
            let (inbox, limit) = (inbox, options.probeInterval)
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    inbox.loop.execute { inbox.value.wait(atMost: limit) { continuation.resume(returning: $0) } }
                }
            } onCancel: {
                inbox.loop.execute { inbox.value.cancel() }
            }
        }

        /// Asks the server whether it is there.
        private mutating func probe(_ connection: PostgresConnection) async {
            do throws(PostgresError) {
                try await connection.executeScript("", timeout: options.probeTimeout)
            } catch {
                if error.code != .cancelled { await giveUp(connection, error) }
            }
        }

        private mutating func giveUp(_ connection: PostgresConnection, _ error: PostgresError) async {
            await connection.close()
            self.connection = nil
            options.onFailure(error)
        }
    }
}
