import Testing

@testable import JulietClient

/// A queue's state with the world around it: a server, a journal that crashes leave whole or without its end, and a
/// record of what is true.
struct QueueWorld {
    private(set) var random: SplitMix
    private var state: QueueState
    private var now = QueueState.Moment(uptime: .zero, date: 1_000_000)
    private var lastID: UInt64 = 0

    /// What was written, in order, and how much of that is on the disk.
    private var records: [JournalRecord] = []
    private var durable = 0

    /// Every request that was ever appended.
    private(set) var entries: [RequestID: QueueEntry] = [:]
    /// Those that have not ended.
    private var live: Set<RequestID> = []
    private(set) var ends: [RequestID: [QueueState.Ending]] = [:]
    /// What the server did, in order.
    private(set) var done: [RequestID] = []
    private var inFlight: Set<RequestID> = []
    /// Those that the server may have got, as far as the journal can know.
    private var mayHaveArrived: Set<RequestID> = []
    /// Those ahead that a request did not wait for.
    private var passed: [RequestID: Set<RequestID>] = [:]
    private var wantsToken = false
    private var isRunning = true
    private var locals: [LocalIdentifier] = []
    private let seed: UInt64

    static let limit = 3

    init(seed: UInt64) {
        self.seed = seed
        random = SplitMix(seed: seed)
        state = Self.state(JournalContents(), seed: seed)
        handle(.opened)
        handle(.started)
    }

    private static func state(_ contents: JournalContents, seed: UInt64) -> QueueState {
        QueueState(
            limit: limit,
            policy: RetryPolicy(firstDelay: .milliseconds(10), maximumDelay: .seconds(1), maximumAttempts: 8),
            scheduler: StandardScheduler(), canRefreshToken: true, contents: contents, seed: seed)
    }

    // MARK: What happens

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: append()
        case 25..<65: answer(isKind: false)
        case 65..<80: pass(.milliseconds(Int.random(in: 1...50, using: &random)))
        case 80..<83: cancel()
        case 83..<86: handle(Bool.random(using: &random) ? .paused : .resumed)
        case 86..<89: handle(.flushed)
        case 89..<93: refreshToken()
        case 93..<95: stopOrStart()
        default: crash(losingNotes: Bool.random(using: &random))
        }
    }

    /// Nothing goes wrong any more: everything must come to its end.
    mutating func finish() {
        if !isRunning { stopOrStart() }
        handle(.resumed)
        for _ in 0..<10_000 where !live.isEmpty {
            refreshToken()
            if inFlight.isEmpty { pass(.seconds(2)) } else { answer(isKind: true) }
        }
        #expect(live.isEmpty, "seed \(seed): \(live.sorted()) did not end")
        for (id, ends) in ends { #expect(ends.count == 1, "seed \(seed): \(id) ended \(ends.count) times") }
        #expect(Set(ends.keys) == Set(entries.keys), "seed \(seed)")
    }

    private mutating func append() {
        var batch: [QueueEntry] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let creates = Int.random(in: 0..<8, using: &random) == 0
            let key =
                creates || Int.random(in: 0..<4, using: &random) > 0 ? nil : "u\(Int.random(in: 0..<3, using: &random))"
            let local = LocalIdentifier()
            let references = Int.random(in: 0..<4, using: &random) == 0 ? locals.suffix(1) : []
            batch.append(
                QueueEntry(
                    id: RequestID(number: lastID + UInt64(batch.count) + 1), appendedAt: now.date, name: "Test",
                    idempotencyKey: "k", uniquingKey: key, isBarrier: Bool.random(using: &random),
                    creates: creates ? CreatedIdentifier(local: local, source: .header("Name")) : nil,
                    references: Array(references), group: [nil, "a", "b", "c"].randomElement(using: &random) ?? nil))
            if creates { locals.append(local) }
        }
        do {
            try state.check(batch)
        } catch {
            #expect(error.code == .unknownIdentifier, "seed \(seed)")
            return
        }
        lastID += UInt64(batch.count)
        for entry in batch {
            records.append(.request(entry, RequestMessage(path: "/")))
            entries[entry.id] = entry
            live.insert(entry.id)
        }
        durable = records.count
        handle(.appended(batch))
    }

    private mutating func answer(isKind: Bool) {
        guard let id = inFlight.sorted().randomElement(using: &random) else { return }
        inFlight.remove(id)
        let success = HTTPResponse(status: 200, headers: [HeaderField("Name", "server-\(id)")])
        let result: Result<HTTPResponse, ClientError>
        switch isKind ? 0 : Int.random(in: 0..<13, using: &random) {
        case 0..<4:
            done.append(id)
            result = .success(success)
        case 4:
            done.append(id)
            result = .failure(ClientError(.connectionLost))
        case 5: result = .failure(ClientError(.connectionRefused))
        case 6:
            let busy = HTTPResponse(status: 503, headers: [HeaderField("Retry-After", "1")])
            result = .failure(ClientError(ClientError.Refusal(status: 503, response: busy)))
        case 7: result = .failure(ClientError(ClientError.Refusal(status: 401, response: HTTPResponse(status: 401))))
        case 8: result = .failure(ClientError(ClientError.Refusal(status: 404, response: HTTPResponse(status: 404))))
        case 9: result = .failure(ClientError(.notHTTP))
        default:
            let broken = ClientError.Refusal(status: 500, code: "c", response: HTTPResponse(status: 500))
            result = .failure(ClientError(broken))
        }
        if case .failure(let error) = result, error.isUnsent || error.refusal?.status == 401 {
            // Nothing is new.
        } else {
            mayHaveArrived.insert(id)
        }
        handle(.attemptEnded(id, result))
    }

    private mutating func pass(_ time: Duration) {
        now.uptime += time
        // The clock is set now and then: by minutes, months, years, in either direction.
        if Int.random(in: 0..<8, using: &random) == 0 {
            let length = [60, 30 * 86_400, 10 * 365 * 86_400].randomElement(using: &random) ?? 0
            now.date += Int64(Int.random(in: -length...length, using: &random)) * 1000
        }
        now.date += time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
        handle(.ticked)
    }

    private mutating func cancel() {
        guard let id = live.sorted().randomElement(using: &random) else { return }
        records.append(.cancelled(id))
        durable = records.count
        handle(.cancelled(id))
    }

    private mutating func refreshToken() {
        guard wantsToken else { return }
        wantsToken = false
        handle(Int.random(in: 0..<4, using: &random) == 0 ? .tokenRefreshFailed : .tokenRefreshed)
    }

    private mutating func stopOrStart() {
        guard isRunning else {
            isRunning = true
            return handle(.started)
        }
        for id in inFlight.sorted() {
            inFlight.remove(id)
            mayHaveArrived.insert(id)
            handle(.attemptEnded(id, .failure(ClientError(.cancelled))))
        }
        // What was started meanwhile, nobody has begun with.
        inFlight = []
        handle(.stopped)
        isRunning = false
    }

    /// The process dies, or the whole system, which forgets what was not on the disk.
    private mutating func crash(losingNotes: Bool) {
        if losingNotes {
            let kept = Int.random(in: durable...records.count, using: &random)
            records.removeLast(records.count - kept)
            mayHaveArrived = []
        } else {
            mayHaveArrived.formUnion(inFlight)
        }
        var replay = JournalReplay(quarantine: Quarantine(path: "/nowhere/journal"))
        for record in records {
            guard let content = try? record.content(),
                let stored = try? StoredRecord(kind: record.kind, content: content[...])
            else {
                Issue.record("seed \(seed): a record cannot be read back")
                continue
            }
            replay.apply(stored, at: 0..<1)
        }
        let contents = replay.contents
        live = Set(contents.requests.filter { $0.ending == nil }.map(\.entry.id))
        // What is not known to have ended will end again.
        for id in live { ends[id] = nil }
        inFlight = []
        wantsToken = false
        isRunning = true
        now.uptime = .zero
        state = Self.state(contents, seed: seed)
        // What the server may have got goes first.
        handle(.opened)
        handle(.started)
    }

    // MARK: What is done about it, and whether that is right

    private mutating func handle(_ event: QueueState.Event) {
        for action in state.handle(event, at: now) {
            switch action {
            case .send(let id): send(id)
            case .callOff(let id): #expect(inFlight.contains(id), "seed \(seed)")
            case .note(let record): records.append(record)
            case .end(let ending): end(ending)
            case .refreshToken: wantsToken = true
            }
        }
        #expect(Set(state.requests.keys) == live, "seed \(seed)")
        #expect(state.inFlight == inFlight.count, "seed \(seed)")
        checkUnique()
    }

    private mutating func send(_ id: RequestID) {
        guard let entry = entries[id], live.contains(id) else {
            Issue.record("seed \(seed): \(id) is sent and is not in the queue")
            return
        }
        #expect(isRunning && !state.isPaused && !state.isUnauthorized, "seed \(seed)")
        for other in live where other < id {
            // What has passed another once was under way before it, and goes first from then on.
            if passes(entry, other) || passed[id]?.contains(other) == true {
                passed[id, default: []].insert(other)
                continue
            }
            let isWrong = entry.isBarrier || entries[other]?.isBarrier == true
            #expect(!isWrong, "seed \(seed): \(id) starts before \(other) has ended")
        }
        #expect(inFlight.insert(id).inserted, "seed \(seed): \(id) is sent twice at once")
        #expect(inFlight.count <= Self.limit, "seed \(seed)")
        for local in entry.references { #expect(state.resolutions[local] != nil, "seed \(seed)") }
    }

    /// Whether a request need not wait for one ahead: the server keeps failing at that, or it waits for such a one.
    private func passes(_ entry: QueueEntry, _ other: RequestID) -> Bool {
        guard let group = entry.group, let passed = entries[other]?.group, group != passed else { return false }
        return isHeld(other)
    }

    /// Whether the server keeps failing at a request, or it waits for such a one: behind it in its group, or for a name.
    private func isHeld(_ id: RequestID) -> Bool {
        guard let group = entries[id]?.group else { return false }
        return state.requests.contains { ahead, request in
            guard ahead <= id, request.entry.group == group else { return false }
            return request.progress.failures >= 3
                || request.entry.references.contains { local in
                    state.resolutions[local] == nil && state.parents[local].map(isHeld) == true
                }
        }
    }

    private mutating func end(_ ending: QueueState.Ending) {
        let id = ending.entry.id
        #expect(live.remove(id) != nil, "seed \(seed): \(id) ends and is not in the queue")
        #expect(!inFlight.contains(id), "seed \(seed)")
        ends[id, default: []].append(ending)
        if let (local, value) = ending.resolution { records.append(.resolved(local, value)) }
        records += ending.isDead ? [.ended(id, ending.outcome, isDead: true), .told(id)] : [.removed(id)]
        if case .aborted(.replaced) = ending.outcome {
            #expect(!mayHaveArrived.contains(id), "seed \(seed): \(id) is replaced and may have been done")
        }
        if case .success = ending.outcome { #expect(done.contains(id), "seed \(seed)") }
    }

    private func checkUnique() {
        var keys: Set<String> = []
        for request in state.waiting where !request.mayHaveArrived {
            guard let key = request.entry.uniquingKey else { continue }
            #expect(keys.insert(key).inserted, "seed \(seed): two requests of \(key) wait")
        }
    }
}
