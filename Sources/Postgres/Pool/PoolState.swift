import EventLoop

/// The rules of a pool as a value: events go in, actions come out. It does no I/O and knows no clock.
///
/// A statement waits in its lane; when a turn ends every free connection of the lane that ``Turnstile`` lets pass takes what
/// waits there, up to a limit, as one batch. So under light load a batch is one statement, and under heavy load as many as
/// came while the connections were busy. A batch that is rolled back runs again, each statement by itself; a statement that waits for a
/// lock held elsewhere goes to a line of its own; connections are made, replaced and lent.
///
/// Every statement that is submitted is answered or failed exactly once, and never runs again once its first run may
/// have been committed, unless it only reads.
struct PoolState {
    /// A time, counted from some beginning: the loop's.
    typealias Instant = Duration

    /// What happens to a pool.
    enum Event {
        case started
        case submitted(StatementID, Request)
        case cancelled(StatementID)
        /// All that could come in this turn has come.
        case turnEnded
        /// Time has passed.
        case ticked

        /// The connection that was asked for is open and free.
        case opened(ConnectionID)
        /// It could not be made.
        case failedToOpen(ConnectionID, PostgresError)
        /// A connection whose batch ended before can carry the next.
        case freed(ConnectionID)
        /// A connection is lost; its batch, if there was one, has been told.
        case lost(ConnectionID)
        /// One statement of the connection's batch has come to its end before the batch.
        case settled(ConnectionID, StatementID, Verdict)
        case batchEnded(ConnectionID, BatchEnding, isFree: Bool)

        case leaseRequested(LeaseID)
        case leaseCancelled(LeaseID)
        /// A connection that was lent comes back.
        case released(ConnectionID, isUsable: Bool)
        /// A batch of another pool that had statements of the same keys has ended.
        case turnstileOpened
        /// The client stops.
        case stopped
    }

    /// What is to be done. In this order.
    enum Action {
        /// Make a connection, after a wait.
        case open(ConnectionID, Purpose, after: Duration)
        /// Close a connection, or give up making it.
        case close(ConnectionID)
        /// Give up a connection that does not answer: it is lost.
        case drop(ConnectionID)
        /// Send statements as one batch.
        case send(ConnectionID, [StatementID], Transactions)
        /// Ask the server to stop the connection's batch.
        case cancelBatch(ConnectionID)
        /// Tell those who wait that their statements are committed.
        case answer([StatementID])
        /// Tell who waits that the statement has failed.
        case fail(StatementID, PostgresError)
        case lend(ConnectionID, LeaseID)
        case refuse(LeaseID, PostgresError)
        /// Tell other pools that the turnstile has opened.
        case wake(Set<Int>)
        /// Everything is closed and everybody told.
        case finish
    }

    /// A statement as it is handed in.
    struct Request {
        var access = StatementAccess.write
        var key: OrderingKey?
        var attempts = 1
        /// `nil`: the configuration's.
        var timeout: Duration?
    }

    /// What a connection is for.
    enum Purpose { case batches, leases }

    /// How a batch is committed.
    enum Transactions {
        /// Together.
        case shared
        /// Each by itself.
        case separate
        /// One by itself that waits longer for locks.
        case patient
    }

    struct ConnectionID: Hashable { let number: Int }
    struct LeaseID: Hashable { let number: Int }

    /// A connection that is open.
    struct Open {
        let id: ConnectionID
        /// When it is replaced.
        let retireAt: Instant
        /// Since when it has had nothing to do.
        var idleSince: Instant
        /// Whether the next batch can begin: the last one's cancellation may still be on its way.
        var isFree = true
        /// Whether a batch has been committed on it.
        var hasServed = false
        var batch: Batch?
    }

    /// A batch under way.
    struct Batch {
        let statements: [StatementID]
        let transactions: Transactions
        /// When it was sent.
        var began = Instant.zero
        /// When one of them came to its end, or the batch began.
        var progressed = Instant.zero
        /// Whether the server was asked to stop what runs, and whether it ever was.
        var isCancelled = false
        var wasCancelled = false
        /// Whether that was because it holds up others.
        var isSlow = false
        /// Those that have come to their end before it: they may be under way elsewhere by now.
        var settled: Set<StatementID> = []
        /// Those of them that go back to their queue when it ends, in order.
        var returned: [StatementID] = []
        /// A batch without statements only asks whether the server is still there: until then.
        var probeDeadline: Instant?

        /// Those whose end is the batch's.
        var unsettled: [StatementID] { settled.isEmpty ? statements : statements.filter { !settled.contains($0) } }
    }

    /// Connections and the statements that they share.
    struct Lane {
        var queue = StatementQueue()
        /// How many statements wait in the queue, or are parked.
        var waiting = 0
        /// How many have left the queue and wait in lines. Those, too, count against the limit of what may wait.
        var waitingInLines = 0
        /// Until when no further connection is made: the last attempt has failed.
        var widensAt = Instant.zero
        /// How long the last batch took, and the shorter of the last two: one that was slow for once means nothing.
        var lastBatchTime = Duration.zero
        var batchTime = Duration.zero
        var slots: [Slot]

        /// The slot for one more connection; `nil` if none is free, the first has none yet, or one is being made or could take
        /// a batch.
        var slotToWiden: Int? {
            guard slots[0].open != nil,
                !slots.contains(where: { $0.attempt != nil || ($0.open != nil && $0.ticket == nil) })
            else { return nil }
            return slots.firstIndex { $0.open == nil }
        }
    }

    /// Who has a connection, or is to have it.
    enum Owner { case slot(Place), leases, line(Int), lent }

    /// How often deadlines are looked after while there is anything to look after.
    static let tickInterval: Duration = .milliseconds(50)
    /// How long no further connection is made after one could not be, or was lost before it had done anything.
    static let widenInterval: Duration = .seconds(10)
    /// How often a statement comes back for no fault of its own before it is told.
    static let maximumReturns = 3

    let configuration: PostgresConfiguration
    /// What the batches of all pools know of each other, and by which number this pool is known there. All pools have one
    /// clock.
    let turnstile: Locked<Turnstile>
    let number: Int
    /// Writes that wait until another of their key has ended, by ``OrderingKey/fingerprint``, in order.
    var parked: [UInt64: [StatementID]] = [:]
    /// Whether nobody waits for a statement any more, asked before it is sent.
    var isAbandoned: (StatementID) -> Bool = { _ in false }
    var now: Instant
    var table = StatementTable()
    /// Writes, then reads if they have connections of their own.
    var lanes: [Lane]
    var lines = LoneLines()
    var leases: Leases
    var owners: [ConnectionID: Owner] = [:]
    /// Why the last attempt to connect failed, if it did.
    var lastError: PostgresError?
    var isClosing = false
    var isFinished = false
    /// Whether a turn's end may have something to send.
    private(set) var mayDispatch = false
    /// Whether deadlines must be looked after.
    private(set) var isBusy = false
    var actions: [Action] = []
    private var lastConnection = 0
    var lastLine = 0
    var random: Jitter

    init(
        configuration: PostgresConfiguration, now: Instant, seed: UInt64, turnstile: Locked<Turnstile>? = nil,
        number: Int = 0
    ) {
        self.configuration = configuration
        self.turnstile = turnstile ?? Locked(Turnstile(configuration))
        self.number = number
        self.now = now
        random = Jitter(seed: seed)
        func lane(_ count: Int) -> Lane {
            let slot = Slot(backoff: Backoff(configuration.reconnectDelay))
            return Lane(slots: Array(repeating: slot, count: count))
        }
        lanes = [lane(max(1, configuration.connectionsPerLoop))]
        if configuration.readConnectionsPerLoop > 0 { lanes.append(lane(configuration.readConnectionsPerLoop)) }
        leases = Leases(backoff: Backoff(configuration.reconnectDelay))
    }

    /// Takes an event in.
    ///
    /// - Returns: What is to be done, in order. What follows from doing it comes as further events.
    mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        self.now = now
        switch event {
        case .started: start()
        case .submitted(let id, let request): submit(id, request)
        case .cancelled(let id): cancel(id)
        case .turnEnded: break
        case .ticked: tick()
        case .opened(let id): opened(id)
        case .failedToOpen(let id, let error): failedToOpen(id, error)
        case .freed(let id): freed(id)
        case .lost(let id): lost(id)
        case .settled(let connection, let id, let verdict): settled(connection, id, verdict)
        case .batchEnded(let id, let ending, let isFree): batchEnded(id, ending, isFree)
        case .leaseRequested(let id): requestLease(.caller(id))
        case .leaseCancelled(let id): cancelLease(id)
        case .released(let id, let isUsable): release(id, isUsable: isUsable)
        case .turnstileOpened: unpark()
        case .stopped: stop()
        }
        if case .turnEnded = event {
            mayDispatch = false
            dispatch()
        } else {
            mayDispatch = true
        }
        if isClosing { finishIfQuiet() }
        isBusy = table.count > 0 || !leases.requests.isEmpty || isClosing
        if actions.isEmpty { return [] }
        defer { actions = [] }
        return actions
    }

    /// Whether a caller has the connection to itself.
    func isLent(_ id: ConnectionID) -> Bool { if case .lent? = owners[id] { true } else { false } }

    /// How many statements wait for a connection.
    var waitingCount: Int { lanes.reduce(0) { $0 + $1.waiting } }

    /// When time matters next: soon while anything waits or is under way, else when a connection is due for something.
    ///
    /// Mutating, though it changes nothing: the state is large, and asking it must not copy it.
    mutating func nextTick(after now: Instant) -> Instant? {
        guard !isFinished else { return nil }
        let soon = now + Self.tickInterval
        guard !isBusy else { return soon }
        var next: Instant?
        func consider(_ instant: Instant) { next = max(soon, min(next ?? instant, instant)) }
        for lane in lanes {
            for slot in lane.slots {
                guard let open = slot.open else { continue }
                if let deadline = open.batch?.probeDeadline { consider(deadline) }
                if slot.attempt == nil, slot.successor == nil { consider(open.retireAt) }
            }
            for (number, slot) in lane.slots.enumerated() {
                guard let open = slot.open else { continue }
                let idleTime = number == 0 ? configuration.keepAliveInterval : configuration.leasedConnectionIdleTimeout
                if let idleTime { consider(open.idleSince + idleTime) }
            }
        }
        for open in leases.idle { consider(leaseEnd(open)) }
        return next
    }

    /// A name for one more connection.
    mutating func makeConnectionID() -> ConnectionID {
        lastConnection += 1
        return ConnectionID(number: lastConnection)
    }

    // MARK: From start to stop

    private mutating func start() {
        for lane in lanes.indices { connect(Place(lane: lane, slot: 0), after: .zero) }
    }

    /// Lets what is under way come to its end and refuses the rest.
    private mutating func stop() {
        guard !isClosing else { return }
        isClosing = true
        for id in parked.values.flatMap(\.self) { fail(id, PostgresError(.closed)) }
        parked = [:]
        for lane in lanes.indices {
            failAll(of: lane, PostgresError(.closed))
            for place in places(of: lane) {
                if let attempt = self[place].attempt { close(attempt) }
                if let successor = self[place].successor { close(successor.id) }
                self[place].attempt = nil
                self[place].successor = nil
            }
        }
        closeLeases()
        dispatch()
    }

    private mutating func finishIfQuiet() {
        guard !isFinished else { return }
        for lane in lanes.indices {
            let isLost = lanes[lane].slots.allSatisfy { $0.open == nil }
            if isLost { failAll(of: lane, PostgresError(.notSent)) }
            for place in places(of: lane) {
                guard self[place].isIdle, lanes[lane].waiting == 0, let open = self[place].open else { continue }
                self[place].open = nil
                close(open.id)
            }
        }
        let isQuiet = lanes.allSatisfy { lane in lane.slots.allSatisfy { $0.open?.batch == nil } }
        guard isQuiet, table.count == 0, lines.isEmpty, leases.isUnused else { return }
        isFinished = true
        for lane in lanes.indices {
            for place in places(of: lane) {
                if let open = self[place].open { close(open.id) }
                self[place].open = nil
            }
        }
        actions.append(.finish)
    }

    private mutating func failAll(of lane: Int, _ error: PostgresError) {
        while let id = lanes[lane].queue.next() { fail(id, error) }
        for place in places(of: lane) {
            for id in self[place].takeRedo() { fail(id, error) }
        }
    }

    // MARK: Time

    private mutating func tick() {
        renewLines()
        expire(parked.values.flatMap(\.self))
        unpark()
        for lane in lanes.indices {
            expire(lanes[lane].queue.filter { table.phase($0) == .queued })
            if lanes[lane].queue.length > 2 * lanes[lane].waiting + 64 {
                let table = table
                lanes[lane].queue.keep { table.phase($0) == .queued }
            }
            for place in places(of: lane) {
                expire(self[place].redo)
                self[place].redo = self[place].redo.filter { table.contains($0) }
                self[place].open = cancelledIfOverdue(self[place].open)
                relieve(place)
                tend(place)
                leaveTurnstile(place)
            }
        }
        let numbers = lines.numbers
        for number in numbers {
            guard let line = lines[number] else { continue }
            expire(line.waiting)
            if let open = cancelledIfOverdue(line.open) { lines[number]?.open = open }
        }
        for number in numbers {
            if let open = lines[number]?.open, let deadline = open.batch?.probeDeadline, deadline <= now {
                actions.append(.drop(open.id))
            }
            advance(number)
        }
        tendLeases()
        dispatch()
    }

    /// Asks the server to stop the connection's batch, if someone's time is over.
    private mutating func cancelledIfOverdue(_ open: Open?) -> Open? {
        guard var open, let batch = open.batch, isOverdue(batch) else { return open }
        open.batch?.stop()
        actions.append(.cancelBatch(open.id))
        return open
    }

    private mutating func expire(_ ids: [StatementID]) {
        for id in ids {
            guard let statement = table[id], statement.queueDeadline <= now else { continue }
            let isReached = lanes[lane(of: statement.access)].slots.contains { $0.open != nil }
            guard !isReached, let cause = lastError else {
                fail(id, PostgresError(statement.deadline <= now ? .deadlineExceeded : .queueTimeout))
                continue
            }
            // Not too busy: the server is out of reach.
            var error = PostgresError(.connectionFailed)
            error.serverMessage = cause.serverMessage
            fail(id, error)
        }
    }

    /// Whether the server must be asked to stop, because someone's time is over, or because nobody waits any more.
    ///
    /// The request meets whichever statement runs: of separate transactions the first that has not come to its end.
    private mutating func isOverdue(_ batch: Batch) -> Bool {
        expire(batch.returned)
        let unsettled = batch.unsettled
        guard !batch.isCancelled, !unsettled.isEmpty else { return false }
        var isOverdue = false
        for id in batch.transactions == .separate ? unsettled.prefix(1) : unsettled[...] {
            guard let statement = table[id], statement.deadline <= now else { continue }
            if statement.abandonment == nil { table.update(id) { $0.abandonment = .deadlineExceeded } }
            isOverdue = true
        }
        guard !isOverdue else { return true }
        // Others do not run again because one of them has gone.
        for id in unsettled {
            if let statement = table[id], statement.cancelAt.map({ $0 > now }) != false { return false }
        }
        return true
    }
}

/// A small generator of random numbers (SplitMix64), so that a pool's waits can be repeated in tests.
struct Jitter: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
