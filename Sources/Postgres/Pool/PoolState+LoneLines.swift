import EventLoop

// Statements that wait for a lock held elsewhere.

extension PoolState {
    /// Statements of one key that wait for a lock held elsewhere: they run by themselves, one after the other, on a
    /// connection of their own and with more patience, so that nobody waits with them. Meanwhile the turnstile keeps their key
    /// for them, or another loop's statement of it would wait for the same lock, and its batch with it.
    struct LoneLine {
        let number: Int
        let key: OrderingKey?
        /// What the turnstile knows the line by.
        var ticket: Turnstile.Ticket?
        var waiting: [StatementID]
        /// The connection that was lent, if one was.
        var open: Open?
        var isRequesting = false
        /// Whether the connection is none of those that are lent, and is closed when it has nothing to do.
        var endsWithBatch = false
    }

    /// Sends statements of one key to a line of their own.
    mutating func goAlone(_ ids: [StatementID]) {
        guard let first = ids.first else { return }
        for id in ids { waitsInLine(id) }
        let key = table.key(first)
        if let key, let number = lines.number(of: key) {
            lines[number]?.waiting += ids
            return
        }
        lastLine += 1
        let (number, now) = (number, now)
        let ticket = key.map(\.fingerprint).flatMap { fingerprint in
            fingerprint == 0 ? nil : turnstile.withLock { $0.enterAlone(number, fingerprint, at: now) }
        }
        lines.append(LoneLine(number: lastLine, key: key, ticket: ticket, waiting: ids))
        advance(lastLine)
    }

    /// Takes a statement into the line of its key, if there is one, behind those of its key that were handed in before it and
    /// are still parked.
    mutating func join(_ id: StatementID, _ key: OrderingKey?) -> Bool {
        guard let key, let number = lines.number(of: key) else { return false }
        let joining = takeParked(before: id, key) + [id]
        for id in joining { waitsInLine(id) }
        lines[number]?.waiting += joining
        return true
    }

    private mutating func waitsInLine(_ id: StatementID) {
        guard let access = table[id]?.access else { return }
        table.update(id) { $0.phase = .line }
        lanes[lane(of: access)].waitingInLines += 1
    }

    /// Begins, or goes on with the next.
    mutating func advance(_ number: Int) {
        guard let line = lines[number] else { return }
        let isBusy = line.open?.batch != nil
        var waiting: [StatementID] = []
        for id in line.waiting where table.contains(id) && (isBusy || !drops(id)) { waiting.append(id) }
        if waiting.count < line.waiting.count { lines[number]?.waiting = waiting }
        guard !isBusy else { return }
        guard let next = waiting.first else { return end(number) }
        guard let open = line.open else {
            guard !line.isRequesting else { return }
            lines[number]?.isRequesting = true
            return requestLease(.line(number))
        }
        // A cancellation of the one before is still on its way.
        guard open.isFree else { return }
        if let access = table[next]?.access { lanes[lane(of: access)].waitingInLines -= 1 }
        table.update(next) { $0.phase = .sent }
        waiting.removeFirst()
        lines[number]?.waiting = waiting
        lines[number]?.open?.batch = Batch(statements: [next], transactions: .patient)
        actions.append(.send(open.id, [next], .patient))
    }

    /// Says that the lines are alive, so that they keep their keys.
    func renewLines() {
        guard !lines.isEmpty else { return }
        let (number, now) = (number, now)
        turnstile.withLock { $0.renewLone(of: number, at: now) }
    }

    private mutating func end(_ number: Int) {
        guard let line = lines.remove(number) else { return }
        if let ticket = line.ticket {
            leaveTurnstile(ticket)
            // Those of other pools are told; its own are here.
            unpark()
        }
        if let open = line.open, line.endsWithBatch {
            close(open.id)
            lentIsGone()
        } else if let open = line.open {
            handBack(open)
        }
        leases.requests.remove(.line(number))
    }

    private mutating func handBack(_ open: Open) {
        owners[open.id] = .lent
        leases.borrowed[open.id] = open
        release(open.id, isUsable: open.isFree)
    }

    mutating func lineLeased(_ number: Int, _ open: Open) {
        owners[open.id] = .line(number)
        guard lines[number] != nil else { return handBack(open) }
        lines[number]?.isRequesting = false
        lines[number]?.endsWithBatch = false
        lines[number]?.open = open
        advance(number)
    }

    mutating func lineRefused(_ number: Int, _ error: PostgresError) {
        guard let refused = lines[number]?.waiting else { return }
        lines[number]?.waiting = []
        lines[number]?.isRequesting = false
        for id in refused { fail(id, error) }
        advance(number)
    }

    mutating func lineFreed(_ number: Int) {
        lines[number]?.open?.isFree = true
        advance(number)
    }

    mutating func lineLost(_ number: Int) {
        lines[number]?.open = nil
        lentIsGone()
        advance(number)
    }

    /// The line's batch of one has come to its end.
    mutating func lineEnded(_ number: Int, _ ending: BatchEnding, _ isFree: Bool) {
        guard var open = lines[number]?.open, var batch = open.batch.take() else { return }
        open.isFree = isFree
        switch ending {
        case .committed:
            lines[number]?.open = open
            answer(batch.unsettled)
        case .rolledBack(_, let error):
            lines[number]?.open = open
            for id in batch.unsettled { refused(id, error, &batch.returned) }
        case .lost(let error):
            lines[number]?.open = nil
            owners[open.id] = nil
            for id in batch.unsettled { fail(id, error) }
        }
        var isGone = lines[number]?.open == nil
        if case .rolledBack(_, let error) = ending, error.needsAnotherSession {
            lines[number]?.open = nil
            close(open.id)
            isGone = true
        }
        // Also when the connection was lost: in its lane a later one of the key could come first.
        let returned = batch.returned.filter { table.contains($0) }
        for id in returned { waitsInLine(id) }
        lines[number]?.waiting.insert(contentsOf: returned, at: 0)
        if isGone { lentIsGone() }
        advance(number)
    }
}
