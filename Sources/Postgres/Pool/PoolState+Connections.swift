// The connections of the lanes: made, replaced, kept alive.

extension PoolState {
    /// Makes the place's connection.
    mutating func connect(_ lane: Int, _ slot: Int, after delay: Duration) {
        guard !isClosing, lanes[lane].slots[slot].attempt == nil else { return }
        let id = makeConnectionID()
        lanes[lane].slots[slot].attempt = id
        owners[id] = .slot(lane, slot)
        actions.append(.open(id, .batches, after: delay))
    }

    mutating func opened(_ id: ConnectionID) {
        lastError = nil
        switch owners[id] {
        case .slot(let lane, let slot)? where lanes[lane].slots[slot].attempt == id:
            lanes[lane].slots[slot].attempt = nil
            if lanes[lane].slots[slot].open == nil {
                lanes[lane].slots[slot].open = makeOpen(id)
            } else {
                lanes[lane].slots[slot].successor = makeOpen(id)
                relieve(lane, slot)
            }
        case .leases?: leaseOpened(id)
        // Nobody wants it any more.
        default: close(id)
        }
    }

    mutating func failedToOpen(_ id: ConnectionID, _ error: PostgresError) {
        lastError = error
        switch owners.removeValue(forKey: id) {
        case .slot(let lane, let slot)? where lanes[lane].slots[slot].attempt == id:
            lanes[lane].slots[slot].attempt = nil
            connect(lane, slot, after: wait(lane, slot))
        case .leases?: leaseFailedToOpen(id)
        default: break
        }
    }

    mutating func freed(_ id: ConnectionID) {
        switch owners[id] {
        case .slot(let lane, let slot)?:
            if lanes[lane].slots[slot].open?.id == id { lanes[lane].slots[slot].open?.isFree = true }
        case .line(let number)?: lineFreed(number)
        default: break
        }
    }

    mutating func lost(_ id: ConnectionID) {
        switch owners.removeValue(forKey: id) {
        case .slot(let lane, let slot)?:
            if lanes[lane].slots[slot].successor?.id == id { lanes[lane].slots[slot].successor = nil }
            guard let open = lanes[lane].slots[slot].open, open.id == id else { return }
            replace(lane, slot, hadServed: open.hasServed)
        case .leases?: leases.idle.removeAll { $0.id == id }
        case .line(let number)?: lineLost(number)
        case .lent?:
            leases.borrowed[id] = nil
            lentIsGone()
        case nil: break
        }
    }

    /// Drops a connection that only another session cures.
    mutating func renew(_ lane: Int, _ slot: Int) {
        guard let open = lanes[lane].slots[slot].open else { return }
        close(open.id)
        replace(lane, slot, hadServed: open.hasServed)
    }

    /// Gets a connection for a place that has lost its own: at once, unless that one has never done anything. What was
    /// to run again there waits for no place in particular.
    private mutating func replace(_ lane: Int, _ slot: Int, hadServed: Bool) {
        let redo = lanes[lane].slots[slot].redo
        lanes[lane].slots[slot].redo = []
        giveBack(redo, to: lane)
        lanes[lane].slots[slot].open = lanes[lane].slots[slot].successor.take()
        guard lanes[lane].slots[slot].open == nil else { return }
        connect(lane, slot, after: hadServed ? .zero : wait(lane, slot))
    }

    private mutating func wait(_ lane: Int, _ slot: Int) -> Duration {
        lanes[lane].slots[slot].backoff.failed(random: Double.random(in: 0..<1, using: &random))
    }

    /// A batch was committed on the place's connection.
    mutating func hasServed(_ lane: Int, _ slot: Int) {
        lanes[lane].slots[slot].open?.hasServed = true
        lanes[lane].slots[slot].backoff.succeeded()
    }

    /// The place's connection, or the one that takes over from it now.
    mutating func takeOver(_ lane: Int, _ slot: Int) -> Open? {
        guard let open = lanes[lane].slots[slot].open, open.batch == nil,
            let successor = lanes[lane].slots[slot].successor
        else { return lanes[lane].slots[slot].open }
        close(open.id)
        lanes[lane].slots[slot].open = successor
        lanes[lane].slots[slot].successor = nil
        return successor
    }

    /// Looks after a place: a connection that has grown old gets a successor, an idle one is asked for a sign of life.
    mutating func tend(_ lane: Int, _ slot: Int) {
        guard let open = lanes[lane].slots[slot].open else { return }
        if let deadline = open.batch?.probeDeadline {
            if deadline <= now { actions.append(.drop(open.id)) }
            return
        }
        guard open.batch == nil, open.isFree, !isClosing else { return }
        if open.retireAt <= now {
            if lanes[lane].slots[slot].successor != nil {
                _ = takeOver(lane, slot)
            } else {
                connect(lane, slot, after: .zero)
            }
        } else if let interval = configuration.keepAliveInterval, open.idleSince + interval <= now {
            let deadline = now + configuration.connectTimeout
            lanes[lane].slots[slot].open?.batch = Batch(
                statements: [], transactions: .shared, probeDeadline: deadline)
            actions.append(.send(open.id, [], .shared))
        }
    }

    mutating func makeOpen(_ id: ConnectionID) -> Open {
        let lifetime = configuration.connectionLifetime * Double.random(in: 0.9...1, using: &random)
        return Open(id: id, retireAt: now + lifetime, idleSince: now)
    }

    mutating func close(_ id: ConnectionID) {
        owners[id] = nil
        actions.append(.close(id))
    }
}

extension PostgresConfiguration.Route {
    /// Whether sessions of the server are shared with others.
    var isPooler: Bool { self != .direct }
}
