extension RequestQueue {
    /// Sends appended requests until the task is cancelled or the queue closed.
    ///
    /// When cancelled, it cancels the attempts under way and returns; the queue can then be run again. Register
    /// handlers before: they are called first for requests that ended earlier and whose handlers have not all returned.
    /// - Throws: `QueueError` `.alreadyRunning`.
    public func run() async throws {
        guard !isClosed else { return }
        guard worker == nil else { throw QueueError(.alreadyRunning) }
        let (worker, streams) = QueueWorker.make(count: state.limit)
        self.worker = worker
        worker.deliveries.yield()
        handle(.started)
        await withTaskGroup(of: Void.self) { group in
            for (index, requests) in streams.attempts.enumerated() {
                group.addTask {
                    for await id in requests { await self.attempt(id, by: index) }
                }
            }
            group.addTask { for await _ in streams.deliveries { await self.deliver() } }
            group.addTask { for await _ in streams.refreshes { await self.refreshToken() } }
            group.addTask { for await _ in streams.compactions { await self.compactIfDue() } }
            group.addTask { for await _ in streams.ticks { await self.tick() } }
            await group.waitForAll()
        }
        worker.finish()
        self.worker = nil
        handle(.stopped)
    }

    // MARK: Attempts

    private func attempt(_ id: RequestID, by index: Int) async {
        let result = await result(of: id)
        handle(.attemptEnded(id, result))
        worker?.becameIdle(index)
    }

    private func result(of id: RequestID) async -> Result<HTTPResponse, ClientError> {
        guard let request = state.requests[id] else { return .failure(ClientError(.cancelled)) }
        let message: RequestMessage
        do {
            let values = request.entry.references.map { ($0, state.resolutions[$0] ?? "") }
            message = try await journal.message(of: id)
                .replacingLocalIdentifiers(with: Dictionary(values) { first, _ in first })
        } catch let error as ClientError {
            return .failure(error)
        } catch {
            // A record that could not be put aside is tried again, because the journal has the only copy.
            let isGone = (error as? DamagedRecord)?.isKept == true
            return .failure(ClientError(isGone ? .damagedRecord : .preparation, underlying: error))
        }
        // What was appended before anybody was signed in is theirs who send it.
        if owner == nil { try? await admit(await client.player?()) }
        // The queue may have been closed, or the request called off, while the message was read.
        guard !isClosed, !Task.isCancelled, state.requests[id]?.isCancelled == false else {
            return .failure(ClientError(.cancelled))
        }
        let (client, owner, name) = (client, owner, request.entry.idempotencyKey)
        let attempt = Task { () async -> Result<HTTPResponse, ClientError> in
            await JournalOwner.$current.withValue(owner) {
                do throws(ClientError) {
                    return .success(try await client.sharedAttempt(message, named: name))
                } catch {
                    return .failure(error)
                }
            }
        }
        attempts[id] = attempt
        let result = await withTaskCancellationHandler {
            await attempt.value
        } onCancel: {
            attempt.cancel()
        }
        attempts[id] = nil
        guard case .success(let response) = result else { return result }
        do throws(ClientError) {
            try types.check(response, to: request.entry)
            return result
        } catch {
            return .failure(error)
        }
    }

    // MARK: The other tasks

    private func tick() {
        worker?.timer.rang()
        handle(.ticked)
    }

    private func refreshToken() async {
        guard let refreshToken = configuration.refreshToken else { return }
        do {
            try await refreshToken()
            handle(.tokenRefreshed)
        } catch {
            handle(.tokenRefreshFailed)
        }
    }

    /// Calls the handlers of requests that ended, one request after the other.
    private func deliver() async {
        while !Task.isCancelled, !isClosed, let ending = untold.first {
            for handler in handlers.all(for: ending.entry, of: types[ending.entry.id])
            where handlers.contains(handler.token) {
                await Delivery.$current.withValue(Delivery(queue: ObjectIdentifier(self), id: ending.entry.id)) {
                    await handler.body(ending)
                }
            }
            untold.removeFirst()
            note([.told(ending.entry.id)])
            if !ending.isDead { forget(ending.entry.id) }
            publish()
        }
        if isCompactionDue { worker?.compactions.yield() }
    }

    // MARK: The journal's length

    /// Has the journal rewritten if it is due: by the worker, without one in the caller's task.
    func keepJournalShort() async {
        if let worker { if isCompactionDue { worker.compactions.yield() } } else { await compactIfDue() }
    }

    /// Whether most of the journal is no longer needed, and nothing is being written whose outcome the
    /// queue does not know yet.
    var isCompactionDue: Bool {
        journalLength >= nextCompaction && appends.isEmpty && commits == 0
            && journalLength - neededLength >= max(configuration.compactionThreshold, journalLength / 2)
    }

    /// Rewrites the journal, if it is due.
    func compactIfDue() async {
        guard isCompactionDue, !isClosed, let kept = try? contents().kept() else { return }
        // Records from now on are written after it.
        let before = journalLength
        nextCompaction = .max
        do {
            let (size, damaged) = try await journal.compact(keeping: kept)
            journalLength += size - before
            nextCompaction = configuration.compactionThreshold
            // An attempt to send a damaged one calls its handlers; those of a dead letter were called already.
            for id in damaged where state.deadLetters[id] != nil {
                forget(id)
                handle(.deadLetterRemoved(id))
            }
        } catch {
            // The disk has no room for a second file, for instance.
            nextCompaction = journalLength * 2
        }
    }

    /// The contents that the journal must still have.
    private func contents() -> JournalContents {
        var contents = JournalContents()
        contents.lastID = lastID
        contents.owner = owner
        state.trimResolutions()
        contents.resolutions = state.resolutions.all
        for request in state.requests.values {
            contents.requests.append(
                JournalContents.Request(
                    entry: request.entry, progress: request.progress, isCancelled: request.isCancelled))
        }
        let endings = untold.map { ($0.entry, $0.attempts, $0.outcome, $0.isDead, false) }
        let untoldIDs = Set(untold.map(\.entry.id))
        let dead = state.deadLetters.values.filter { !untoldIDs.contains($0.entry.id) }
            .map { ($0.entry, $0.attempts, QueueOutcome<HTTPResponse>.failure($0.error), true, true) }
        for (entry, attempts, outcome, isDead, isTold) in endings + dead {
            contents.requests.append(
                JournalContents.Request(
                    entry: entry, progress: JournalRecord.Progress(attempts: UInt32(clamping: attempts)),
                    ending: (outcome, isDead, isTold)))
        }
        contents.requests.sort { $0.entry.id < $1.entry.id }
        return contents
    }
}

/// A call of a handler: what the handler does can tell that it is one.
struct Delivery: Hashable, Sendable {
    let queue: ObjectIdentifier
    /// The request that has ended.
    let id: RequestID

    @TaskLocal static var current: Delivery?
}
