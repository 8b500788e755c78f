import EventLoop

/// Makes connections: looks names up, then tries one address after the other. Inside turns of its loop only.
final class Connector {
    private let loop: EventLoop
    private let configuration: PostgresConfiguration
    private let settings: ConnectionSettings
    private let onNotice: (PostgresNotice) -> Void
    /// The address that answered last: it is tried first, so that a silent neighbour costs its time only once.
    private var preferred: ConnectionSettings.Address?

    init(
        loop: EventLoop, configuration: PostgresConfiguration, settings: ConnectionSettings,
        onNotice: @escaping (PostgresNotice) -> Void
    ) {
        self.loop = loop
        self.configuration = configuration
        self.settings = settings
        self.onNotice = onNotice
    }

    typealias Completion = (Result<Connection, PostgresError>) -> Void

    /// Makes a connection, after a wait. The completion is called once, unless the attempt is cancelled.
    func connect(after delay: Duration = .zero, _ completion: @escaping Completion) -> Attempt {
        let attempt = Attempt(self, completion)
        if delay > .zero {
            attempt.timer = loop.schedule(after: delay) { [self] in resolve(for: attempt) }
        } else {
            resolve(for: attempt)
        }
        return attempt
    }

    /// One try to get a connection, over all addresses.
    final class Attempt: ConnectionDelegate {
        private let connector: Connector
        private var completion: Completion?
        fileprivate var settings: ConnectionSettings
        /// How many addresses are left to begin with.
        fileprivate var left = 0
        fileprivate var timer: ScheduledTimer?
        private var connection: Connection?
        /// The attempt keeps itself until it is over.
        private var me: Attempt?

        fileprivate init(_ connector: Connector, _ completion: @escaping Completion) {
            self.connector = connector
            self.completion = completion
            settings = connector.settings
            me = self
        }

        /// Gives up; the completion is not called.
        func cancel() {
            completion = nil
            timer?.cancel()
            connection?.close()
            connection = nil
            me = nil
        }

        fileprivate var isOver: Bool { completion == nil }

        fileprivate func open() {
            let connection = Connection(
                settings: settings, configuration: connector.configuration, loop: connector.loop)
            connection.handle.receiveNotices(connector.onNotice)
            connection.delegate = self
            self.connection = connection
            connection.start()
        }

        fileprivate func end(_ result: Result<Connection, PostgresError>) {
            let completion = completion
            self.completion = nil
            timer?.cancel()
            connection = nil
            me = nil
            completion?(result)
        }

        func connectionOpened(_ connection: Connection) {
            connection.delegate = nil
            connector.preferred = connection.handle.address
            end(.success(connection))
        }

        func connectionFailed(_ connection: Connection, _ error: PostgresError) {
            left -= 1
            // Silence of one address is no reason not to try the next; everything else libpq has tried itself.
            guard error.isSilence, left > 0, !isOver else { return end(.failure(error)) }
            settings.rotate()
            open()
        }

        func connectionFreed(_ connection: Connection) {}
        func connectionLost(_ connection: Connection, _ error: PostgresError) {}
    }

    private func resolve(for attempt: Attempt) {
        guard settings.needsResolution else { return begin(attempt, settings) }
        // The name service may be silent, too.
        attempt.timer = loop.schedule(after: configuration.connectTimeout) { [configuration] in
            attempt.end(.failure(.silence("no address within \(configuration.connectTimeout)")))
        }
        let (loop, settings) = (loop, settings)
        let confined = Confined((self, attempt), to: loop)
        Task {
            // Anew for every attempt: a failover may have moved the name.
            let resolved = await settings.resolvedOffLoop()
            loop.execute {
                let (connector, attempt) = confined.value
                connector.begin(attempt, resolved)
            }
        }
    }

    private func begin(_ attempt: Attempt, _ settings: ConnectionSettings) {
        guard !attempt.isOver else { return }
        attempt.timer?.cancel()
        guard settings.hostCount > 0 else {
            var error = PostgresError(.connectionFailed)
            error.serverMessage = "the name service knows no address of the host"
            return attempt.end(.failure(error))
        }
        attempt.settings = settings
        if let preferred { attempt.settings.rotate(to: preferred) }
        attempt.left = max(1, settings.hostCount)
        attempt.open()
    }
}

extension PostgresError {
    /// The error of an attempt to connect that met with silence.
    static func silence(_ reason: String) -> PostgresError { PostgresError(.connectionFailed, reason: reason) }

    /// Whether an attempt to connect met with silence.
    var isSilence: Bool { code == .connectionFailed && reason != nil }
}
