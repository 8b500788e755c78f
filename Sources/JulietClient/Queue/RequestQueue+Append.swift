import JulietAPI

/// Appends whose records are being written: they are taken in in the order of their records.
struct StagedAppends {
    private struct Staged {
        let entries: [QueueEntry]
        var isWritten: Bool?
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// By the first request of each.
    private var staged: [RequestID: Staged] = [:]
    private var order: [RequestID] = []
    private var first = 0

    var isEmpty: Bool { staged.isEmpty }

    func contains(_ id: RequestID) -> Bool { staged[id] != nil }

    mutating func add(_ entries: [QueueEntry]) {
        guard let id = entries.first?.id else { return }
        staged[id] = Staged(entries: entries)
        order.append(id)
    }

    /// Notes the end of a write.
    ///
    /// - Returns: What is to be taken in now, and who waits for that.
    mutating func ended(
        _ id: RequestID, isWritten: Bool
    ) -> [(entries: [QueueEntry], continuation: CheckedContinuation<Void, Never>?)] {
        staged[id]?.isWritten = isWritten
        var ready: [([QueueEntry], CheckedContinuation<Void, Never>?)] = []
        while first < order.count, let next = staged[order[first]], let isWritten = next.isWritten {
            ready.append((isWritten ? next.entries : [], next.continuation))
            staged[order[first]] = nil
            first += 1
        }
        if first == order.count {
            order = []
            first = 0
        }
        return ready
    }

    mutating func wait(for id: RequestID, _ continuation: CheckedContinuation<Void, Never>) {
        staged[id]?.continuation = continuation
    }
}

/// A ticket, if somebody still has it.
struct WeakTicket {
    weak var ticket: AnswerTicket?
}

extension RequestQueue {
    /// Appends a request, and returns when it is on the disk.
    ///
    /// - Returns: A value with which you can wait for its answer.
    /// - Throws: `QueueError` `.diskFull`, `.fileError`, `.journalGone`, `.otherOwner`, `.tooLarge`, `.invalidRequest`,
    ///   `.unknownIdentifier`, `.conflictingIdentifier` or `.closed`, or `ClientError` `.encoding`: it is not in the queue.
    @discardableResult
    public func append<R: Request>(
        _ request: R, options: QueueOptions = QueueOptions()
    ) async throws -> PendingAnswer<R.Response> {
        let tickets = try await enqueue([QueueItem(request, options: options)])
        return PendingAnswer(id: tickets[0].id, ticket: tickets[0], queue: self) { response throws(ClientError) in
            try R.response(from: response)
        }
    }

    /// Appends requests in their order, all or none, and returns when they are on the disk.
    ///
    /// - Throws: As for one request: none of them is in the queue.
    @discardableResult
    public func append(_ items: [QueueItem]) async throws -> [RequestID] {
        try await enqueue(items).map(\.id)
    }

    /// Appends requests in their order, all or none, and returns when they are on the disk.
    ///
    /// - Throws: As for one request: none of them is in the queue.
    @discardableResult
    public func append(_ requests: [any Request]) async throws -> [RequestID] {
        try await append(requests.map { QueueItem($0) })
    }

    private func enqueue(_ items: [QueueItem]) async throws -> [AnswerTicket] {
        guard !isClosed else { throw QueueError(.closed) }
        guard !items.isEmpty else { return [] }
        try await admit(await client.player?())
        let date = WallClock.milliseconds
        let pairs = try items.enumerated().map { index, item in
            try item.entry(id: RequestID(number: lastID.number + UInt64(index) + 1), appendedAt: date)
        }
        try state.check(pairs.map(\.0))
        let tickets = pairs.map { AnswerTicket(id: $0.0.id) }
        for (item, ticket) in zip(items, tickets) {
            self.tickets[ticket.id] = WeakTicket(ticket: ticket)
            types[ticket.id] = item.type
        }
        do {
            try await write(pairs, replacing: [])
        } catch {
            for ticket in tickets {
                self.tickets[ticket.id] = nil
                types[ticket.id] = nil
            }
            throw error
        }
        return tickets
    }

    /// Writes requests after all others and adds them to the queue.
    ///
    /// - Parameter dead: The dead letters in whose place they come.
    func write(_ pairs: [(QueueEntry, RequestMessage)], replacing dead: [RequestID]) async throws {
        let group = try Journal.Group(
            dead.map { .removed($0) } + pairs.map { entry, message in .request(entry, message) })
        guard let first = pairs.first?.0.id, let last = pairs.last?.0.id else { return }
        lastID = last
        appends.add(pairs.map(\.0))
        let result: Result<Void, QueueError>
        do throws(QueueError) {
            try await journal.commit(group)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        if case .success = result {
            journalLength += group.length
            for (index, pair) in pairs.enumerated() { lengths[pair.0.id] = group.lengths[dead.count + index] }
            neededLength += group.lengths.dropFirst(dead.count).reduce(0, +)
            for id in dead {
                forget(id)
                handle(.deadLetterRemoved(id))
            }
        }
        for (append, continuation) in appends.ended(first, isWritten: (try? result.get()) != nil) {
            if !append.isEmpty { handle(.appended(append)) }
            continuation?.resume()
        }
        // There may be an earlier one whose records are written, but whose task has not continued yet.
        if appends.contains(first) { await withCheckedContinuation { appends.wait(for: first, $0) } }
        try result.get()
        await keepJournalShort()
    }
}
