import EventLoop

/// Makes connections, one attempt at a time for each who asks. Inside turns of its loop only.
final class Connector {
    let loop: EventLoop
    let configuration: PostgresConfiguration
    private var settings: ConnectionSettings
    /// Why the last attempt failed, if it did.
    private(set) var lastError: PostgresError?

    init(loop: EventLoop, configuration: PostgresConfiguration, settings: ConnectionSettings) {
        self.loop = loop
        self.configuration = configuration
        self.settings = settings
    }

    /// Makes one attempt.
    func connect(_ completion: @escaping (Result<Connection, PostgresError>) -> Void) {
        guard settings.needsResolution else { return open(settings, completion) }
        let (loop, settings) = (loop, settings)
        let me = Confined((self, completion), to: loop)
        Task {
            // Anew for every attempt: a failover may have moved the name.
            let resolved = await settings.resolvedOffLoop()
            loop.execute { me.value.0.open(resolved, me.value.1) }
        }
    }

    private func open(
        _ settings: ConnectionSettings, _ completion: @escaping (Result<Connection, PostgresError>) -> Void
    ) {
        let connection = Connection(settings: settings, configuration: configuration, loop: loop)
        // The attempt is kept by its own completion until it is over.
        var attempt: Attempt?
        attempt = Attempt { [self] result in
            _ = attempt
            attempt = nil
            if case .failure(let error) = result {
                lastError = error
                if error.reason != nil { self.settings.rotate() }
            } else {
                lastError = nil
            }
            completion(result)
        }
        connection.delegate = attempt
        connection.start()
    }

    private final class Attempt: ConnectionDelegate {
        private var completion: ((Result<Connection, PostgresError>) -> Void)?

        init(_ completion: @escaping (Result<Connection, PostgresError>) -> Void) { self.completion = completion }

        func connectionOpened(_ connection: Connection) { end(.success(connection)) }
        func connectionFailed(_ connection: Connection, _ error: PostgresError) { end(.failure(error)) }
        func connectionFreed(_ connection: Connection) {}
        func connectionLost(_ connection: Connection, _ error: PostgresError) { end(.failure(error)) }

        private func end(_ result: Result<Connection, PostgresError>) {
            let completion = completion
            self.completion = nil
            completion?(result)
        }
    }
}
