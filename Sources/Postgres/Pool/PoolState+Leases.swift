// Further connections, made when needed and up to a bound, each lent to one holder at a time.

extension PoolState {
    /// The further connections of a loop.
    struct Leases {
        /// Open and free, the one used last at the end.
        var idle: [Open] = []
        /// Being made.
        var attempts: Set<ConnectionID> = []
        /// How many are lent, and those that callers have.
        var lent = 0
        var borrowed: [ConnectionID: Open] = [:]
        var requests = LeaseQueue()
        var backoff: Backoff
        var isClosed = false
        /// Whether connections are being given to those who wait, from which more can become free.
        var isServing = false

        /// Whether nobody holds or awaits a connection.
        var isUnused: Bool { lent == 0 && requests.isEmpty }

        /// Whether one more connection may be made.
        func hasRoom(within limit: Int) -> Bool { lent + idle.count + attempts.count < limit }
    }

    /// Someone who waits for a connection.
    struct LeaseRequest {
        let holder: Holder
        let deadline: Instant
    }

    enum Holder: Hashable { case caller(LeaseID), line(Int) }

    mutating func requestLease(_ holder: Holder) {
        guard !leases.isClosed else { return refuseLease(holder, PostgresError(.closed)) }
        guard leases.requests.count < configuration.waitingLimit else {
            return refuseLease(holder, PostgresError(.queueFull))
        }
        leases.requests.append(
            LeaseRequest(holder: holder, deadline: now + configuration.queueTimeout))
        serveLeases()
    }

    mutating func cancelLease(_ id: LeaseID) {
        guard leases.requests.remove(.caller(id)) else { return }
        refuseLease(.caller(id), PostgresError(.cancelled))
    }

    /// Takes a connection back: free and clean, or closed.
    mutating func release(_ id: ConnectionID, isUsable: Bool) {
        guard case .lent? = owners[id] else { return }
        leases.lent -= 1
        if isUsable, !leases.isClosed, let open = leases.borrowed.removeValue(forKey: id), open.retireAt > now {
            putBack(open)
        } else {
            leases.borrowed[id] = nil
            close(id)
        }
        serveLeases()
    }

    mutating func leaseOpened(_ id: ConnectionID) {
        leases.attempts.remove(id)
        leases.backoff.succeeded()
        guard !leases.isClosed else { return close(id) }
        putBack(makeOpen(id))
        serveLeases()
    }

    mutating func leaseFailedToOpen(_ id: ConnectionID) {
        leases.attempts.remove(id)
        openLeases(after: leases.backoff.failed(random: Double.random(in: 0..<1, using: &random)))
    }

    /// Refuses those who have waited too long, and closes what nobody has used for long.
    mutating func tendLeases() {
        let late = leases.requests.takeLate(at: now)
        let over = leases.idle.filter { leaseEnd($0) <= now }
        leases.idle.removeAll { open in over.contains { $0.id == open.id } }
        for request in late {
            var error = PostgresError(.queueTimeout)
            error.serverMessage = lastError?.serverMessage
            refuseLease(request.holder, error)
        }
        for open in over { close(open.id) }
    }

    /// When an idle connection is closed.
    func leaseEnd(_ open: Open) -> Instant {
        min(open.retireAt, open.idleSince + configuration.leasedConnectionIdleTimeout)
    }

    /// Closes what is idle and refuses who waits; what is lent is closed when it comes back.
    mutating func closeLeases() {
        leases.isClosed = true
        let (requests, idle, attempts) = (leases.requests.takeAll(), leases.idle, leases.attempts)
        leases.idle = []
        leases.attempts = []
        for request in requests { refuseLease(request.holder, PostgresError(.closed)) }
        for open in idle { close(open.id) }
        for id in attempts { close(id) }
    }

    /// A connection that was lent does not come back: there is room for another.
    mutating func lentIsGone() {
        leases.lent -= 1
        serveLeases()
    }

    private mutating func putBack(_ open: Open) {
        var open = open
        open.idleSince = now
        open.isFree = true
        open.batch = nil
        owners[open.id] = .leases
        leases.idle.append(open)
    }

    private mutating func serveLeases() {
        // A line for which nobody waits any more hands its connection back at once. The next one gets it from here and not from
        // within that call: there may be thousands such lines.
        guard !leases.isServing else { return }
        leases.isServing = true
        while !leases.requests.isEmpty, let open = leases.idle.popLast() {
            guard open.retireAt > now else {
                close(open.id)
                continue
            }
            if let request = leases.requests.next() { lend(open, to: request.holder) }
        }
        leases.isServing = false
        openLeases(after: .zero)
    }

    private mutating func openLeases(after delay: Duration) {
        let limit = configuration.leasedConnectionsPerLoop
        while leases.attempts.count < leases.requests.count, leases.hasRoom(within: limit) {
            let id = makeConnectionID()
            leases.attempts.insert(id)
            owners[id] = .leases
            actions.append(.open(id, .leases, after: delay))
        }
    }

    private mutating func lend(_ open: Open, to holder: Holder) {
        leases.lent += 1
        switch holder {
        case .caller(let id):
            owners[open.id] = .lent
            leases.borrowed[open.id] = open
            actions.append(.lend(open.id, id))
        case .line(let number): lineLeased(number, open)
        }
    }

    private mutating func refuseLease(_ holder: Holder, _ error: PostgresError) {
        switch holder {
        case .caller(let id): actions.append(.refuse(id, error))
        case .line(let number): lineRefused(number, error)
        }
    }
}
