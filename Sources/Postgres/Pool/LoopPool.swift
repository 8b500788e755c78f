import EventLoop

/// The sessions of one loop and the statements that wait for them. Inside turns of the loop only.
final class LoopPool: TurnEndHook {
    private final class Slot {
        let access: StatementAccess?
        var session: Session?
        var isConnecting = false
        var delay: Duration
        var batch: Batch?
        init(access: StatementAccess?, delay: Duration) { (self.access, self.delay) = (access, delay) }
    }

    let loop: EventLoop
    private let configuration: PostgresConfiguration
    private let settings: ConnectionSettings
    private var slots: [Slot] = []
    private var writes: [PendingStatement] = []
    private var reads: [PendingStatement] = []
    private var timer: ScheduledTimer?
    private var lastError: PostgresError?
    private var isClosed = false

    init(loop: EventLoop, configuration: PostgresConfiguration, settings: ConnectionSettings) {
        self.loop = loop
        self.configuration = configuration
        self.settings = settings
        for _ in 0..<configuration.connectionsPerLoop {
            slots.append(
                Slot(
                    access: configuration.readConnectionsPerLoop == 0 ? nil : .write,
                    delay: configuration.reconnectDelay.lowerBound))
        }
        for _ in 0..<configuration.readConnectionsPerLoop {
            slots.append(Slot(access: .read, delay: configuration.reconnectDelay.lowerBound))
        }
    }

    func start() {
        loop.addTurnEndHook(self)
        for slot in slots { connect(slot) }
        tick()
    }

    func submit(_ statement: PendingStatement) {
        guard !isClosed else {
            statement.fail(PostgresError(.closed))
            return
        }
        guard writes.count + reads.count < configuration.waitingLimit else {
            statement.fail(PostgresError(.queueFull))
            return
        }
        if statement.access == .read, configuration.readConnectionsPerLoop > 0 {
            reads.append(statement)
        } else {
            writes.append(statement)
        }
    }

    func turnEnded() {
        for slot in slots {
            guard let session = slot.session, session.isIdle else { continue }
            if slot.access == .read {
                dispatch(&reads, to: slot, session)
            } else {
                dispatch(&writes, to: slot, session)
            }
        }
    }

    private func dispatch(_ queue: inout [PendingStatement], to slot: Slot, _ session: Session) {
        guard !queue.isEmpty else { return }
        var taken: [PendingStatement]
        if queue.count <= configuration.batchSize {
            taken = queue
            queue.removeAll(keepingCapacity: true)
        } else {
            taken = Array(queue.prefix(configuration.batchSize))
            queue.removeFirst(configuration.batchSize)
        }
        if taken.count > 1, slot.access != .read {
            // Stable (SE-0372 guarantees it in practice since 5.0): one player's statements keep their order.
            taken.sort { ($0.orderingKey ?? "") < ($1.orderingKey ?? "") }
        }
        let batch = Batch(taken) { [unowned self] statements in
            reads = statements + reads
        }
        slot.batch = batch
        session.begin(batch)
    }

    private func connect(_ slot: Slot) {
        guard !isClosed, !slot.isConnecting else { return }
        slot.isConnecting = true
        let me = Confined((self, slot), to: loop)
        Task(executorPreference: loop) { await me.value.0.makeSession(for: me.value.1) }
    }

    private func makeSession(for slot: Slot) async {
        do throws(PostgresError) {
            let session = try await Session.connect(settings, timeout: configuration.connectTimeout, on: loop)
            slot.isConnecting = false
            slot.delay = configuration.reconnectDelay.lowerBound
            guard !isClosed else {
                session.close()
                return
            }
            slot.session = session
            session.changed = { [unowned self, unowned slot, unowned session] in
                slot.batch = nil
                if session.isClosed {
                    slot.session = nil
                    connect(slot)
                }
            }
        } catch {
            lastError = error
            slot.isConnecting = false
            let delay = slot.delay
            slot.delay = min(slot.delay * 2, configuration.reconnectDelay.upperBound)
            loop.schedule(after: delay * Double.random(in: 0.5...1)) { [weak self] in self?.connect(slot) }
        }
    }

    /// Looks after deadlines.
    private func tick() {
        timer = loop.schedule(after: .milliseconds(100)) { [unowned self] in
            let now = loop.now
            expire(&writes, now)
            expire(&reads, now)
            if !isClosed { tick() }
        }
    }

    private func expire(_ queue: inout [PendingStatement], _ now: ContinuousClock.Instant) {
        guard let oldest = queue.first, oldest.since.duration(to: now) > configuration.queueTimeout else { return }
        let late = queue.filter { $0.since.duration(to: now) > configuration.queueTimeout }
        queue.removeAll { $0.since.duration(to: now) > configuration.queueTimeout }
        let hasSession = slots.contains { $0.session != nil }
        for statement in late {
            statement.fail(hasSession ? PostgresError(.queueTimeout) : lastError ?? PostgresError(.queueTimeout))
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        loop.removeTurnEndHook(self)
        for statement in writes + reads { statement.fail(PostgresError(.closed)) }
        writes = []
        reads = []
        for slot in slots {
            slot.session?.changed = {}
            slot.session?.close()
        }
    }
}
