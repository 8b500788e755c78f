import EventLoop

/// The connections of one loop and the statements that wait for them. Inside turns of the loop only.
///
/// A statement waits in its lane; at the end of each turn every free connection takes what waits there, up to a limit,
/// as one batch. So under light load a batch is one statement, and under heavy load as many as came while the
/// connection was busy.
final class LoopPool: TurnEndHook {
    /// Connections and the statements that they share.
    final class Lane {
        var queue = StatementQueue()
        var slots: [Slot]
        init(_ slots: [Slot]) { self.slots = slots }
    }

    /// How often deadlines and ages are looked after.
    private static let tickInterval: Duration = .milliseconds(50)
    /// How often a statement goes back to its queue because of a lost connection before it is told.
    private static let maximumReturns = 3

    let loop: EventLoop
    let leases: LeasedConnections
    private let configuration: PostgresConfiguration
    private let connector: Connector
    private let writes: Lane
    /// The same as `writes` unless reads have connections of their own.
    private let reads: Lane
    private let lanes: [Lane]
    private var loneLines: [LoneLine] = []
    private var ticker: ScheduledTimer?
    private var isClosing = false
    private var onClosed: (() -> Void)?

    /// - Parameter leaseSettings: For the connections that stand outside of the batches: they wait longer for locks.
    init(
        loop: EventLoop, configuration: PostgresConfiguration, settings: ConnectionSettings,
        leaseSettings: ConnectionSettings
    ) {
        self.loop = loop
        self.configuration = configuration
        let connector = Connector(loop: loop, configuration: configuration, settings: settings)
        self.connector = connector
        leases = LeasedConnections(
            connector: Connector(loop: loop, configuration: configuration, settings: leaseSettings))
        writes = Lane((0..<max(1, configuration.connectionsPerLoop)).map { _ in Slot(connector: connector) })
        if configuration.readConnectionsPerLoop > 0 {
            reads = Lane((0..<configuration.readConnectionsPerLoop).map { _ in Slot(connector: connector) })
            lanes = [writes, reads]
        } else {
            reads = writes
            lanes = [writes]
        }
    }

    /// Connects.
    func start() {
        loop.addTurnEndHook(self)
        for lane in lanes { for slot in lane.slots { slot.connect() } }
        tick()
    }

    /// Lets what is under way come to its end, refuses the rest, and closes.
    func close(_ completion: @escaping () -> Void) {
        isClosing = true
        onClosed = completion
        let refused = PostgresError(.closed)
        for lane in lanes {
            for statement in lane.queue.takeAll() { statement.fail(refused) }
            for slot in lane.slots {
                for statement in slot.redo { statement.fail(refused) }
                slot.redo = []
            }
        }
        leases.close()
        turnEnded()
    }

    // MARK: Statements

    /// Takes a statement in.
    func submit(_ statement: Submission, timeout: Duration?) {
        if let abandonment = statement.abandonment { return statement.fail(PostgresError(abandonment)) }
        guard !isClosing else { return statement.fail(PostgresError(.closed)) }
        let lane = statement.access == .read ? reads : writes
        guard lane.queue.count < configuration.waitingLimit else { return statement.fail(PostgresError(.queueFull)) }
        let now = loop.now
        statement.deadline = now.advanced(by: timeout ?? configuration.statementTimeout)
        statement.queueDeadline = min(now.advanced(by: configuration.queueTimeout), statement.deadline)
        lane.queue.append(statement)
    }

    /// Hears that nobody wants a statement's answer any more.
    func abandon(_ statement: Submission) {
        guard statement.abandonment == nil else { return }
        statement.abandonment = .cancelled
        switch statement.phase {
        case .new, .finished: break
        case .waiting: statement.fail(PostgresError(.cancelled))
        case .sent:
            loop.schedule(after: configuration.cancellationGrace) { [self] in
                if statement.phase == .sent { cancelBatches { $0.submissions.contains { $0 === statement } } }
            }
        }
    }

    /// Sends what waits (``TurnEndHook``).
    func turnEnded() {
        for lane in lanes {
            for slot in lane.slots {
                guard !slot.redo.isEmpty || !lane.queue.isEmpty || isClosing, let connection = slot.free else {
                    continue
                }
                // What a failed batch has given back is run before the end.
                let isDone = slot.redo.isEmpty && lane.queue.isEmpty
                if isDone { slot.close() } else { send(from: lane, on: slot, connection) }
            }
        }
        if !loneLines.isEmpty { for line in loneLines { line.advance() } }
        if isClosing { finishClosing() }
    }

    private func send(from lane: Lane, on slot: Slot, _ connection: Connection) {
        let together = slot.redo.isEmpty
        var statements: [Submission]
        if together {
            statements = lane.queue.take(atMost: configuration.batchSize)
            if !loneLines.isEmpty { statements = withoutLoneOnes(statements) }
        } else {
            statements = slot.redo.filter { $0.phase == .waiting }
            slot.redo = []
        }
        guard !statements.isEmpty else { return }
        // Behind a pooler there is no session whose limit it could be.
        let lockTimeout = configuration.route == .direct ? nil : configuration.lockTimeout
        let batch = Batch(statements, together: together, lockTimeout: lockTimeout) {
            [self, unowned lane, unowned slot] batch, connection, ending in
            slot.batch = nil
            ended(batch, ending, lane, slot, connection)
        }
        if !together {
            batch.takesOver = { [self, unowned lane, unowned slot, unowned batch] statement, error in
                takesOver(statement, error, batch, lane, slot)
            }
        }
        slot.batch = batch
        connection.begin(batch)
    }

    // MARK: What becomes of a batch

    private func ended(_ batch: Batch, _ ending: Batch.Ending, _ lane: Lane, _ slot: Slot, _ connection: Connection?) {
        switch ending {
        case .committed:
            if let connection, configuration.route == .transactionPooler, batch.abandonment != nil, !connection.isFree {
                // Its cancellation may still be on its way to whoever has the session next.
                slot.renew()
            }
        case .rolledBack(let index, let error):
            let culprit = batch.submissions[index]
            let survivors = batch.submissions.filter { $0.phase == .sent && !settleAbandoned($0) }
            if isCured(byNewSession: error), culprit.returns < Self.maximumReturns {
                giveBack(survivors, lane, after: error)
                slot.renew()
            } else if error.sqlState == .lockNotAvailable {
                let waiters = survivors.filter { $0 === culprit || $0.isOfSameKey(as: culprit) }
                goAlone(waiters, lane)
                lane.queue.giveBack(survivors.filter { survivor in !waiters.contains { $0 === survivor } })
            } else if batch.submissions.count == 1, batch.abandonment == nil || error.sqlState != .queryCanceled {
                for statement in survivors { statement.fail(error) }
            } else {
                for statement in survivors { statement.phase = .waiting }
                slot.redo = survivors
            }
        case .lost(let error, let mayHaveCommitted):
            let redo = slot.redo
            slot.redo = []
            var returned: [Submission] = []
            for statement in batch.submissions where statement.phase == .sent {
                if mayHaveCommitted, statement.access == .write {
                    statement.fail(error)
                } else if !settleAbandoned(statement) {
                    returned.append(statement)
                }
            }
            giveBack(returned + redo, lane, after: mayHaveCommitted ? error : error.beforeSending)
        }
    }

    /// Takes care of a statement that was refused while it ran by itself.
    private func takesOver(
        _ statement: Submission, _ error: PostgresError, _ batch: Batch, _ lane: Lane, _ slot: Slot
    ) -> Bool {
        switch error.sqlState {
        case .lockNotAvailable?:
            goAlone([statement], lane)
            return true
        case .queryCanceled? where batch.abandonment != nil && statement.abandonment == nil:
            // It was meant for a neighbour.
            giveBack([statement], lane, after: error)
            return true
        default:
            return false
        }
    }

    /// A rolled-back statement that nobody waits for, or whose time is over, is told.
    private func settleAbandoned(_ statement: Submission) -> Bool {
        guard let abandonment = statement.abandonment else { return false }
        statement.fail(PostgresError(abandonment))
        return true
    }

    private func giveBack(_ statements: [Submission], _ lane: Lane, after error: PostgresError) {
        var kept: [Submission] = []
        for statement in statements where statement.phase != .finished {
            statement.returns += 1
            if isClosing || statement.returns > Self.maximumReturns {
                statement.fail(error)
            } else {
                kept.append(statement)
            }
        }
        lane.queue.giveBack(kept)
    }

    /// Errors that belong to the session, not to the statement: a plan made for another schema, a prepared statement that
    /// someone has dropped, a server that has become a standby.
    private func isCured(byNewSession error: PostgresError) -> Bool {
        switch error.sqlState {
        case "0A000"?: error.routine == "RevalidateCachedQuery"
        case .invalidStatementName?: error.routine == "FetchPreparedStatement"
        case .readOnlyTransaction?: true
        default: false
        }
    }

    // MARK: Waiting for locks

    private func goAlone(_ statements: [Submission], _ lane: Lane) {
        guard let first = statements.first else { return }
        if let key = first.orderingKey, let line = loneLines.first(where: { $0.key == key }) {
            for statement in statements { line.append(statement) }
            return
        }
        loneLines.append(
            LoneLine(statements, leases: leases, lockTimeout: configuration.loneLockTimeout) {
                [self, unowned lane] in
                giveBack($0, lane, after: PostgresError(.notSent))
            } onEmpty: { [self] line in
                loneLines.removeAll { $0 === line }
            })
    }

    /// Statements of a key that is being waited for join that line.
    private func withoutLoneOnes(_ statements: [Submission]) -> [Submission] {
        statements.filter { statement in
            guard let key = statement.orderingKey, statement.access == .write,
                let line = loneLines.first(where: { $0.key == key })
            else { return true }
            line.append(statement)
            return false
        }
    }

    // MARK: Time

    private func tick() {
        ticker = loop.schedule(after: Self.tickInterval) { [weak self] in
            guard let self else { return }
            let now = loop.now
            for lane in lanes {
                expire(lane.queue.waiting, now)
                for slot in lane.slots {
                    expire(slot.redo, now)
                    slot.redo.removeAll { $0.phase == .finished }
                    slot.retire(ifDueAt: now)
                }
            }
            for line in loneLines { expire(line.statements, now) }
            leases.tick(now)
            cancelBatches { batch in
                let late = batch.submissions.filter { $0.phase == .sent && $0.deadline <= now }
                for statement in late where statement.abandonment == nil { statement.abandonment = .deadlineExceeded }
                return !late.isEmpty
            }
            tick()
        }
    }

    private func expire(_ statements: some Sequence<Submission>, _ now: ContinuousClock.Instant) {
        for statement in statements where statement.phase == .waiting {
            guard min(statement.queueDeadline, statement.deadline) <= now else { continue }
            guard let cause = connector.lastError else {
                statement.fail(PostgresError(statement.deadline <= now ? .deadlineExceeded : .queueTimeout))
                continue
            }
            // Not too busy: the server is out of reach.
            var error = PostgresError(.connectionFailed)
            error.serverMessage = cause.serverMessage
            statement.fail(error)
        }
    }

    /// Asks the server to stop the batches that a condition holds for.
    private func cancelBatches(where condition: (Batch) -> Bool) {
        for lane in lanes {
            for slot in lane.slots {
                guard let batch = slot.batch, condition(batch), let connection = slot.connection else { continue }
                batch.abandonment = .cancelled
                connection.cancelExchange()
            }
        }
        for line in loneLines {
            guard let batch = line.batch, condition(batch), let connection = line.connection else { continue }
            batch.abandonment = .cancelled
            connection.cancelExchange()
        }
    }

    private func finishClosing() {
        let isIdle = lanes.allSatisfy { lane in
            lane.slots.allSatisfy { $0.batch == nil && $0.redo.isEmpty } && lane.queue.waiting.allSatisfy { _ in false }
        }
        guard isIdle, loneLines.isEmpty, leases.isUnused, let onClosed else { return }
        self.onClosed = nil
        ticker?.cancel()
        for lane in lanes { for slot in lane.slots { slot.close() } }
        loop.removeTurnEndHook(self)
        onClosed()
    }
}

extension Submission {
    /// Whether two statements may lock the same rows.
    fileprivate func isOfSameKey(as other: Submission) -> Bool {
        orderingKey != nil && orderingKey == other.orderingKey
    }
}
