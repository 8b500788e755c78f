import Dispatch
import JulietAPI

/// A persistent queue of requests: an appended request is on the disk, and is sent in order and exactly once,
/// through crashes and dead networks.
///
/// ```swift
/// let queue = try await RequestQueue.open("/…/requests.journal", client: juliet)
/// await queue.handle(ReportWin.self) { answer in … }       // also for requests of an earlier launch
/// async let work: Void = queue.run()                       // sends until its task is cancelled
/// let wins = try await queue.append(ReportWin(player: me)).value
/// ```
///
/// A request is on the disk when `append` returns. Every attempt carries the same `Idempotency-Key`, so that a server
/// that recognises it applies the request once, however often the answer is lost. Each request ends once: in a
/// success, a failure, or aborted. Then its handlers are called. If the process ends before they have returned, they
/// are called again after the next start.
///
/// The caller of `run()` owns the worker: it returns when its task is cancelled or the queue closed. Requests can be
/// appended before, and are sent when it runs.
public actor RequestQueue {
    let client: Juliet
    let configuration: QueueConfiguration
    let journal: Journal
    var state: QueueState
    var handlers = QueueHandlers()
    var types = RequestTypes()
    var isClosed = false
    /// The player whose requests the journal holds, as `V2.Player.id` names one or the app; nil: anybody's.
    public private(set) var owner: String?

    /// Requests whose handlers are still to be told, in the order they ended.
    var untold: [QueueState.Ending] = []
    /// What a worker needs while there is one.
    var worker: QueueWorker?
    /// The attempts under way.
    var attempts: [RequestID: Task<Result<HTTPResponse, ClientError>, Never>] = [:]

    var lastID: RequestID
    /// Appends that have not been taken in, in the order of their records.
    var appends = StagedAppends()
    /// Dead letters that are being appended anew.
    var redriven: Set<RequestID> = []
    /// How many other writes are under way whose outcome is not known yet.
    var commits = 0
    var tickets: [RequestID: WeakTicket] = [:]
    var outcomes: [RequestID: (ticket: WeakTicket, outcome: QueueOutcome<HTTPResponse>)] = [:]
    var waiters: [RequestID: [AsyncStream<QueueOutcome<HTTPResponse>>.Continuation]] = [:]
    var observers: [AsyncStream<QueueStatus>.Continuation] = []
    var lastStatus = QueueStatus()
    private var damagedBytes: Int
    private var hasBackgroundTime = false

    /// How long the journal is, and how much of it is still needed.
    var journalLength: Int
    var lengths: [RequestID: Int] = [:]
    var neededLength = 0
    /// A compaction is not tried again before the journal has grown to this.
    var nextCompaction: Int
    private let start = ContinuousClock.now

    /// Opens the queue of a journal, or makes a new one.
    ///
    /// Beside the journal there are files of its name with `.damaged` and, for moments, `.new` at the end. The folder
    /// must exist. Damaged records are put aside and the rest is used, even without the file's beginning; see
    /// `QueueStatus.damagedBytes`. A journal with several names (hard links) is not compacted.
    ///
    /// A journal belongs to one player: nothing in it is sent as another. Give each player a journal of their own, named
    /// by their id. One that holds nothing any more, after `cancelAll()` for instance, can be opened for another player.
    /// - Parameters:
    ///   - path: Where the journal is.
    ///   - client: Sends the requests. A session's `juliet` knows who is signed in, also later: the journal belongs to who
    ///     is when something is first appended or sent, and the queue waits while somebody else is, or nobody (`ClientError`
    ///     `.otherOwner`).
    ///   - owner: Names the player for a client that is not a session's. Nil: a journal without an owner.
    ///   - configuration: How the queue works.
    /// - Throws: `QueueError` `.journalInUse`, `.notAJournal` or `.olderJournal` (see `salvage(_:)`), `.newerJournal`,
    ///   `.otherOwner`, `.diskFull` or `.fileError`.
    public static func open(
        _ path: String, client: Juliet, owner: String? = nil, configuration: QueueConfiguration = QueueConfiguration()
    ) async throws -> RequestQueue {
        let (journal, contents) = try await Journal.open(path)
        let queue = RequestQueue(client, configuration, journal, contents)
        do {
            // Whoever says nothing of players must not send what is one's.
            guard owner != nil || client.player != nil || contents.owner == nil else { throw QueueError(.otherOwner) }
            try await queue.admit(await client.player?() ?? owner)
        } catch {
            await journal.close()
            throw error
        }
        await queue.handle(.opened)
        await queue.compactIfDue()
        return queue
    }

    /// Makes a journal of a file that `open` does not accept: because its beginning was overwritten and no record is intact
    /// (`.notAJournal`), or because it is in an older format that this release does not read (`.olderJournal`).
    ///
    /// The file's contents go to the file with `.damaged` at the end of its name, and the file becomes an empty journal. A journal
    /// that can be opened stays as it is.
    /// - Returns: How many bytes were put aside.
    /// - Throws: `QueueError` `.journalInUse`, `.diskFull` or `.fileError`: nothing was changed.
    @discardableResult
    public static func salvage(_ path: String) async throws -> Int {
        try await Journal.salvage(path)
    }

    private init(
        _ client: Juliet, _ configuration: QueueConfiguration, _ journal: Journal, _ contents: JournalContents
    ) {
        self.client = client
        self.configuration = configuration
        self.journal = journal
        lastID = contents.lastID
        owner = contents.owner
        damagedBytes = contents.damagedBytes
        journalLength = contents.size
        nextCompaction = configuration.compactionThreshold
        state = QueueState(
            limit: configuration.maximumConcurrent, policy: configuration.retry, scheduler: configuration.scheduler,
            canRefreshToken: configuration.refreshToken != nil, contents: contents,
            seed: .random(in: .min ... .max))
        for request in contents.requests {
            lengths[request.entry.id] = request.length
            neededLength += request.length
            guard let ending = request.ending, !ending.isTold else { continue }
            untold.append(
                QueueState.Ending(
                    entry: request.entry, attempts: Int(request.progress.attempts), outcome: ending.outcome,
                    isDead: ending.isDead))
        }
    }

    deinit {
        for observer in observers { observer.finish() }
    }

    // MARK: Events and what they lead to

    /// Handles an event and the actions that follow; nothing more when the queue is closed.
    func handle(_ event: QueueState.Event) {
        guard !isClosed else { return }
        for action in state.handle(event, at: now) {
            switch action {
            case .send(let id): worker?.start(id)
            case .callOff(let id): attempts[id]?.cancel()
            case .note(let record): note([record])
            case .end(let ending): end(ending)
            case .refreshToken: worker?.refreshes.yield()
            }
        }
        worker?.timer.wake(at: state.wakeAt, now: now.uptime)
        keepBackgroundTime()
        publish()
        if isCompactionDue { worker?.compactions.yield() }
    }

    private var now: QueueState.Moment {
        QueueState.Moment(uptime: ContinuousClock.now - start, date: WallClock.milliseconds)
    }

    /// Writes records soon; not when the queue is closed.
    func note(_ records: [JournalRecord]) {
        guard !isClosed, let group = try? Journal.Group(records) else { return }
        journalLength += group.length
        journal.note(group)
    }

    private func end(_ ending: QueueState.Ending) {
        let id = ending.entry.id
        var records = ending.resolution.map { [JournalRecord.resolved($0.local, $0.value)] } ?? []
        if handlers.all(for: ending.entry, of: types[id]).isEmpty {
            records += ending.isDead ? [.ended(id, ending.outcome, isDead: true), .told(id)] : [.removed(id)]
            if !ending.isDead { forget(id) }
        } else {
            records.append(.ended(id, ending.outcome, isDead: ending.isDead))
            untold.append(ending)
            worker?.deliveries.yield()
        }
        note(records)
        settle(id, ending.outcome)
    }

    /// Takes a player's requests from now on, if the journal is that player's or nobody's, or holds nothing any more.
    ///
    /// - Parameter player: Nil: nobody is signed in, or nobody knows; the journal stays whose it is.
    /// - Throws: `QueueError` `.otherOwner`, `.diskFull`, `.fileError`, `.journalGone` or `.closed`.
    func admit(_ player: String?) async throws {
        // Another player may be admitted while it is written.
        while let player, player != owner {
            guard owner == nil || state.isVacant && appends.isEmpty else { throw QueueError(.otherOwner) }
            try await commit([.owner(player)])
            owner = player
        }
    }

    /// Drops what is known of a request's record.
    func forget(_ id: RequestID) {
        neededLength -= lengths.removeValue(forKey: id) ?? 0
        types[id] = nil
        journal.forget(id)
    }

    private func keepBackgroundTime() {
        let isWanted = state.wantsBackgroundTime
        guard isWanted != hasBackgroundTime, let backgroundTime = configuration.backgroundTime else { return }
        hasBackgroundTime = isWanted
        if isWanted { backgroundTime.begin() } else { backgroundTime.end() }
    }

    // MARK: Status

    /// The current status of the queue.
    public var status: QueueStatus {
        QueueStatus(
            waiting: state.requests.count, inFlight: state.inFlight, untold: untold.count,
            deadLetters: state.deadLetters.count,
            isRunning: state.isRunning && !isClosed, isPaused: state.isPaused, needsToken: state.isUnauthorized,
            lastFailure: state.lastFailure, damagedBytes: damagedBytes)
    }

    /// The status of the queue, now and whenever it changes, until the queue is closed or released. A slow reader
    /// gets the latest.
    public func statuses() -> AsyncStream<QueueStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: QueueStatus.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(status)
        if isClosed { continuation.finish() } else { observers.append(continuation) }
        return stream
    }

    /// Tells observers, if anything has changed.
    func publish() {
        let status = status
        guard status != lastStatus else { return }
        lastStatus = status
        observers.removeAll { observer in
            if case .terminated = observer.yield(status) { true } else { false }
        }
    }

    // MARK: Control

    /// Starts no more requests; those under way are finished.
    public func pause() { handle(.paused) }

    /// Continues after `pause()`, after a 401 when there is a fresh token, or when the journal's player is signed in again.
    public func resume() { handle(.resumed) }

    /// Sends waiting requests now: the network is back, or a person wants it.
    public func flush() { handle(.flushed) }

    /// Writes pending records and closes the journal: when this returns, its lock is released and it can be opened again.
    ///
    /// It waits for the disk alone, not for attempts, handlers or hooks, so it can be called in a handler, and behind one
    /// that hangs. Attempts under way are cancelled; their requests stay in the queue. A handler that is running goes on,
    /// and `run()` returns after it; its request's handlers are called again in the next launch, unless it is the handler
    /// that called this. A second call returns when the journal is free too.
    ///
    /// A queue that is never closed frees its journal when its last reference goes, at the latest with the process.
    public func close() async {
        if !isClosed {
            // This handler will not be called again for having closed the queue.
            if let ending = untold.first,
                Delivery.current == Delivery(queue: ObjectIdentifier(self), id: ending.entry.id)
            {
                note([.told(ending.entry.id)])
            }
            isClosed = true
            worker?.finish()
            for attempt in attempts.values { attempt.cancel() }
            if hasBackgroundTime { configuration.backgroundTime?.end() }
            hasBackgroundTime = false
            for (_, streams) in waiters { for stream in streams { stream.yield(.failure(ClientError(.queueClosed))) } }
            waiters = [:]
            for observer in observers { observer.finish() }
            observers = []
        }
        await journal.close()
    }
}
