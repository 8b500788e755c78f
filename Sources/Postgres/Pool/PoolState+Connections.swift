// The connections of the lanes: made, replaced, kept alive.

extension PoolState {
    /// Makes the place's connection.
    mutating func connect(_ place: Place, after delay: Duration) {
        guard !isClosing, self[place].attempt == nil else { return }
        let id = makeConnectionID()
        self[place].attempt = id
        owners[id] = .slot(place)
        actions.append(.open(id, .batches, after: delay))
    }

    mutating func opened(_ id: ConnectionID) {
        lastError = nil
        switch owners[id] {
        case .slot(let place)? where self[place].attempt == id:
            self[place].attempt = nil
            if self[place].open == nil {
                self[place].open = makeOpen(id)
            } else {
                self[place].successor = makeOpen(id)
                relieve(place)
            }
        case .leases?: leaseOpened(id)
        // Nobody wants it any more.
        default: close(id)
        }
    }

    mutating func failedToOpen(_ id: ConnectionID, _ error: PostgresError) {
        lastError = error
        switch owners.removeValue(forKey: id) {
        case .slot(let place)? where self[place].attempt == id:
            self[place].attempt = nil
            if place.slot == 0 || self[place].open != nil {
                connect(place, after: wait(place))
            } else {
                // The server may have no room for more, and what there is has better uses.
                lanes[place.lane].widensAt = now + Self.widenInterval
            }
        case .leases?: leaseFailedToOpen(id)
        default: break
        }
    }

    mutating func freed(_ id: ConnectionID) {
        switch owners[id] {
        case .slot(let place)?:
            if self[place].open?.id == id { self[place].open?.isFree = true }
        case .line(let number)?: lineFreed(number)
        default: break
        }
    }

    mutating func lost(_ id: ConnectionID) {
        switch owners.removeValue(forKey: id) {
        case .slot(let place)?:
            if self[place].successor?.id == id { self[place].successor = nil }
            guard let open = self[place].open, open.id == id else { return }
            replace(place, hadServed: open.hasServed)
        case .leases?: leases.idle.removeAll { $0.id == id }
        case .line(let number)?: lineLost(number)
        case .lent?:
            leases.borrowed[id] = nil
            lentIsGone()
        case nil: break
        }
    }

    /// Drops a connection that only another session cures.
    mutating func renew(_ place: Place) {
        guard let open = self[place].open else { return }
        close(open.id)
        replace(place, hadServed: open.hasServed)
    }

    /// Gets a connection for a place that has lost its own: at once, unless that one has never done anything. What was
    /// to run again there waits for no place in particular.
    private mutating func replace(_ place: Place, hadServed: Bool) {
        unpark()
        giveBack(self[place].takeRedo(), to: place.lane)
        _ = self[place].takeOver()
        leaveTurnstile(place)
        // The further ones are made when they are needed, but not again at once where one was no use.
        if !hadServed { lanes[place.lane].widensAt = now + Self.widenInterval }
        guard self[place].open == nil, place.slot == 0 else { return }
        connect(place, after: hadServed ? .zero : wait(place))
    }

    private mutating func wait(_ place: Place) -> Duration {
        let random = Double.random(in: 0..<1, using: &random)
        return self[place].wait(random: random)
    }

    /// The place's connection, or the one that takes over from it now.
    mutating func takeOver(_ place: Place) -> Open? {
        if self[place].canTakeOver, let former = self[place].takeOver() { close(former.id) }
        return self[place].open
    }

    /// Looks after a place: a connection that has grown old gets a successor, an idle one is asked for a sign of life.
    mutating func tend(_ place: Place) {
        guard let open = self[place].open else { return }
        if let deadline = open.batch?.probeDeadline {
            if deadline <= now { actions.append(.drop(open.id)) }
            return
        }
        guard open.batch == nil, open.isFree, !isClosing else { return }
        if place.slot > 0, open.idleSince + configuration.leasedConnectionIdleTimeout <= now {
            self[place].open = nil
            close(open.id)
            if let successor = self[place].successor.take() { close(successor.id) }
        } else if open.retireAt <= now {
            if self[place].successor != nil {
                _ = takeOver(place)
            } else {
                connect(place, after: .zero)
            }
        } else if place.slot == 0, let interval = configuration.keepAliveInterval, open.idleSince + interval <= now {
            let deadline = now + configuration.connectTimeout
            self[place].open?.batch = Batch(
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
