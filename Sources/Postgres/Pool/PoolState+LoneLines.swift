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
        for id in ids { table.update(id) { $0.phase = .line } }
        let key = table.key(first)
        if key != nil, let index = lines.firstIndex(where: { $0.key == key }) {
            lines[index].waiting += ids
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
        guard let key, let index = lines.firstIndex(where: { $0.key == key }) else { return false }
        for earlier in takeParked(before: id, key) {
            table.update(earlier) { $0.phase = .line }
            lines[index].waiting.append(earlier)
        }
        table.update(id) { $0.phase = .line }
        lines[index].waiting.append(id)
        return true
    }

    /// Begins, or goes on with the next.
    mutating func advance(_ number: Int) {
        guard let index = lines.firstIndex(where: { $0.number == number }) else { return }
        lines[index].waiting = lines[index].waiting.filter { table.contains($0) }
        guard lines[index].open?.batch == nil else { return }
        for id in lines[index].waiting where drops(id) { lines[index].waiting.removeAll { $0 == id } }
        guard !lines[index].waiting.isEmpty else { return end(index) }
        guard let open = lines[index].open else {
            guard !lines[index].isRequesting else { return }
            lines[index].isRequesting = true
            return requestLease(.line(number))
        }
        // A cancellation of the one before is still on its way.
        guard open.isFree else { return }
        let next = lines[index].waiting.removeFirst()
        table.update(next) { $0.phase = .sent }
        lines[index].open?.batch = Batch(statements: [next], transactions: .patient)
        actions.append(.send(open.id, [next], .patient))
    }

    /// Says that the lines are alive, so that they keep their keys.
    func renewLines() {
        let (tickets, now) = (lines.compactMap(\.ticket), now)
        guard !tickets.isEmpty else { return }
        turnstile.withLock { turnstile in
            for ticket in tickets { turnstile.renew(ticket, at: now) }
        }
    }

    private mutating func end(_ index: Int) {
        let line = lines.remove(at: index)
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
        leases.requests.removeAll { $0.holder == .line(line.number) }
    }

    private mutating func handBack(_ open: Open) {
        owners[open.id] = .lent
        leases.borrowed[open.id] = open
        release(open.id, isUsable: open.isFree)
    }

    mutating func lineLeased(_ number: Int, _ open: Open) {
        owners[open.id] = .line(number)
        guard let index = lines.firstIndex(where: { $0.number == number }) else { return handBack(open) }
        lines[index].isRequesting = false
        lines[index].endsWithBatch = false
        lines[index].open = open
        advance(number)
    }

    mutating func lineRefused(_ number: Int, _ error: PostgresError) {
        guard let index = lines.firstIndex(where: { $0.number == number }) else { return }
        let refused = lines[index].waiting
        lines[index].waiting = []
        lines[index].isRequesting = false
        for id in refused { fail(id, error) }
        advance(number)
    }

    mutating func lineFreed(_ number: Int) {
        guard let index = lines.firstIndex(where: { $0.number == number }) else { return }
        lines[index].open?.isFree = true
        advance(number)
    }

    mutating func lineLost(_ number: Int) {
        if let index = lines.firstIndex(where: { $0.number == number }) { lines[index].open = nil }
        lentIsGone()
        advance(number)
    }

    /// The line's batch of one has come to its end.
    mutating func lineEnded(_ number: Int, _ ending: BatchEnding, _ isFree: Bool) {
        guard let index = lines.firstIndex(where: { $0.number == number }), var open = lines[index].open,
            var batch = open.batch.take()
        else { return }
        open.isFree = isFree
        switch ending {
        case .committed:
            lines[index].open = open
            answer(batch.unsettled)
        case .rolledBack(_, let error):
            lines[index].open = open
            for id in batch.unsettled { refused(id, error, &batch.returned) }
        case .lost(let error):
            lines[index].open = nil
            owners[open.id] = nil
            for id in batch.unsettled { fail(id, error) }
        }
        var isGone = lines[index].open == nil
        if case .rolledBack(_, let error) = ending, error.needsAnotherSession {
            lines[index].open = nil
            close(open.id)
            isGone = true
        }
        // Also when the connection was lost: in its lane a later one of the key could come first.
        let returned = batch.returned.filter { table.contains($0) }
        for id in returned { table.update(id) { $0.phase = .line } }
        lines[index].waiting.insert(contentsOf: returned, at: 0)
        if isGone { lentIsGone() }
        advance(number)
    }
}
