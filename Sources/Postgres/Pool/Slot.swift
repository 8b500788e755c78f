import EventLoop

/// A place in a lane that always has a connection, or is getting one. Inside turns of its loop only.
final class Slot: ConnectionDelegate {
    private let connector: Connector
    private(set) var connection: Connection?
    private var backoff: Backoff
    private var retireAt: ContinuousClock.Instant
    private var isReplacing = false
    /// The connection that takes over from one that has grown old, between two batches.
    private var successor: Connection?
    private var isClosed = false

    /// What is under way.
    var batch: Batch?
    /// What a failed batch has left behind: it runs next, each statement by itself.
    var redo: [Submission] = []

    init(connector: Connector) {
        self.connector = connector
        backoff = Backoff(connector.configuration.reconnectDelay)
        retireAt = .now
    }

    /// The connection, if a batch can begin on it.
    var free: Connection? {
        guard batch == nil, let connection, connection.isFree else { return nil }
        guard let successor, successor.isFree else { return connection }
        self.successor = nil
        connection.close()
        take(successor)
        return successor
    }

    /// Makes the connection, and again whenever it is lost.
    func connect() {
        connector.connect { [weak self] result in
            guard let self, !isClosed else {
                if case .success(let connection) = result { connection.close() }
                return
            }
            switch result {
            case .success(let connection):
                backoff.succeeded()
                take(connection)
            case .failure:
                connector.loop.schedule(after: backoff.failed()) { [weak self] in
                    guard let self, !isClosed else { return }
                    connect()
                }
            }
        }
    }

    /// Replaces a connection that has grown old: the next one first, then the old one between two batches.
    func retire(ifDueAt now: ContinuousClock.Instant) {
        guard now >= retireAt, connection != nil, successor?.isClosed ?? true, !isReplacing, !isClosed else { return }
        isReplacing = true
        connector.connect { [weak self] result in
            guard let self else { return }
            isReplacing = false
            guard case .success(let next) = result else { return }
            guard !isClosed, connection != nil else { return next.close() }
            next.delegate = nil
            successor = next
        }
    }

    /// Drops a connection that only a new session cures.
    func renew() {
        connection?.close()
        connection = nil
        connect()
    }

    /// Closes the connection for good.
    func close() {
        isClosed = true
        connection?.close()
        connection = nil
        successor?.close()
        successor = nil
    }

    private func take(_ connection: Connection) {
        self.connection = connection
        connection.delegate = self
        let lifetime = connector.configuration.connectionLifetime * Double.random(in: 0.9...1)
        retireAt = connection.openedAt.advanced(by: lifetime)
    }

    // MARK: ConnectionDelegate

    func connectionOpened(_ connection: Connection) {}
    func connectionFailed(_ connection: Connection, _ error: PostgresError) {}
    func connectionFreed(_ connection: Connection) {}

    func connectionLost(_ connection: Connection, _ error: PostgresError) {
        self.connection = nil
        if !isClosed { connect() }
    }
}
