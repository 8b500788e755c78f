import EventLoop

/// Hears whether a connection could be made. Inside turns of its loop.
protocol ConnectionOpener: AnyObject {
    /// The connection is made and free.
    func connectionOpened(_ connection: Connection)
    /// The connection could not be made; it is closed.
    func connectionFailed(_ connection: Connection, _ error: PostgresError)
}

/// Has a connection that was made, and hears what becomes of it. Inside turns of its loop.
protocol ConnectionOwner: AnyObject {
    /// An exchange is over and the next may begin.
    func connectionFreed(_ connection: Connection)
    /// The connection is lost and closed; its exchange has been told.
    func connectionLost(_ connection: Connection, _ error: PostgresError)
}

/// One session with the server, driven by the loop: it connects, then carries one exchange at a time.
///
/// Inside turns of its loop only. Nothing here waits: libpq is asked to read when there is something to read and to
/// write when there is room (libpq, "Asynchronous Command Processing").
final class Connection: EventHandler {
    private enum Phase { case connecting, open, closed }

    let loop: EventLoop
    weak var opener: (any ConnectionOpener)?
    weak var owner: (any ConnectionOwner)?
    /// libpq's own state.
    var handle: ConnectionHandle
    /// Reused from statement to statement.
    var parameters = Parameters()
    var prepared: PreparedStatements
    /// Called when input has come and its results are dealt with, and once more when an open session is lost. For one
    /// holder at a time: rows, a copy whose data are dropped, or who listens for notifications.
    var onInput: (() -> Void)?

    /// The address that an attempt to connect was at when it failed.
    private(set) var failedAddress: ConnectionSettings.Address?

    private let configuration: PostgresConfiguration
    private var phase = Phase.connecting
    private var registration: Registration?
    private var exchange: (any Exchange)?
    private var wasFlushed = false
    private var isCancelling = false
    /// Whether another request to cancel follows the one that is being sent.
    private var cancelsAgain = false
    /// How often the server is still asked to stop an exchange that nobody wants.
    private var asksLeft = 0
    private var timer: ScheduledTimer?

    /// Begins to connect. The opener hears how it went.
    init(settings: ConnectionSettings, configuration: PostgresConfiguration, loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
        usesPreparedStatements = configuration.route != .transactionPooler
        // A pooler gives a session's statements to whichever session the server has next.
        let limit = configuration.route.isPooler ? 0 : configuration.preparedQueryLimit
        prepared = PreparedStatements(
            queries: QueryCache(limit: limit, threshold: configuration.preparedQueryThreshold))
        handle = ConnectionHandle(settings: settings.settings)
    }

    /// Takes the first step; the opener must be set.
    func start() {
        timer = loop.schedule(after: configuration.connectTimeout) { [weak self] in
            guard let self else { return }
            fail(.silence("no connection within \(configuration.connectTimeout)"))
        }
        // "Behave as if the last call had returned PGRES_POLLING_WRITING" (libpq, PQconnectStartParams).
        handle.isBad ? fail(connectionError()) : watch(.write)
    }

    /// Whether an exchange can begin.
    var isFree: Bool { phase == .open && exchange == nil && !isCancelling }

    /// Whether the connection has been lost or closed.
    var isClosed: Bool { phase == .closed }

    /// Whether statements are prepared under names.
    private(set) var usesPreparedStatements: Bool

    /// Begins an exchange on a free connection.
    func begin(_ next: any Exchange) {
        precondition(isFree, "one exchange at a time")
        exchange = next
        wasFlushed = false
        if handle.transactionState == .idle { prepared.queries.isOutsideTransaction() }
        if handle.isInPipelineMode != next.usesPipeline {
            guard next.usesPipeline ? handle.enterPipelineMode() : handle.exitPipelineMode() else { return lose() }
        }
        guard next.send(on: self) else { return lose() }
        flush()
    }

    /// Asks the server to stop the current exchange; drops the connection if it does not come to an end in time.
    func cancelExchange() {
        guard phase == .open, exchange != nil, !isCancelling else { return }
        asksLeft = Self.mostAsks - 1
        askToStop()
    }

    /// In as many parts the time to stop is divided.
    private static let mostAsks = 4

    private func askToStop() {
        guard let canceller = handle.makeCanceller() else { return lose() }
        isCancelling = true
        timer = loop.schedule(after: configuration.cancellationTimeout) { [weak self] in self?.lose() }
        let me = Confined(self, to: loop)
        canceller.send { me.loop.execute { me.value.cancellationSent() } }
    }

    /// Asks the server to stop the rest of an exchange, too, of which it has stopped a part.
    func cancelExchangeAgain() { if isCancelling { cancelsAgain = true } else { cancelExchange() } }

    /// Part of an exchange has come to its end since the server was asked to stop: the rest has all its time again.
    func cancellationTookEffect() {
        if !isCancelling { timer?.cancel() }
    }

    /// Prepares everything anew from now on, after a migration or `DISCARD ALL`.
    ///
    /// A pooler that prepares knows statements by their text, and would go on with the stale one: nothing is prepared
    /// on this session any more.
    func forgetPrepared(_ error: PostgresError) {
        prepared.forgetAll(after: error)
        if configuration.route.isPooler { usesPreparedStatements = false }
    }

    /// Writes what an exchange has queued.
    func flush() {
        guard phase == .open else { return }
        lookForInput()
        switch handle.flush() {
        case .done:
            wasFlushed = true
            registration?.setInterest(.read)
            exchange?.flushed(on: self)
        case .pending:
            wasFlushed = false
            registration?.setInterest([.read, .write])
        case .failed:
            lose()
        }
    }

    /// Tells an exchange that takes no results what waits in the socket. To be called before libpq writes.
    ///
    /// libpq reads when it cannot write, and the socket tells no more of what it has read.
    func lookForInput() {
        guard phase == .open, let exchange, !exchange.takesResults, handle.hasInput else { return }
        exchange.inputWaits(on: self)
        exchange.inputArrived(on: self)
    }

    /// Stops reading from the socket, so that the server has to wait, or begins again.
    func setReading(_ isOn: Bool) {
        guard phase == .open else { return }
        registration?.setInterest(isOn ? .read : [])
    }

    /// Takes results that came before the exchange wanted them.
    func resumeReceiving() {
        guard phase == .open else { return }
        drain()
    }

    /// Gives up a session that cannot be understood any more: its exchange and the owner are told that it is lost.
    func drop() { lose() }

    /// Closes the session. An exchange under way is told, opener and owner are not.
    func close() {
        guard phase != .closed else { return }
        (opener, owner) = (nil, nil)
        lose()
    }

    // MARK: Events

    func handle(_ readiness: Readiness) {
        switch phase {
        case .connecting: step()
        case .open:
            // Reading first: libpq may have to read before the server takes more (libpq, PQflush).
            if readiness != .writable, !receive() { return }
            if registration?.interest.contains(.write) == true { flush() }
        case .closed: break
        }
    }

    private func receive() -> Bool {
        repeat {
            if let exchange, !exchange.takesResults { exchange.inputWaits(on: self) }
            let isAlive = handle.consumeInput()
            if let exchange, !exchange.takesResults { exchange.inputArrived(on: self) }
            drain()
            guard phase == .open else { return false }
            guard isAlive, !handle.isBad else {
                lose()
                return false
            }
        } while handle.hasBufferedBytes
        return true
    }

    private func drain() {
        // An idle connection has nothing to take, but notices and settings are parsed on the way.
        if exchange == nil { _ = handle.isBusy }
        while phase == .open, let current = exchange, current.takesResults, !handle.isBusy {
            // A standby that takes over would not have it, so nobody may be told that it is done.
            if handle.hasDoubtfulCommit { return lose() }
            let isOver: Bool
            if let result = handle.nextResult() {
                // Someone between us and the server speaks: the connection is broken, or cannot be understood.
                if result.status == .failed, !result.isServers { return lose() }
                isOver = current.receive(result, on: self)
            } else if handle.isBad {
                return lose()
            } else {
                isOver = current.receiveEnd(on: self)
            }
            guard isOver, phase == .open else { continue }
            exchange = nil
            current.finish(on: self)
            if isFree { owner?.connectionFreed(self) }
        }
        if phase == .open { onInput?() }
    }

    private func cancellationSent() {
        guard phase == .open else { return }
        isCancelling = false
        timer?.cancel()
        let again = cancelsAgain
        cancelsAgain = false
        if again, exchange != nil { return cancelExchange() }
        if exchange == nil {
            // A pooler may pass the request on later, to whoever has the server's session then.
            if configuration.route.isPooler { return lose() }
            // The server's process has had its signal before `PQcancel` returned: no later statement can meet it.
            owner?.connectionFreed(self)
        } else {
            // The server loses a request that comes while it is between two statements. Asked again it may stop what comes
            // next, so only if none of the exchange is wanted.
            let isRepeated = exchange?.abandonment != nil
            let time = configuration.cancellationTimeout / (isRepeated ? Self.mostAsks : 1)
            timer = loop.schedule(after: time) { [weak self, weak exchange] in
                guard let self, let exchange, self.exchange === exchange else { return }
                guard isRepeated, asksLeft > 0 else { return lose() }
                asksLeft -= 1
                askToStop()
            }
        }
    }

    // MARK: Connecting

    private func step() {
        // libpq may close one socket and open another, even under the same number: each step registers anew.
        registration?.cancel()
        registration = nil
        switch handle.connectPoll() {
        case .reading: watch(.read)
        case .writing: watch(.write)
        case .failed: fail(connectionError())
        case .connected:
            guard handle.setNonBlocking() else { return fail(connectionError()) }
            watch(.read)
            guard registration != nil else { return }
            timer?.cancel()
            phase = .open
            handle.endConnecting()
            opener?.connectionOpened(self)
        }
    }

    private func watch(_ interest: Interest) {
        do {
            registration = try loop.register(handle.descriptor, interest: interest, handler: self)
        } catch {
            fail(PostgresError(.connectionFailed, reason: "\(error)"))
        }
    }

    // MARK: Ending

    private func connectionError() -> PostgresError {
        var error = PostgresError(.connectionFailed)
        let refusal = handle.refusal
        (error.serverMessage, error.sqlState) = (refusal.message, refusal.sqlState)
        return error
    }

    private func fail(_ error: PostgresError) {
        guard phase == .connecting else { return }
        failedAddress = handle.address
        shut()
        opener?.connectionFailed(self, error)
    }

    private func lose() {
        guard phase != .closed else { return }
        var error = PostgresError(.outcomeUnknown)
        error.serverMessage = handle.errorMessage
        let lost = exchange
        exchange = nil
        shut()
        let listener = onInput
        onInput = nil
        lost?.lose(error, wasSent: wasFlushed)
        owner?.connectionLost(self, error)
        listener?()
    }

    private func shut() {
        phase = .closed
        timer?.cancel()
        registration?.cancel()
        registration = nil
        handle.close()
    }
}
