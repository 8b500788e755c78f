import EventLoop

/// A connection with a queue before it: exchanges run one after the other. Inside turns of its loop only.
final class Session: ConnectionOwner {
    /// One call of the owner: its exchange, and how to end it early.
    final class Call: @unchecked Sendable {
        // Invariant: touched only inside turns of the session's loop; the caller's task only keeps it.
        fileprivate var exchange: (any Exchange)?
        fileprivate var isAbandoned: PostgresError.Code?
        fileprivate var timer: ScheduledTimer?
        fileprivate var onEnd: (() -> Void)?

        fileprivate func end() {
            timer?.cancel()
            let onEnd = onEnd
            self.onEnd = nil
            onEnd?()
        }
    }

    let connection: Connection
    private var waiting: [Call] = []
    private var current: Call?
    private var isDetached = false
    /// Whether SQL of any kind has run that may have changed the session itself.
    private(set) var isDirty = false

    /// Takes over a connection that is open and free.
    init(_ connection: Connection) {
        self.connection = connection
        connection.owner = self
    }

    /// Whether no call is under way and none waits.
    var isIdle: Bool { current == nil && waiting.isEmpty }

    /// Calls a closure as soon as a call that was ended early, by its timeout or its cancellation, has come to its end.
    func afterAbandoned(_ completion: @escaping () -> Void) {
        guard let current, current.isAbandoned != nil, !connection.isClosed else { return completion() }
        current.onEnd = completion
    }

    /// Runs an exchange when its turn has come.
    func submit(_ exchange: any Exchange, as call: Call, timeout: Duration?) {
        guard !connection.isClosed, !isDetached else { return exchange.lose(PostgresError(.closed), wasSent: true) }
        if let code = call.isAbandoned { return exchange.lose(PostgresError(code), wasSent: true) }
        call.exchange = exchange
        isDirty = isDirty || exchange.leavesTraces
        if let timeout {
            call.timer = connection.loop.schedule(after: timeout) { [weak self, weak call] in
                guard let call else { return }
                self?.abandon(call, .deadlineExceeded)
            }
        }
        waiting.append(call)
        pump()
    }

    /// Ends a call early: nothing happens if it waits, else the server is asked to stop.
    func abandon(_ call: Call, _ code: PostgresError.Code) {
        call.isAbandoned = code
        if call === current {
            guard call.exchange?.abandonment == nil else { return }
            call.exchange?.abandonment = code
            connection.cancelExchange()
        } else if let index = waiting.firstIndex(where: { $0 === call }) {
            waiting.remove(at: index)
            call.timer?.cancel()
            call.exchange?.lose(PostgresError(code), wasSent: true)
        }
    }

    /// Lets a call take the time it needs.
    func keepGoing(_ call: Call) { call.timer?.cancel() }

    /// Lets go of the connection. Later calls are refused.
    func detach() -> Connection {
        isDetached = true
        connection.owner = nil
        end(PostgresError(.closed))
        return connection
    }

    /// Ends the session; what waits is told.
    func close() {
        guard !isDetached else { return }
        connection.close()
        end(PostgresError(.closed))
    }

    private func pump() {
        while connection.isFree, current == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            guard let exchange = next.exchange else { continue }
            current = next
            connection.begin(exchange)
        }
    }

    private func end(_ error: PostgresError) {
        let ended = current
        current = nil
        ended?.end()
        let calls = waiting
        waiting = []
        for call in calls {
            call.timer?.cancel()
            call.exchange?.lose(error, wasSent: true)
        }
    }

    // MARK: ConnectionOwner

    func connectionFreed(_ connection: Connection) {
        let ended = current
        current = nil
        ended?.end()
        pump()
    }

    func connectionLost(_ connection: Connection, _ error: PostgresError) {
        end(PostgresError(.closed, reason: "the connection was lost"))
    }
}
