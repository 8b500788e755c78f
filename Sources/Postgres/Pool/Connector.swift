import EventLoop

/// Makes connections: looks names up, then tries one address after the other. Inside turns of its loop only.
final class Connector {
    private let loop: EventLoop
    private let configuration: PostgresConfiguration
    private let settings: ConnectionSettings
    private let onNotice: (PostgresNotice) -> Void
    /// The address that answered last: it is tried first, so that a silent neighbour costs its time only once.
    private var preferred: ConnectionSettings.Address?
    /// The addresses that were silent since one last answered: the others need not wait for them any more.
    private var silent: [ConnectionSettings.Address] = []

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
    ///
    /// Addresses known to be silent are tried beside the others. As long as they are, the others are asked again and again: a
    /// standby that refuses takes over when the silent primary is given up, and must not be found only after that.
    final class Attempt: ConnectionDelegate {
        private let connector: Connector
        private var completion: Completion?
        fileprivate var settings: ConnectionSettings
        fileprivate var timer: ScheduledTimer?
        private var connection: Connection?
        /// To the addresses that are known to be silent.
        private var probe: Connection?
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
            close()
            me = nil
        }

        fileprivate var isOver: Bool { completion == nil }

        fileprivate func begin() {
            guard let others = settings.hosts(notAmong: connector.silent) else {
                // None is left to be preferred to them.
                connector.silent = []
                return open()
            }
            let probe = settings.hosts(among: connector.silent).map(make)
            self.probe = probe
            settings = others
            open()
            if !isOver { probe?.start() }
        }

        private func open() {
            let connection = make(settings)
            self.connection = connection
            connection.start()
        }

        private func make(_ settings: ConnectionSettings) -> Connection {
            let connection = Connection(
                settings: settings, configuration: connector.configuration, loop: connector.loop)
            connection.handle.receiveNotices(connector.onNotice)
            connection.delegate = self
            return connection
        }

        private func close() {
            timer?.cancel()
            connection?.close()
            connection = nil
            probe?.close()
            probe = nil
        }

        fileprivate func end(_ result: Result<Connection, PostgresError>) {
            let completion = completion
            self.completion = nil
            close()
            me = nil
            completion?(result)
        }

        func connectionOpened(_ connection: Connection) {
            connection.delegate = nil
            if connection === self.connection { self.connection = nil } else { probe = nil }
            connector.preferred = connection.handle.address
            connector.silent = []
            end(.success(connection))
        }

        func connectionFailed(_ connection: Connection, _ error: PostgresError) {
            guard !isOver else { return }
            if error.isSilence, let address = connection.failedAddress, !connector.silent.contains(address) {
                connector.silent.append(address)
            }
            if connection === probe {
                probe = nil
                // The others refuse: whoever wants a connection hears it, and asks again.
                if self.connection == nil { end(.failure(error)) }
                return
            }
            self.connection = nil
            // Silence of one address is no reason not to try the next; everything else libpq has tried itself.
            if error.isSilence, let others = settings.hosts(notAmong: connector.silent) {
                settings = others
                open()
            } else if probe != nil {
                timer = connector.loop.schedule(after: connector.configuration.reconnectDelay.upperBound) { [self] in
                    open()
                }
            } else {
                end(.failure(error))
            }
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
        attempt.begin()
    }
}

extension PostgresError {
    /// The error of an attempt to connect that met with silence.
    static func silence(_ reason: String) -> PostgresError { PostgresError(.connectionFailed, reason: reason) }

    /// Whether an attempt to connect met with silence.
    var isSilence: Bool { code == .connectionFailed && reason != nil }
}
