import JulietAPI

extension RequestQueue {
    // MARK: Handlers

    /// Registers a handler for the answers to requests of a type, those of earlier launches included.
    ///
    /// Register before `run()`. Handlers are called one after the other, in the order they were registered and the
    /// requests ended; the queue continues sending meanwhile. Each is called once for a request, unless the process
    /// ended before all of them had returned.
    ///
    /// A request of an earlier launch is known by its type's whole name, module included. A handler also tells the
    /// queue how to read the answers to those requests: without one for a type of your own, every success ends them.
    /// - Parameters:
    ///   - type: Of the requests it is for.
    ///   - name: What `QueueOptions.name` says, if it says anything.
    ///   - body: Called for each request that has ended.
    @discardableResult
    public func handle<R: Request>(
        _ type: R.Type, named name: String? = nil, _ body: @escaping @Sendable (QueuedAnswer<R.Response>) async -> Void
    ) -> HandlerToken {
        types.add(type, named: name)
        return handlers.add(name.map { .named($0) } ?? .type(type, RequestName(type)), tag: nil) { ending in
            await body(
                QueuedAnswer(
                    request: QueuedRequest(
                        ending.entry, attempts: ending.attempts, state: ending.isDead ? .dead : .ended),
                    outcome: ending.outcome.map { response throws(ClientError) in try R.response(from: response) }))
        }
    }

    /// Registers a handler for the answers to requests of any type, as they came.
    ///
    /// - Parameters:
    ///   - tag: Of the requests it is for, as their options say; nil: all.
    ///   - body: Called for each request that has ended.
    @discardableResult
    public func handleAll(
        tag: String? = nil, _ body: @escaping @Sendable (QueuedAnswer<HTTPResponse>) async -> Void
    ) -> HandlerToken {
        handlers.add(.all, tag: tag) { ending in
            await body(
                QueuedAnswer(
                    request: QueuedRequest(
                        ending.entry, attempts: ending.attempts, state: ending.isDead ? .dead : .ended),
                    outcome: ending.outcome))
        }
    }

    /// Removes a handler. A call that has begun may still be running.
    public func unregister(_ token: HandlerToken) {
        handlers.remove(token)
    }

    // MARK: Those who wait

    /// Gives the outcome of a request to the callers that wait for it.
    func settle(_ id: RequestID, _ outcome: QueueOutcome<HTTPResponse>) {
        for waiter in waiters.removeValue(forKey: id) ?? [] { waiter.yield(outcome) }
        guard let ticket = tickets.removeValue(forKey: id), ticket.ticket != nil else { return }
        if outcomes.count >= 64, outcomes.count.nonzeroBitCount == 1 {
            outcomes = outcomes.filter { $0.value.ticket.ticket != nil }
        }
        outcomes[id] = (ticket, outcome)
    }

    /// Waits for the outcome of a request of this launch.
    func outcome(for ticket: AnswerTicket) async -> QueueOutcome<HTTPResponse> {
        if let known = outcomes[ticket.id] { return known.outcome }
        if isClosed { return .failure(ClientError(.queueClosed)) }
        let (stream, continuation) = AsyncStream.makeStream(of: QueueOutcome<HTTPResponse>.self)
        waiters[ticket.id, default: []].append(continuation)
        // A cancelled task gets no outcome, but the end of the stream.
        for await outcome in stream { return outcome }
        return .failure(ClientError(.cancelled))
    }

    // MARK: The requests there are

    /// The requests that have not come to their end, in the order they start.
    public var requests: [QueuedRequest] {
        state.waiting.map {
            QueuedRequest(
                $0.entry, attempts: Int($0.progress.attempts), state: $0.progress.isInFlight ? .inFlight : .waiting)
        }
    }

    /// What a request that has not come to its end sends: method, path, headers, body, as it was appended. Read from the
    /// journal.
    ///
    /// - Returns: Nil: there is no such request in the queue, or its record is damaged.
    /// - Throws: `QueueError` `.fileError` or `.closed`.
    public func message(of id: RequestID) async throws -> RequestMessage? {
        guard !isClosed else { throw QueueError(.closed) }
        guard state.requests[id] != nil || state.deadLetters[id] != nil else { return nil }
        do {
            return try await journal.message(of: id)
        } catch is DamagedRecord {
            return nil
        }
    }

    /// Cancels a request, and returns when that is on the disk. Nothing happens to one that has ended.
    ///
    /// An attempt under way is cancelled; if its answer still comes, that is the outcome.
    /// - Throws: `QueueError` `.diskFull`, `.fileError`, `.journalGone` or `.closed`: it is still in the queue.
    public func cancel(_ id: RequestID) async throws {
        guard !isClosed else { throw QueueError(.closed) }
        guard state.requests[id] != nil else { return }
        try await commit([.cancelled(id)])
        handle(.cancelled(id))
        await keepJournalShort()
    }

    /// Cancels all requests and deletes all dead letters, and returns when that is on the disk. Then the journal can be
    /// another player's. Use it too when the player was deleted: nothing here can be carried out any more.
    ///
    /// Attempts under way are cancelled, as by `cancel`.
    /// - Throws: `QueueError` `.diskFull`, `.fileError`, `.journalGone` or `.closed`: some may still be in the queue.
    public func cancelAll() async throws {
        // Some may be appended, or become dead letters, while it is written.
        while true {
            guard !isClosed else { throw QueueError(.closed) }
            let waiting = state.requests.values.filter { !$0.isCancelled }.map(\.entry.id).sorted()
            let dead = state.deadLetters.keys.sorted()
            if waiting.isEmpty, dead.isEmpty { return await keepJournalShort() }
            try await commit(waiting.map { .cancelled($0) } + dead.map { .removed($0) })
            for id in waiting { handle(.cancelled(id)) }
            for id in dead where state.deadLetters[id] != nil {
                forget(id)
                handle(.deadLetterRemoved(id))
            }
        }
    }

    /// Sets the value of a local identifier, if the app learns it in another way than from a response.
    ///
    /// - Throws: `QueueError` `.conflictingIdentifier`: it has another value already; `.invalidRequest`: the
    ///   value is empty, longer than 512 bytes or has control characters; `.diskFull`, `.fileError`, `.journalGone` or `.closed`.
    public func resolve(_ local: LocalIdentifier, to value: String) async throws {
        guard !isClosed else { throw QueueError(.closed) }
        guard IdentifierSource.isName(value) else { throw QueueError(.invalidRequest) }
        try checkConflict(local, value)
        try await commit([.resolved(local, value)])
        try checkConflict(local, value)
        handle(.resolved(local, value))
    }

    private func checkConflict(_ local: LocalIdentifier, _ value: String) throws(QueueError) {
        guard state.resolutions[local].map({ $0 == value }) ?? true else { throw QueueError(.conflictingIdentifier) }
    }

    // MARK: Dead letters

    /// The requests that will not be tried again by themselves, oldest first.
    public var deadLetters: [DeadLetter] {
        state.deadLetters.values.sorted { $0.entry.id < $1.entry.id }
            .map { DeadLetter(request: QueuedRequest($0.entry, attempts: $0.attempts, state: .dead), error: $0.error) }
    }

    /// Appends dead letters again, all or none, behind what waits. `redrive()` appends all there are.
    ///
    /// Each keeps its idempotency key. The service keeps the names of operations for good, so one that it has carried out
    /// after all takes no second effect, however old it is. It comes later than it was meant, though: redrive what is
    /// right at any time, such as a purchase, a refill or a guess with its number. Delete what depends on what came after
    /// it, such as a count that has been reported anew.
    /// - Parameter ids: Which, in this order; nil: all, oldest first.
    /// - Returns: Their new ids; ids that are not of dead letters are ignored.
    /// - Throws: As `append`, or `ClientError` `.damagedRecord`: one of them cannot be read, none was appended.
    @discardableResult
    public func redrive(_ ids: [RequestID]? = nil) async throws -> [RequestID] {
        guard !isClosed else { throw QueueError(.closed) }
        let ids = ids ?? state.deadLetters.keys.sorted()
        var messages: [RequestID: RequestMessage] = [:]
        for id in ids where state.deadLetters[id] != nil {
            do {
                messages[id] = try await journal.message(of: id)
            } catch is DamagedRecord {
                throw ClientError(.damagedRecord)
            }
        }
        let date = WallClock.milliseconds
        var pairs: [(QueueEntry, RequestMessage)] = []
        var dead: [RequestID] = []
        for id in ids {
            guard !redriven.contains(id), let letter = state.deadLetters[id],
                let message = messages.removeValue(forKey: id)
            else { continue }
            let newID = RequestID(number: lastID.number + UInt64(pairs.count) + 1)
            pairs.append((letter.entry.appended(as: newID, at: date), message))
            types[newID] = types[id]
            dead.append(id)
        }
        try state.check(pairs.map(\.0))
        // Another caller that wants to append them finds them gone.
        redriven.formUnion(dead)
        defer { redriven.subtract(dead) }
        try await write(pairs, replacing: dead)
        return pairs.map(\.0.id)
    }

    /// Deletes a dead letter, and returns when that is on the disk.
    ///
    /// - Throws: `QueueError` `.diskFull`, `.fileError`, `.journalGone` or `.closed`: it is still there.
    public func delete(_ id: RequestID) async throws {
        guard !isClosed else { throw QueueError(.closed) }
        guard state.deadLetters[id] != nil else { return }
        try await commit([.removed(id)])
        forget(id)
        handle(.deadLetterRemoved(id))
        await keepJournalShort()
    }

    func commit(_ records: [JournalRecord]) async throws {
        let group = try Journal.Group(records)
        commits += 1
        defer { commits -= 1 }
        try await journal.commit(group)
        journalLength += group.length
    }
}
