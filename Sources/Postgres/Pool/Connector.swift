import EventLoop

/// Makes connections: looks names up, then tries one address after the other. Inside turns of its loop only.
final class Connector {
    private let loop: EventLoop
    private let configuration: PostgresConfiguration
    private let settings: ConnectionSettings
    private let onNotice: (PostgresNotice) -> Void
    private var addresses = KnownAddresses()

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

    /// Does what a ``ConnectAttempt`` decides.
    final class Attempt: ConnectionOpener {
        private let connector: Connector
        private var completion: Completion?
        private var state: ConnectAttempt?
        fileprivate var timer: ScheduledTimer?
        private var roads: [ConnectAttempt.Road: Connection] = [:]
        /// The attempt keeps itself until it is over.
        private var me: Attempt?

        fileprivate init(_ connector: Connector, _ completion: @escaping Completion) {
            self.connector = connector
            self.completion = completion
            me = self
        }

        /// Gives up; the completion is not called.
        func cancel() {
            completion = nil
            close()
        }

        fileprivate var isOver: Bool { completion == nil }

        /// - Parameter settings: All addresses, names resolved.
        fileprivate func begin(_ settings: ConnectionSettings) {
            var state = ConnectAttempt(settings)
            let actions = state.begin(&connector.addresses)
            self.state = state
            perform(actions)
        }

        fileprivate func end(_ result: Result<Connection, PostgresError>) {
            let completion = completion
            self.completion = nil
            close()
            completion?(result)
        }

        func connectionOpened(_ connection: Connection) {
            guard let road = road(of: connection) else { return }
            perform(state?.opened(road, at: connection.handle.address, &connector.addresses))
        }

        func connectionFailed(_ connection: Connection, _ error: PostgresError) {
            guard let road = road(of: connection) else { return }
            roads[road] = nil
            perform(state?.failed(road, error, at: connection.failedAddress, &connector.addresses))
        }

        private func perform(_ actions: [ConnectAttempt.Action]?) {
            for action in actions ?? [] where !isOver {
                switch action {
                case .open(let road, let settings): open(road, settings)
                case .wait:
                    let delay = connector.configuration.reconnectDelay.upperBound
                    timer = connector.loop.schedule(after: delay) { [self] in perform(state?.waited()) }
                case .end(.success(let road)):
                    guard let connection = roads.removeValue(forKey: road) else { return }
                    connection.opener = nil
                    end(.success(connection))
                case .end(.failure(let error)): end(.failure(error))
                }
            }
        }

        private func open(_ road: ConnectAttempt.Road, _ settings: ConnectionSettings) {
            let connection = Connection(
                settings: settings, configuration: connector.configuration, loop: connector.loop)
            connection.handle.receiveNotices(connector.onNotice)
            connection.opener = self
            roads[road] = connection
            connection.start()
        }

        private func road(of connection: Connection) -> ConnectAttempt.Road? {
            roads.first { $0.value === connection }?.key
        }

        private func close() {
            timer?.cancel()
            let closed = roads.values
            roads = [:]
            for connection in closed { connection.close() }
            me = nil
        }
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
        var settings = settings
        if let preferred = addresses.preferred { settings.rotate(to: preferred) }
        attempt.begin(settings)
    }
}

extension PostgresError {
    /// The error of an attempt to connect that met with silence.
    static func silence(_ reason: String) -> PostgresError { PostgresError(.connectionFailed, reason: reason) }

    /// Whether an attempt to connect met with silence.
    var isSilence: Bool { code == .connectionFailed && reason != nil }
}
