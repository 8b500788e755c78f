import EventLoop

/// Further connections, made when needed and up to a bound, each lent to one holder at a time. Inside turns of its loop
/// only.
final class LeasedConnections: ConnectionDelegate {
    /// Someone who waits for a connection.
    final class Request: @unchecked Sendable {
        // Invariant: touched only inside turns of the pool's loop; the caller's task only keeps it.
        fileprivate var completion: ((Result<Connection, PostgresError>) -> Void)?
        fileprivate var deadline = ContinuousClock.Instant.now
        fileprivate var isCancelled = false

        fileprivate func end(_ result: Result<Connection, PostgresError>) {
            let completion = completion
            self.completion = nil
            completion?(result)
        }
    }

    private let connector: Connector
    private var idle: [(connection: Connection, since: ContinuousClock.Instant)] = []
    private var requests: [Request] = []
    private var lent = 0
    private var connecting = 0
    private var backoff: Backoff
    private var isWaiting = false
    private var isClosed = false

    init(connector: Connector) {
        self.connector = connector
        backoff = Backoff(connector.configuration.reconnectDelay)
    }

    /// Whether nobody holds or awaits a connection.
    var isUnused: Bool { lent == 0 && requests.isEmpty }

    /// Asks for a connection; the completion may be called at once.
    func lease(_ request: Request, _ completion: @escaping (Result<Connection, PostgresError>) -> Void) {
        guard !isClosed else { return completion(.failure(PostgresError(.closed))) }
        guard !request.isCancelled else { return completion(.failure(PostgresError(.cancelled))) }
        guard requests.count < connector.configuration.waitingLimit else {
            return completion(.failure(PostgresError(.queueFull)))
        }
        request.completion = completion
        request.deadline = connector.loop.now.advanced(by: connector.configuration.queueTimeout)
        requests.append(request)
        serve()
    }

    /// Takes a request back.
    func cancel(_ request: Request) {
        request.isCancelled = true
        requests.removeAll { $0 === request }
        request.end(.failure(PostgresError(.cancelled)))
    }

    /// Takes a connection back: free and clean, or closed.
    func release(_ connection: Connection) {
        lent -= 1
        if isClosed || !connection.isFree {
            connection.close()
        } else {
            connection.delegate = self
            idle.append((connection, connector.loop.now))
        }
        serve()
    }

    /// Refuses those who have waited too long and closes what nobody has used for long.
    func tick(_ now: ContinuousClock.Instant) {
        for request in requests where request.deadline <= now {
            var error = PostgresError(.queueTimeout)
            error.serverMessage = connector.lastError?.serverMessage
            request.end(.failure(error))
        }
        requests.removeAll { $0.completion == nil }
        let timeout = connector.configuration.leasedConnectionIdleTimeout
        for entry in idle where entry.since.duration(to: now) > timeout { entry.connection.close() }
        idle.removeAll { $0.connection.isClosed }
    }

    /// Closes what is idle and refuses who waits; what is lent is closed when it comes back.
    func close() {
        isClosed = true
        let (requests, idle) = (requests, idle)
        self.requests = []
        self.idle = []
        for request in requests { request.end(.failure(PostgresError(.closed))) }
        for entry in idle { entry.connection.close() }
    }

    private func serve() {
        while !requests.isEmpty {
            guard let (connection, _) = idle.popLast() else { break }
            guard connection.isFree else { continue }
            lend(connection)
        }
        let limit = connector.configuration.leasedConnectionsPerLoop
        while !isWaiting, connecting < requests.count, lent + idle.count + connecting < limit { open() }
    }

    private func lend(_ connection: Connection) {
        lent += 1
        connection.delegate = nil
        requests.removeFirst().end(.success(connection))
    }

    private func open() {
        connecting += 1
        connector.connect { [weak self] result in
            guard let self else { return }
            connecting -= 1
            switch result {
            case .success(let connection):
                backoff.succeeded()
                guard !isClosed else { return connection.close() }
                connection.delegate = self
                idle.append((connection, connector.loop.now))
                serve()
            case .failure:
                guard !isWaiting else { return }
                isWaiting = true
                connector.loop.schedule(after: backoff.failed()) { [weak self] in
                    self?.isWaiting = false
                    self?.serve()
                }
            }
        }
    }

    // MARK: ConnectionDelegate, of idle connections

    func connectionOpened(_ connection: Connection) {}
    func connectionFailed(_ connection: Connection, _ error: PostgresError) {}
    func connectionFreed(_ connection: Connection) {}
    func connectionLost(_ connection: Connection, _ error: PostgresError) {
        idle.removeAll { $0.connection === connection }
    }
}
