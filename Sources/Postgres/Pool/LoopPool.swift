import EventLoop

/// The connections of one loop and the statements that wait for them: does what ``PoolState`` decides. Inside turns of
/// the loop only.
final class LoopPool: TurnEndHook {
    private let loop: EventLoop
    private let configuration: PostgresConfiguration
    private let turns: Turns
    private let batches: Connector
    private let leases: Connector

    private var state: PoolState
    /// What is still to be done, in order.
    private var actions: [PoolState.Action] = []
    private var isActing = false
    private var isStarted = false
    private var timer: ScheduledTimer?
    /// Whether something may have become due earlier than the timer.
    private var needsTimer = false

    private var submissions: [Submission?] = []
    private var freePlaces: [Int32] = []
    private var generation: UInt32 = 0
    private var attempts: [PoolState.ConnectionID: Connector.Attempt] = [:]
    private var connections: [PoolState.ConnectionID: PooledConnection] = [:]
    private var waiters: [PoolState.LeaseID: (Result<Lease, PostgresError>) -> Void] = [:]
    private var lastLease = 0
    private var onFinished: (() -> Void)?

    /// A connection that was lent.
    struct Lease {
        let id: PoolState.ConnectionID
        let connection: Connection
    }

    /// - Parameter leaseSettings: For the connections that stand outside of the batches: they wait longer for locks.
    init(
        loop: EventLoop, configuration: PostgresConfiguration, settings: ConnectionSettings,
        leaseSettings: ConnectionSettings, turns: Turns, number: Int
    ) {
        self.turns = turns
        self.loop = loop
        self.configuration = configuration
        let observer = configuration.observer
        func connector(_ settings: ConnectionSettings) -> Connector {
            // Without a receiver libpq would print notices, which may quote rows.
            Connector(loop: loop, configuration: configuration, settings: settings) { observer?.noticeReceived($0) }
        }
        batches = connector(settings)
        leases = connector(leaseSettings)
        state = PoolState(
            configuration: configuration, now: .zero, seed: .random(in: 0 ... .max), turnstile: turns.turnstile,
            number: number)
    }

    /// Connects.
    func start() {
        isStarted = true
        state.isAbandoned = { [unowned self] in submissions[Int($0.place)]?.isAbandoned == true }
        loop.addTurnEndHook(self)
        handle(.started)
    }

    /// Lets what is under way come to its end, refuses the rest, and closes.
    func close(_ completion: @escaping () -> Void) {
        onFinished = completion
        handle(.stopped)
    }

    // MARK: Statements

    /// Takes a statement in.
    func submit(_ submission: Submission, timeout: Duration?) {
        guard !submission.isCancelled else { return submission.fail(PostgresError(.cancelled)) }
        generation &+= 1
        if freePlaces.isEmpty {
            freePlaces.append(Int32(submissions.count))
            submissions.append(nil)
        }
        let place = freePlaces.removeLast()
        submissions[Int(place)] = submission
        let id = StatementID(place: place, generation: generation)
        submission.id = id
        if configuration.observer != nil { submission.submittedAt = loop.now }
        handle(
            .submitted(
                id,
                PoolState.Request(
                    access: submission.access, key: submission.key, attempts: submission.attempts, timeout: timeout)))
        if !isStarted { arm() }
    }

    /// Hears that nobody wants a statement's answer any more.
    func cancel(_ submission: Submission) {
        submission.isCancelled = true
        if let id = submission.id { handle(.cancelled(id)) }
    }

    /// Looks which tasks were cancelled, where nobody says so.
    private func noteCancellations() {
        guard !configuration.followsCancellation else { return }
        for case let submission? in submissions where submission.isAbandoned { cancel(submission) }
    }

    /// Sends what waits (``TurnEndHook``).
    func turnEnded() {
        if state.mayDispatch { handle(.turnEnded) }
        setTimer()
    }

    /// Hears that a batch of another loop has ended that had statements of the same keys.
    func turnstileOpened() { handle(.turnstileOpened) }

    private func take(_ id: StatementID) -> Submission? {
        let place = Int(id.place)
        guard let submission = submissions[place].take() else { return nil }
        submission.id = nil
        freePlaces.append(id.place)
        return submission
    }

    // MARK: Leases

    /// Asks for a connection; the completion may be called at once.
    ///
    /// - Returns: What the request is cancelled by.
    func lease(_ completion: @escaping (Result<Lease, PostgresError>) -> Void) -> PoolState.LeaseID {
        lastLease += 1
        let id = PoolState.LeaseID(number: lastLease)
        waiters[id] = completion
        handle(.leaseRequested(id))
        if !isStarted { arm() }
        return id
    }

    /// Takes a request back, if it still waits.
    func cancelLease(_ id: PoolState.LeaseID) { handle(.leaseCancelled(id)) }

    /// Takes a connection back.
    func release(_ lease: Lease, isUsable: Bool) {
        let isUsable = isUsable && lease.connection.isFree
        if isUsable { connections[lease.id]?.attach() }
        handle(.released(lease.id, isUsable: isUsable))
    }

    // MARK: Events and actions

    fileprivate func handle(_ event: PoolState.Event) {
        switch event {
        case .submitted, .turnEnded, .settled, .batchEnded, .freed: break
        default: needsTimer = true
        }
        let more = state.handle(event, at: loop.now)
        guard !more.isEmpty else { return }
        actions += more
        // What an action leads to is done after the actions that were decided before.
        guard !isActing else { return }
        isActing = true
        var index = 0
        while index < actions.count {
            perform(actions[index])
            index += 1
        }
        actions.removeAll(keepingCapacity: true)
        isActing = false
    }

    private func perform(_ action: PoolState.Action) {
        switch action {
        case .open(let id, let purpose, let delay): open(id, purpose, after: delay)
        case .close(let id):
            attempts.removeValue(forKey: id)?.cancel()
            connections.removeValue(forKey: id)?.close()
        case .send(let id, let statements, let transactions): send(statements, transactions, on: id)
        case .drop(let id): connections[id]?.connection.drop()
        case .cancelBatch(let id): connections[id]?.connection.cancelExchange()
        case .answer(let ids):
            for id in ids {
                guard let submission = take(id) else { continue }
                observe(submission, nil)
                submission.deliver()
            }
        case .fail(let id, let error):
            guard let submission = take(id) else { return }
            observe(submission, error)
            submission.fail(error)
        case .lend(let id, let request):
            guard let pooled = connections[id], let waiter = waiters.removeValue(forKey: request) else { return }
            pooled.detach()
            waiter(.success(Lease(id: id, connection: pooled.connection)))
        case .wake(let pools): turns.wake(pools)
        case .refuse(let request, let error): waiters.removeValue(forKey: request)?(.failure(error))
        case .finish:
            timer?.cancel()
            timer = nil
            loop.removeTurnEndHook(self)
            let finished = onFinished
            onFinished = nil
            finished?()
        }
    }

    private func open(_ id: PoolState.ConnectionID, _ purpose: PoolState.Purpose, after delay: Duration) {
        let connector = purpose == .batches ? batches : leases
        var isOver = false
        let attempt = connector.connect(after: delay) { [weak self] result in
            isOver = true
            guard let self else { return }
            attempts[id] = nil
            switch result {
            case .success(let connection): opened(connection, id)
            case .failure(let error): failed(id, error)
            }
        }
        // It may have failed at once.
        if !isOver { attempts[id] = attempt }
    }

    private func failed(_ id: PoolState.ConnectionID, _ error: PostgresError) {
        configuration.observer?.connectionFailed(error)
        handle(.failedToOpen(id, error))
    }

    private func opened(_ connection: Connection, _ id: PoolState.ConnectionID) {
        connections[id] = PooledConnection(connection, id: id, pool: self)
        configuration.observer?.connectionOpened()
        handle(.opened(id))
    }

    private func send(
        _ ids: [StatementID], _ transactions: PoolState.Transactions, on connection: PoolState.ConnectionID
    ) {
        let batch = ids.compactMap { submissions[Int($0.place)] }
        guard let pooled = connections[connection], pooled.connection.isFree, batch.count == ids.count else {
            // It was lost between the decision and now.
            let error = PostgresError(.notSent)
            for id in ids { handle(.settled(connection, id, .rolledBack(error, isOwn: false))) }
            return handle(.batchEnded(connection, .lost(error), isFree: false))
        }
        switch transactions {
        case .separate: begin(SeparateTransactions.self, batch, ids, configuration.lockTimeout, pooled)
        case .shared: begin(SharedTransaction.self, batch, ids, configuration.lockTimeout, pooled)
        case .patient: begin(SharedTransaction.self, batch, ids, configuration.loneLockTimeout, pooled)
        }
    }

    private func begin<Rules: BatchRules>(
        _ rules: Rules.Type, _ batch: [Submission], _ ids: [StatementID], _ lockTimeout: Duration,
        _ pooled: PooledConnection
    ) {
        var options = BatchExchange<Rules>.Options()
        if configuration.route.isPooler, !ids.isEmpty {
            // There is no session whose limits they could be.
            options.lockTimeout = lockTimeout
            options.statementTimeout = configuration.serverStatementTimeout
        }
        options.gathers = configuration.router?.isSpread != true
        let began = loop.now
        if configuration.observer != nil { for submission in batch { submission.sentAt = began } }
        let id = pooled.id
        let exchange = BatchExchange<Rules>(batch, options: options) { [unowned self] index, verdict in
            handle(.settled(id, ids[index], verdict))
        } onEnd: { [unowned self] ending, isFree in
            observe(ending, count: ids.count, began: began)
            handle(.batchEnded(id, ending, isFree: isFree))
        }
        pooled.connection.begin(exchange)
    }

    // MARK: Time

    /// Arms the timer for what is due next: 50 ms from now while there is work, so 20 times a second at most.
    private func setTimer() {
        let isLate = state.isBusy && timer.map { $0.deadline > loop.now + PoolState.tickInterval } != false
        guard needsTimer || isLate else { return }
        needsTimer = false
        arm()
    }

    private func arm() {
        guard let next = state.nextTick(after: loop.now) else { return }
        if let timer, timer.deadline <= next { return }
        timer?.cancel()
        // Weak: what was never started is never closed either.
        timer = loop.schedule(after: next - loop.now) { [weak self] in
            guard let self else { return }
            timer = nil
            noteCancellations()
            handle(.ticked)
            // Before the start no turn's end arms it.
            if !isStarted { arm() }
        }
    }

    // MARK: The observer

    /// How things stand.
    var statistics: PostgresPoolStatistics {
        var statistics = PostgresPoolStatistics()
        statistics.connections = connections.count
        statistics.connectionsInUse = connections.values.count { !$0.connection.isFree || state.isLent($0.id) }
        statistics.statementsWaiting = state.waitingCount
        return statistics
    }

    private func observe(_ submission: Submission, _ error: PostgresError?) {
        guard let observer = configuration.observer else { return }
        let now = loop.now
        let sent = submission.sentAt == .zero ? nil : submission.sentAt
        observer.statementEnded(
            PostgresStatementReport(
                command: submission.command, access: submission.access,
                waiting: (sent ?? now) - submission.submittedAt,
                running: sent.map { now - $0 } ?? .zero, error: error))
    }

    private func observe(_ ending: BatchEnding, count: Int, began: Duration) {
        guard let observer = configuration.observer, count > 0 else { return }
        let outcome: PostgresBatchReport.Outcome =
            switch ending {
            case .committed: .committed
            case .rolledBack: .rolledBack
            case .lost: .lost
            }
        observer.batchEnded(
            PostgresBatchReport(
                size: count, duration: loop.now - began, waiting: state.waitingCount, outcome: outcome))
    }

    /// A connection and who it tells what becomes of it.
    private final class PooledConnection: ConnectionOwner {
        let connection: Connection
        let id: PoolState.ConnectionID
        private unowned let pool: LoopPool

        init(_ connection: Connection, id: PoolState.ConnectionID, pool: LoopPool) {
            self.connection = connection
            self.id = id
            self.pool = pool
            attach()
        }

        func attach() { connection.owner = self }
        func detach() { connection.owner = nil }

        func close() { connection.close() }

        func connectionFreed(_ connection: Connection) { pool.handle(.freed(id)) }

        func connectionLost(_ connection: Connection, _ error: PostgresError) {
            pool.connections[id] = nil
            pool.configuration.observer?.connectionLost(error)
            pool.handle(.lost(id))
        }
    }
}
