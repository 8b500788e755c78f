import EventLoop

// What becomes of statements: in, sent, answered.

extension PoolState {
    // MARK: In

    mutating func submit(_ id: StatementID, _ request: Request) {
        let deadline = now + (request.timeout ?? configuration.statementTimeout)
        let queueDeadline = min(now + configuration.queueTimeout, deadline)
        let lane = lane(of: request.access)
        table.insert(
            id,
            PendingStatement(
                access: request.access, attempts: Int32(clamping: request.attempts), key: request.key,
                queueDeadline: queueDeadline, deadline: deadline))
        lanes[lane].waiting += 1
        if isClosing { return fail(id, PostgresError(.closed)) }
        guard lanes[lane].waiting + lanes[lane].waitingInLines <= configuration.waitingLimit, !waitsTooLong(lane) else {
            return fail(id, PostgresError(.queueFull))
        }
        lanes[lane].queue.append(id)
    }

    /// Whether the statement that came last to a lane is to be expected to wait longer than the configuration allows.
    ///
    /// What fits into the next batches may wait however long they take: were nobody let in, nobody would learn that the
    /// server is fast again.
    private func waitsTooLong(_ lane: Int) -> Bool {
        guard let limit = configuration.expectedWaitLimit, lanes[lane].waiting > configuration.batchSize else {
            return false
        }
        // A server that stands still tells nothing but how long the batches under way have taken already.
        let underWay = lanes[lane].slots.compactMap { slot in slot.open?.batch.map { now - $0.began } }
        let round = configuration.batchSize * max(1, underWay.count)
        guard lanes[lane].waiting > round else { return false }
        let batchTime = max(lanes[lane].batchTime, underWay.min() ?? .zero)
        return batchTime * ((lanes[lane].waiting - 1) / round + 1) > limit
    }

    /// Nobody wants the answer any more.
    mutating func cancel(_ id: StatementID) {
        guard let statement = table[id], statement.abandonment == nil else { return }
        guard statement.phase == .sent else { return fail(id, PostgresError(.cancelled)) }
        let cancelAt = now + configuration.cancellationGrace
        table.update(id) {
            $0.abandonment = .cancelled
            $0.cancelAt = cancelAt
        }
    }

    /// Fails a statement that nobody waits for any more, before it is sent.
    ///
    /// - Returns: Whether it was one.
    mutating func drops(_ id: StatementID) -> Bool {
        guard isAbandoned(id) else { return false }
        fail(id, PostgresError(.cancelled))
        return true
    }

    /// Where statements of a kind wait.
    func lane(of access: StatementAccess) -> Int { access == .read ? lanes.count - 1 : 0 }

    // MARK: Sent

    /// Gives the connections that are free, and that the turnstile lets pass, what waits for them.
    mutating func dispatch() {
        for lane in lanes.indices {
            for place in places(of: lane) {
                guard lanes[lane].queue.length > 0 || !self[place].redo.isEmpty else { continue }
                guard let open = takeOver(place), open.batch == nil, open.isFree else { continue }
                guard !self[place].redo.isEmpty || mayBegin(lane) else { continue }
                send(on: open.id, place)
            }
            if lanes[lane].queue.length > 0, !isClosing { widen(lane) }
        }
    }

    /// Whether a batch of the lane may begin, as far as their number goes.
    private func mayBegin(_ lane: Int) -> Bool {
        guard lanes[lane].slots.contains(where: { $0.ticket != nil }) else { return true }
        // A closure that uses `self` copies all of it.
        let (access, now) = (access(of: lane), now)
        return turnstile.withLock { $0.hasRoom(for: access, at: now) }
    }

    /// Makes one more connection where all that the lane has are busy and another batch could begin.
    private mutating func widen(_ lane: Int) {
        guard let slot = lanes[lane].slotToWiden, now >= lanes[lane].widensAt, mayBegin(lane) else { return }
        connect(Place(lane: lane, slot: slot), after: .zero)
    }

    private mutating func send(on connection: ConnectionID, _ place: Place) {
        var statements = takeRedo(place)
        var transactions = Transactions.separate
        if !statements.isEmpty { renewTurn(place) }
        if statements.isEmpty {
            if self[place].ticket != nil { unpark() }
            leaveTurnstile(place)
            transactions = .shared
            statements = takeNext(place)
        }
        guard !statements.isEmpty else { return }
        for id in statements { table.sent(id) }
        let batch = Batch(statements: statements, transactions: transactions, began: now, progressed: now)
        self[place].open?.batch = batch
        actions.append(.send(connection, statements, transactions))
    }

    /// Takes what runs again.
    private mutating func takeRedo(_ place: Place) -> [StatementID] {
        self[place].takeRedo().filter { id in
            guard let statement = table[id], !drops(id) else { return false }
            return statement.access == .read || !join(id, statement.key)
        }
    }

    /// Takes the next statements of a place's lane that may run now, in the order in which a batch runs them.
    private mutating func takeNext(_ place: Place) -> [StatementID] {
        var taken: [StatementID] = []
        var hasWrites = false
        // Those that are parked leave room for others behind them.
        repeat {
            var next: [StatementID] = []
            next.reserveCapacity(min(configuration.batchSize - taken.count, lanes[place.lane].waiting))
            while taken.count + next.count < configuration.batchSize, let id = lanes[place.lane].queue.next() {
                guard table.phase(id) == .queued, !drops(id) else { continue }
                lanes[place.lane].waiting -= 1
                let isWrite = table.isWrite(id)
                if !lines.isEmpty, isWrite, join(id, table.key(id)) { continue }
                hasWrites = hasWrites || isWrite
                next.append(id)
            }
            next = admitted(next, place)
            taken = taken.isEmpty ? next : taken + next
        } while taken.count < configuration.batchSize && lanes[place.lane].queue.length > 0
        if taken.isEmpty { leaveTurnstile(place) }
        // Reads alone, which lock nothing, stay as they are.
        return hasWrites && taken.count > 1 ? inBatchOrder(taken) : taken
    }

    /// Ascending by the bytes of the key, none first; statements of one key stay in order. All loops and processes
    /// order alike, so no two batches wait for each other's locks.
    private func inBatchOrder(_ statements: [StatementID]) -> [StatementID] {
        statements.enumerated().map { (key: table.key($0.element), place: $0.offset, id: $0.element) }
            .sorted { OrderingKey.precedes($0.key, $1.key) ?? ($0.place < $1.place) }
            .map(\.id)
    }

    // MARK: The turnstile

    /// Those that the turnstile lets pass. The others are parked.
    private mutating func admitted(_ statements: [StatementID], _ place: Place) -> [StatementID] {
        guard !statements.isEmpty else { return [] }
        let (access, number, now, entered) = (access(of: place.lane), number, now, self[place].ticket)
        guard access == .write else {
            // Reads have no keys, so all of them pass.
            self[place].ticket = turnstile.withLock { turnstile in
                let ticket = entered ?? turnstile.enter(number, access, at: now)
                turnstile.add(statements.count, to: ticket)
                return ticket
            }
            return statements
        }
        let parked = parked
        let keys = statements.map { table.writtenFingerprint($0) }
        let (ticket, passes) = turnstile.withLock { turnstile in
            let ticket = entered ?? turnstile.enter(number, access, at: now)
            // Behind the parked ones of its key, whoever has ended just now: unless it comes before them.
            let passes = zip(statements, keys).map { id, key in
                (parked.isEmpty || parked[key].map { Self.precedes(id, $0[0]) } != false)
                    && turnstile.admit(key, to: ticket, at: now)
            }
            return (ticket, passes)
        }
        self[place].ticket = ticket
        guard passes.contains(false) else { return statements }
        for (index, id) in statements.enumerated() where !passes[index] { park(id, keys[index], place.lane) }
        return statements.indices.filter { passes[$0] }.map { statements[$0] }
    }

    /// Puts a statement behind those of its key that were handed in before it, or fails it where that would take too long: one
    /// of them leaves with each commit. The first comes back whenever it asks in vain, and is the first still.
    private mutating func park(_ id: StatementID, _ key: UInt64, _ lane: Int) {
        lanes[lane].waiting += 1
        let place = parked[key].flatMap { waiting in waiting.lastIndex { !Self.precedes(id, $0) } }.map { $0 + 1 } ?? 0
        if let limit = configuration.expectedWaitLimit, place > 0, lanes[lane].batchTime * place > limit {
            return fail(id, PostgresError(.queueFull))
        }
        parked[key, default: []].insert(id, at: place)
    }

    /// Whether a statement was handed in before another.
    private static func precedes(_ id: StatementID, _ other: StatementID) -> Bool {
        Int32(bitPattern: id.generation &- other.generation) < 0
    }

    /// Puts the first of the parked ones of each key back, so that they ask again. A batch that ends gives back what it had
    /// afterwards, and so before them.
    mutating func unpark() {
        guard !parked.isEmpty else { return }
        var next: [StatementID] = []
        for key in parked.keys {
            let waiting = parked[key]?.drop { table.phase($0) != .queued } ?? []
            if let first = waiting.first { next.append(first) }
            parked[key] = waiting.count > 1 ? Array(waiting.dropFirst()) : nil
        }
        lanes[0].queue.appendToReturned(next)
    }

    /// Takes those that wait for a key out of the parked ones, as far as they were handed in before a statement of that key.
    mutating func takeParked(before id: StatementID, _ key: OrderingKey) -> [StatementID] {
        guard let waiting = parked[key.fingerprint] else { return [] }
        let taken = waiting.filter {
            table.phase($0) == .queued && table.key($0) == key && Self.precedes($0, id)
        }
        guard !taken.isEmpty else { return [] }
        let left = waiting.filter { !taken.contains($0) }
        parked[key.fingerprint] = left.isEmpty ? nil : left
        lanes[0].waiting -= taken.count
        return taken
    }

    /// Tells the turnstile of a batch's end, when nothing is left of it.
    mutating func leaveTurnstile(_ place: Place) {
        // In place: to read by the subscript of a place is to copy the slot.
        if let ticket = self[place].takeTicketOfEnded() { leaveTurnstile(ticket) }
    }

    /// Gives a turn back, and tells the pools that waited for it.
    mutating func leaveTurnstile(_ ticket: Turnstile.Ticket) {
        let now = now
        let waiting = turnstile.withLock { $0.leave(ticket, at: now) }
        if !waiting.isEmpty { actions.append(.wake(waiting)) }
    }

    /// Tells the turnstile that a batch gets on.
    private func renewTurn(_ place: Place) {
        guard let ticket = self[place].ticket else { return }
        let now = now
        turnstile.withLock { $0.renew(ticket, at: now) }
    }

    private func access(of lane: Int) -> StatementAccess { lane == 0 ? .write : .read }

    // MARK: The end of a batch

    mutating func batchEnded(_ connection: ConnectionID, _ ending: BatchEnding, _ isFree: Bool) {
        switch owners[connection] {
        case .slot(let place)?: batchEnded(place, ending, isFree)
        case .line(let number)?: lineEnded(number, ending, isFree)
        default: break
        }
    }

    private mutating func batchEnded(_ place: Place, _ ending: BatchEnding, _ isFree: Bool) {
        guard var open = self[place].open, let batch = open.batch.take() else { return }
        unpark()
        defer { leaveTurnstile(place) }
        open.idleSince = now
        open.isFree = isFree
        self[place].open = open
        switch ending {
        case .committed:
            answer(batch.unsettled)
            noteTime(of: batch, place.lane)
            if !batch.statements.isEmpty { self[place].hasServed() }
            runAgain(batch.returned, place)
            // Behind a pooler the cancellation may still be on its way, to whoever has the server's session next.
            if configuration.route.isPooler, batch.wasCancelled { renew(place) }
        case .rolledBack(let culprit, let error):
            noteTime(of: batch, place.lane)
            rolledBack(batch, culprit, error, place)
        case .lost(let error):
            // The rules of the batch settle every statement: were one left, its outcome would not be known.
            for id in batch.unsettled { fail(id, error) }
            runAgain(batch.returned, place)
            lost(open.id)
        }
    }

    private mutating func noteTime(of batch: Batch, _ lane: Int) {
        guard !batch.statements.isEmpty else { return }
        let time = now - batch.began
        lanes[lane].batchTime = min(time, lanes[lane].lastBatchTime)
        lanes[lane].lastBatchTime = time
    }

    private mutating func rolledBack(
        _ batch: Batch, _ culprit: Int?, _ error: PostgresError, _ place: Place
    ) {
        let guilty = culprit.map { batch.statements[$0] }
        let key = guilty.flatMap { table[$0]?.key }
        let mayReturn = guilty.flatMap { table[$0] }.map { $0.returns < Self.maximumReturns } ?? true
        var survivors: [StatementID] = []
        for id in batch.unsettled where table.contains(id) {
            if let abandonment = table[id]?.abandonment {
                fail(id, PostgresError(abandonment))
            } else {
                survivors.append(id)
            }
        }
        if error.needsAnotherSession, mayReturn {
            comeBack(survivors, after: error, to: place.lane)
            renew(place)
        } else if error.isStaleStatement, mayReturn {
            comeBack(survivors, after: error, to: place.lane)
        } else if error.sqlState == .lockNotAvailable, let guilty {
            let waiters = survivors.filter { $0 == guilty || (key != nil && table.key($0) == key) }
            goAlone(waiters)
            giveBack(survivors.filter { !waiters.contains($0) }, to: place.lane)
        } else if batch.statements.count == 1 {
            var returned: [StatementID] = []
            for id in survivors { refused(id, error, &returned) }
            giveBack(returned, to: place.lane)
        } else {
            for id in survivors { table.update(id) { $0.phase = .redo } }
            runAgain(survivors, place)
        }
    }

    /// A statement has come to its end before its batch.
    mutating func settled(_ connection: ConnectionID, _ id: StatementID, _ verdict: Verdict) {
        guard table.phase(id) == .sent, let owner = owners[connection] else { return }
        switch owner {
        case .slot(let place):
            guard var batch = self[place].open?.batch else { return }
            settles(id, of: &batch)
            renewTurn(place)
            if case .done = verdict { self[place].hasServed() }
            settle(id, verdict, in: &batch, isAlone: false)
            self[place].open?.batch = batch
        case .line(let number):
            guard var batch = lines[number]?.open?.batch else { return }
            settles(id, of: &batch)
            settle(id, verdict, in: &batch, isAlone: true)
            lines[number]?.open?.batch = batch
        case .leases, .lent: break
        }
    }

    private func settles(_ id: StatementID, of batch: inout Batch) {
        batch.settled.insert(id)
        batch.isCancelled = false
        batch.progressed = now
        // What is left is only the end of the batch, for which nobody waits.
        if batch.unsettled.isEmpty { batch.probeDeadline = now + configuration.connectTimeout }
    }

    private mutating func settle(_ id: StatementID, _ verdict: Verdict, in batch: inout Batch, isAlone: Bool) {
        guard let statement = table[id] else { return }
        switch verdict {
        case .done: answer([id])
        case .leftOut:
            if let abandonment = statement.abandonment { return fail(id, PostgresError(abandonment)) }
            goAlone([id])
        case .unknown(let error):
            if statement.access == .write { return fail(id, error) }
            if let abandonment = statement.abandonment { return fail(id, PostgresError(abandonment)) }
            comeBack(id, after: error, &batch.returned)
        case .rolledBack(let error, isOwn: false):
            if let abandonment = statement.abandonment { return fail(id, PostgresError(abandonment)) }
            comeBack(id, after: error.beforeSending, &batch.returned)
        case .rolledBack(let error, isOwn: true):
            let isNeighbours = error.sqlState == .queryCanceled && batch.wasCancelled && statement.abandonment == nil
            if isNeighbours, batch.isSlow {
                batch.isSlow = false
                goAlone([id])
            } else if isNeighbours {
                comeBack(id, after: error, &batch.returned)
            } else if error.sqlState == .lockNotAvailable, !isAlone, statement.abandonment == nil {
                goAlone([id])
            } else {
                refused(id, error, &batch.returned)
            }
        }
    }

    /// A statement was refused for an error of its own.
    mutating func refused(_ id: StatementID, _ error: PostgresError, _ returned: inout [StatementID]) {
        guard let statement = table[id] else { return }
        if let abandonment = statement.abandonment {
            return fail(id, error.sqlState == .queryCanceled ? error.explained(by: abandonment) : error)
        }
        if error.sqlState?.isTransactionRollback == true, statement.conflicts + 1 < statement.attempts {
            table.update(id) {
                $0.conflicts += 1
                $0.phase = .redo
            }
            returned.append(id)
        } else if error.isStaleStatement || error.needsAnotherSession {
            comeBack(id, after: error, &returned)
        } else {
            fail(id, error)
        }
    }

    // MARK: Back to the queue

    /// Counts a return that is no fault of the statement's, or fails it if there were too many.
    mutating func comeBack(_ id: StatementID, after error: PostgresError, _ returned: inout [StatementID]) {
        guard let statement = table[id] else { return }
        guard statement.returns < Self.maximumReturns else { return fail(id, error) }
        table.update(id) {
            $0.returns += 1
            $0.phase = .redo
        }
        returned.append(id)
    }

    private mutating func comeBack(_ ids: [StatementID], after error: PostgresError, to lane: Int) {
        var returned: [StatementID] = []
        for id in ids { comeBack(id, after: error, &returned) }
        giveBack(returned, to: lane)
    }

    /// Puts statements among those that run next, before later ones of their keys.
    private mutating func runAgain(_ returned: [StatementID], _ place: Place) {
        guard !returned.isEmpty else { return }
        self[place].redo = inBatchOrder(
            (returned + self[place].redo).filter { table.contains($0) })
    }

    /// Puts statements back before all others of their lane.
    mutating func giveBack(_ ids: [StatementID], to lane: Int) {
        let kept = ids.filter { table.contains($0) }
        for id in kept { table.update(id) { $0.phase = .queued } }
        lanes[lane].waiting += kept.count
        lanes[lane].queue.prepend(kept)
    }

    // MARK: Out

    mutating func answer(_ ids: [StatementID]) {
        let answered = ids.filter { table.phase($0) == .sent }
        guard !answered.isEmpty else { return }
        for id in answered { table.remove(id) }
        actions.append(.answer(answered))
    }

    mutating func fail(_ id: StatementID, _ error: PostgresError) {
        guard let statement = table.remove(id) else { return }
        switch statement.phase {
        case .queued: lanes[lane(of: statement.access)].waiting -= 1
        case .line: lanes[lane(of: statement.access)].waitingInLines -= 1
        case .redo, .sent: break
        }
        actions.append(.fail(id, error))
    }
}

extension PostgresError {
    /// Whether only another session helps: the server has become a standby, or this session read-only.
    var needsAnotherSession: Bool { sqlState == .readOnlyTransaction }
}
