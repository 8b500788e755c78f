import EventLoop

/// One session with the server: connects, then carries one exchange at a time. Inside turns of its loop only.
final class Session: EventHandler {
    private enum Phase {
        case connecting, idle, busy, closed
    }

    let loop: EventLoop
    private(set) var handle: ConnectionHandle
    private var phase = Phase.connecting
    private var registration: Registration?
    private var exchange: (any Exchange)?
    private var connected: CheckedContinuation<PostgresError?, Never>?
    private var connectTimer: ScheduledTimer?
    /// Statements the server knows by name, as far as it has confirmed them.
    var prepared: Set<String> = []
    /// Reused from statement to statement.
    var parameters = Parameters()
    /// Called when an exchange is over and the session can take the next, and once when the session has ended.
    var changed: () -> Void = {}

    var isIdle: Bool { phase == .idle }
    var isClosed: Bool { phase == .closed }
    let born: ContinuousClock.Instant

    private init(settings: ConnectionSettings, loop: EventLoop) {
        self.loop = loop
        handle = ConnectionHandle(settings: settings.settings)
        born = loop.now
    }

    // MARK: Connecting

    /// Opens a session.
    ///
    /// - Throws: ``PostgresError`` `.connectionFailed`, or `.server` when the server refuses; nothing is left open.
    static func connect(
        _ settings: ConnectionSettings,
        timeout: Duration,
        on loop: EventLoop
    ) async throws(PostgresError) -> Session {
        let session = Session(settings: settings, loop: loop)
        let failure = await withCheckedContinuation { continuation in
            session.connected = continuation
            session.connectTimer = loop.schedule(after: timeout) { [unowned session] in
                session.finishConnecting(PostgresError(.connectionFailed, reason: "no connection within \(timeout)"))
            }
            session.stepConnecting(first: true)
        }
        if let failure { throw failure }
        return session
    }

    private func stepConnecting(first: Bool) {
        // libpq may close one socket and open another, even under the same number, so each step registers anew.
        registration?.cancel()
        registration = nil
        guard !handle.isBad else {
            finishConnecting(connectFailure())
            return
        }
        // The first wait is for writing, whatever poll would say (libpq, "PQconnectStartParams").
        let progress = first ? .writing : handle.connectPoll()
        switch progress {
        case .reading: watch(.read)
        case .writing: watch(.write)
        case .connected:
            guard handle.setNonBlocking() else {
                finishConnecting(connectFailure())
                return
            }
            watch(.read)
            finishConnecting(nil)
        case .failed: finishConnecting(connectFailure())
        }
    }

    private func watch(_ interest: Interest) {
        registration = try? loop.register(handle.descriptor, interest: interest, handler: self)
        if registration == nil { finishConnecting(PostgresError(.connectionFailed, reason: "no socket")) }
    }

    private func connectFailure() -> PostgresError {
        var error = PostgresError(.connectionFailed)
        error.serverMessage = handle.errorMessage
        return error
    }

    private func finishConnecting(_ failure: PostgresError?) {
        guard let connected else { return }
        self.connected = nil
        connectTimer?.cancel()
        connectTimer = nil
        if failure == nil { phase = .idle } else { close() }
        connected.resume(returning: failure)
    }

    // MARK: Exchanges

    /// Begins an exchange. Only when idle.
    func begin(_ exchange: any Exchange) {
        precondition(phase == .idle, "one exchange at a time")
        phase = .busy
        self.exchange = exchange
        guard exchange.send(on: self), flush() else {
            lose(sentNothing: false)
            return
        }
    }

    func sendPreparedStatement(named name: String) -> Bool { handle.sendPrepared(name: name, parameters) }

    func sendUnnamedStatement(_ sql: String) -> Bool { handle.sendUnnamed(sql: sql, parameters) }

    /// Ends an exchange that has no answer.
    func endSilently() {
        exchange = nil
        phase = .idle
    }

    func handle(_ readiness: Readiness) {
        switch phase {
        case .connecting: stepConnecting(first: false)
        case .idle, .busy:
            if readiness.contains(.writable), !flush() {
                lose(sentNothing: false)
                return
            }
            if readiness != .writable { receive() }
        case .closed: break
        }
    }

    /// Sends what is queued; the rest when the socket has room.
    func flush() -> Bool {
        switch handle.flush() {
        case .done:
            registration?.setInterest(.read)
            exchange?.flushed(on: self)
            return true
        case .pending:
            registration?.setInterest([.read, .write])
            return true
        case .failed: return false
        }
    }

    private func receive() {
        let isAlive = handle.consumeInput()
        while let exchange, !handle.isBusy {
            if exchange.receive(handle.nextResult(), on: self) {
                self.exchange = nil
                phase = .idle
                if !isAlive { break }
                changed()
                return
            }
            if phase == .closed { return }
        }
        if !isAlive || handle.isBad {
            lose(sentNothing: false)
        } else if phase == .busy, !flush() {
            lose(sentNothing: false)
        }
    }

    private func lose(sentNothing: Bool) {
        guard phase != .closed else { return }
        let message = handle.errorMessage
        let exchange = exchange
        self.exchange = nil
        close()
        var error = PostgresError(.outcomeUnknown)
        error.serverMessage = message
        exchange?.fail(error)
        changed()
    }

    /// Ends the session and its socket. An exchange under way is not told.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        registration?.cancel()
        registration = nil
        handle.close()
    }

    /// Drops the connection as if the network had.
    func abandon() { lose(sentNothing: false) }
}

/// One request to the server and all of its answers.
protocol Exchange: AnyObject {
    /// Queues what is to be sent. `false`: the connection is lost.
    func send(on session: Session) -> Bool
    /// Takes a result, or the end of a statement's results.
    ///
    /// - Returns: Whether that was the last.
    func receive(_ result: consuming ResultHandle?, on session: Session) -> Bool
    /// Everything queued has left.
    func flushed(on session: Session)
    /// The connection is lost.
    func fail(_ error: PostgresError)
}

extension Exchange {
    func flushed(on session: Session) {}
}
