/// The rules of a queue as a value: events go in, actions come out. It has no I/O and no clock.
///
/// Requests start in the order they were appended. A barrier starts when all earlier requests have ended, and later
/// ones start only after it has ended, also while it waits for its next attempt; the others run at the same time
/// between two barriers. A request that the server keeps failing at blocks only its own group, and requests without a
/// group. Every request ends exactly once.
struct QueueState {
    /// How many times the server fails at a request before other groups overtake it.
    static let failuresToPass = 3

    /// How many requests may run side by side.
    let limit: Int
    let policy: RetryPolicy
    /// Whether an event will follow on `.refreshToken`.
    let canRefreshToken: Bool

    private(set) var requests: [RequestID: Request] = [:]
    private(set) var deadLetters: [RequestID: DeadLetter] = [:]
    private(set) var resolutions = Resolutions()
    private(set) var inFlight = 0
    /// How many requests that go on in the background are under way or wait for their next attempt.
    private(set) var backgroundCount = 0
    private(set) var isRunning = false
    private(set) var isPaused = false
    /// The server wants a fresh token: nothing starts before there is one.
    private(set) var isUnauthorized = false
    /// Why the last attempt failed; nil after a success.
    private(set) var lastFailure: ClientError.Code?
    /// When time matters next.
    private(set) var wakeAt: Duration?

    /// The requests in the order they start; some may have ended. Those before `first` have.
    private(set) var order: [RequestID] = []
    private(set) var first = 0
    /// The newest request of each uniquing key.
    private var unique: [String: RequestID] = [:]
    /// The requests that create something.
    private(set) var parents: [LocalIdentifier: RequestID] = [:]
    /// Those that wait for their next attempt, and some that did.
    private var retrying: Set<RequestID> = []
    /// Those with a policy of their own.
    private var ownPolicies: Set<RequestID> = []
    private var scheduler: any QueueScheduler
    /// Nothing starts before then.
    private var holdUntil = Duration.zero
    /// The end of the server's `Retry-After`: until then an append does not start an attempt earlier.
    private var askedUntil = Duration.zero
    private var tokenNumber = 0
    /// How many tokens in a row the server has refused.
    private var refusedTokens = 0
    private var refreshAt: Duration?
    private var random: SplitMix
    private var now = Moment(uptime: .zero, date: 0)
    private var actions: [Action] = []

    /// - Parameters:
    ///   - contents: What the journal holds; requests whose end is known are not the queue's any more.
    ///   - seed: Of the random part of waits.
    init(
        limit: Int, policy: RetryPolicy, scheduler: any QueueScheduler, canRefreshToken: Bool,
        contents: JournalContents = JournalContents(), seed: UInt64
    ) {
        self.limit = max(1, limit)
        self.policy = policy
        self.scheduler = scheduler
        self.canRefreshToken = canRefreshToken
        random = SplitMix(seed: seed)
        for (local, value) in contents.resolutions { resolutions[local] = value }
        // Requests that were under way come first. There is no barrier between them and those that they overtake,
        // because otherwise they would not have started. Except those that the server keeps failing at, which would
        // block earlier ones.
        let waiting = contents.requests.filter { $0.ending == nil }
        let goesFirst = { (request: JournalContents.Request) in
            request.progress.isInFlight && request.progress.failures < Self.failuresToPass
        }
        for stored in waiting.filter(goesFirst) + waiting.filter({ !goesFirst($0) }) {
            var request = Request(entry: stored.entry, progress: stored.progress, isCancelled: stored.isCancelled)
            if request.progress.isInFlight { request.progress.mayHaveArrived = true }
            request.progress.isInFlight = false
            insert(request)
        }
        for stored in contents.requests {
            guard let ending = stored.ending, ending.isDead, case .failure(let error) = ending.outcome else { continue }
            deadLetters[stored.entry.id] = DeadLetter(
                entry: stored.entry, attempts: Int(stored.progress.attempts), error: error)
        }
    }

    /// Takes an event in.
    ///
    /// - Returns: What is to be done, in order. What follows from doing it comes as further events.
    mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        self.now = now
        switch event {
        case .opened: open()
        case .started:
            isRunning = true
            hurry()
        case .stopped: stop()
        case .appended(let entries):
            for entry in entries { append(entry) }
            if now.uptime >= askedUntil, schedule(.enqueued) == .now { bringForward { !$0.isStuck } }
        case .attemptEnded(let id, .success(let response)): succeeded(id, response)
        case .attemptEnded(let id, .failure(let error)): failed(id, error)
        case .cancelled(let id): cancel(id)
        case .paused: isPaused = true
        case .resumed:
            isPaused = false
            authorize()
            refusedTokens = 0
            askedUntil = .zero
            schedule(.flushed)
        case .flushed:
            hurry()
            if refreshAt != nil { refreshAt = now.uptime }
        case .tokenRefreshed: authorize()
        case .tokenRefreshFailed:
            refusedTokens += 1
            refreshAt = now.uptime + delay(policy, afterFailures: refusedTokens)
        case .resolved(let local, let value): resolutions[local] = value
        case .deadLetterRemoved(let id): deadLetters[id] = nil
        case .ticked: break
        }
        dispatch()
        defer { actions = [] }
        return actions
    }

    // MARK: What starts

    /// Starts whatever may start, and finds out when that will be more.
    private mutating func dispatch() {
        wakeAt = nil
        guard isRunning, !isPaused else { return }
        guard !isUnauthorized else { return refreshTokenIfDue() }
        var index = first
        var isFirst = true
        // The requests that the server keeps failing at: the first of each group.
        var stuck: [String: RequestID] = [:]
        while index < order.count {
            guard let request = requests[order[index]] else {
                if index == first { first += 1 }
                index += 1
                continue
            }
            if let group = request.entry.group {
                if let ahead = stuck[group], ahead < request.entry.id {
                    index += 1
                    continue
                }
            } else if stuck.values.contains(where: { $0 < request.entry.id }) {
                // Without a group it waits for all.
                break
            }
            if request.entry.isBarrier, !isFirst { break }
            if !request.progress.isInFlight {
                guard inFlight < limit else { break }
                let due = max(holdUntil, request.retryAt ?? .zero)
                if !request.entry.references.allSatisfy({ resolutions[$0] != nil }) {
                    // Its parent is ahead of it, and will start it or end it.
                } else if due <= now.uptime {
                    start(request)
                } else {
                    wakeAt = min(wakeAt ?? due, due)
                    // No later request is due earlier.
                    if due == holdUntil { break }
                }
            }
            if request.isStuck || isHeld(request, by: stuck), let group = request.entry.group {
                stuck[group] = min(stuck[group] ?? request.entry.id, request.entry.id)
            } else if request.entry.isBarrier {
                break
            } else {
                isFirst = false
            }
            index += 1
        }
        if first > 1024, first * 2 > order.count {
            order.removeFirst(first)
            first = 0
        }
    }

    /// Whether a request waits for the answer to one that the server keeps failing at, or to one behind that in its group.
    ///
    /// - Parameter stuck: The first of each group that the server keeps failing at.
    private func isHeld(_ request: Request, by stuck: [String: RequestID]) -> Bool {
        guard !stuck.isEmpty else { return false }
        return request.entry.references.contains { local in
            guard resolutions[local] == nil, let parent = parents[local],
                let group = requests[parent]?.entry.group, let first = stuck[group]
            else { return false }
            return first <= parent
        }
    }

    private mutating func start(_ request: Request) {
        var request = request
        request.progress.attempts += 1
        request.progress.isInFlight = true
        request.retryAt = nil
        request.tokenNumber = tokenNumber
        let id = request.entry.id
        requests[id] = request
        inFlight += 1
        if request.entry.isBackground, !request.wantsBackgroundTime {
            requests[id]?.wantsBackgroundTime = true
            backgroundCount += 1
        }
        actions.append(.note(.progress(id, request.progress)))
        actions.append(.send(id))
    }

    @discardableResult
    private mutating func schedule(_ event: SchedulingEvent) -> SchedulingDecision {
        let decision = scheduler.decide(after: event)
        switch decision {
        case .now: holdUntil = now.uptime
        case .after(let delay): holdUntil = now.uptime + delay
        case .unchanged: break
        }
        return decision
    }

    /// Tries waiting requests at once, even during a `Retry-After`.
    private mutating func hurry() {
        bringForward { _ in true }
        askedUntil = .zero
        schedule(.flushed)
    }

    /// Tries at once what waits for its next attempt and meets a condition.
    private mutating func bringForward(_ condition: (Request) -> Bool) {
        for id in retrying {
            guard let request = requests[id], request.retryAt != nil else {
                retrying.remove(id)
                continue
            }
            guard condition(request) else { continue }
            requests[id]?.retryAt = nil
            requests[id]?.isEarly = true
        }
    }

    // MARK: What is appended

    private mutating func insert(_ request: Request) {
        let id = request.entry.id
        requests[id] = request
        order.append(id)
        if request.entry.policy != nil { ownPolicies.insert(id) }
        if let creates = request.entry.creates { parents[creates.local] = id }
        guard let key = request.entry.uniquingKey else { return }
        let older = unique.updateValue(id, forKey: key)
        if let older { endIfReplaced(older) }
    }

    private mutating func append(_ entry: QueueEntry) {
        // Between its check and now a request can have become the parent of the same, or the parent can have failed.
        if let creates = entry.creates, parents[creates.local] != nil || resolutions[creates.local] != nil {
            actions.append(
                .end(
                    Ending(
                        entry: entry, attempts: 0, outcome: .failure(ClientError(.conflictingIdentifier)),
                        isDead: false)))
            return
        }
        insert(Request(entry: entry))
        endIfOrphaned(entry.id)
    }

    private mutating func endIfOrphaned(_ id: RequestID) {
        guard let request = requests[id] else { return }
        let isOrphaned = request.entry.references.contains { resolutions[$0] == nil && parents[$0] == nil }
        if isOrphaned { end(request, .failure(ClientError(.parentFailed)), isDead: false) }
    }

    /// Ends a request if there is a newer one of its uniquing key and the server cannot have got it.
    private mutating func endIfReplaced(_ id: RequestID) {
        guard let request = requests[id], !request.mayHaveArrived, let key = request.entry.uniquingKey,
            unique[key] != id
        else { return }
        end(request, .aborted(.replaced), isDead: false)
    }

    private mutating func open() {
        for id in order {
            guard let request = requests[id] else { continue }
            if request.isCancelled {
                end(request, .aborted(.cancelled), isDead: false)
            } else {
                endIfReplaced(id)
                endIfOrphaned(id)
            }
        }
    }

    private mutating func stop() {
        isRunning = false
        backgroundCount = 0
        for id in requests.keys { requests[id]?.wantsBackgroundTime = false }
        // Requests that no worker had started.
        for id in order[first...] {
            guard var request = requests[id], request.progress.isInFlight else { continue }
            stopBeingInFlight(&request)
            requests[id] = request
            actions.append(.note(.progress(id, request.progress)))
            if request.isCancelled { end(request, .aborted(.cancelled), isDead: false) }
        }
    }

    // MARK: What ends

    private mutating func cancel(_ id: RequestID) {
        guard let request = requests[id], !request.isCancelled else { return }
        guard request.progress.isInFlight else { return end(request, .aborted(.cancelled), isDead: false) }
        requests[id]?.isCancelled = true
        actions.append(.callOff(id))
    }

    private mutating func succeeded(_ id: RequestID, _ response: HTTPResponse) {
        guard var request = requests[id], request.progress.isInFlight else { return }
        stopBeingInFlight(&request)
        lastFailure = nil
        refusedTokens = 0
        schedule(.succeeded)
        guard let creates = request.entry.creates, let value = creates.source.value(in: response) else {
            return end(request, .success(response), isDead: false)
        }
        if let known = resolutions[creates.local], known != value {
            return end(request, .failure(ClientError(.conflictingIdentifier)), isDead: false)
        }
        resolutions[creates.local] = value
        end(request, .success(response), isDead: false, resolution: (creates.local, value))
    }

    private mutating func failed(_ id: RequestID, _ error: ClientError) {
        guard var request = requests[id], request.progress.isInFlight else { return }
        stopBeingInFlight(&request)
        let policy = policy(of: request)
        let wantsToken = wantsToken(after: error, for: request)
        // Refused before anything was done, if the service says so.
        let isUndone =
            error.isUnsent || error.code == .damagedRecord || wantsToken && error.refusal?.isOfService == true
        if !isUndone { request.count(error, policy, at: now) }
        request.isEarly = false
        requests[id] = request
        if request.isCancelled { return end(request, .aborted(.cancelled), isDead: false) }
        if error.code == .cancelled {
            // The cancellation came from elsewhere: the worker stops, another request that shared the attempt was
            // cancelled, or a task that the attempt waited for was, which may happen again.
            wait(delay(policy, afterFailures: Int(request.progress.attempts)), for: id)
        } else if wantsToken {
            lastFailure = error.code
            if request.tokenNumber == tokenNumber { unauthorize() }
            if !isUndone, request.isSpent(policy) { return end(request, .failure(error), isDead: true) }
        } else {
            guard policy.retries(after: error) else {
                let isAnswer = error.refusal?.isOfService == true
                if isAnswer {
                    lastFailure = nil
                    schedule(.succeeded)
                }
                let isDead = !isAnswer && error.code != .damagedRecord
                return end(request, .failure(error), isDead: isDead)
            }
            lastFailure = error.code
            let delay = delay(policy, afterFailures: Int(request.progress.attempts), error: error)
            if error.refusal?.response[header: "Retry-After"] != nil {
                askedUntil = max(askedUntil, now.uptime + delay)
            }
            // The server can be reached, and answers other requests.
            if !request.isStuck || request.entry.group == nil { schedule(.failed(retryIn: delay)) }
            let isNetworkLost = [.noNetwork, .connectionLost].contains(error.code)
            if isNetworkLost || error.code == .timedOut && request.entry.isBarrier { endOthers(than: id, error) }
            if request.isSpent(policy) { return end(request, .failure(error), isDead: true) }
            wait(delay, for: id)
        }
        actions.append(.note(.progress(id, request.progress)))
        endIfReplaced(id)
    }

    /// By what a request is tried: the queue's, for one without a policy of its own.
    private func policy(of request: Request) -> RetryPolicy { request.entry.policy ?? policy }

    /// Whether an error asks for a fresh token, or for the journal's player to sign in again. If none can be fetched, a 401 that is not the service's own does not:
    /// nobody would resume the queue because of a proxy.
    private func wantsToken(after error: ClientError, for request: Request) -> Bool {
        if error.code == .otherOwner { return true }
        guard let refusal = error.refusal, refusal.status == 401, request.entry.isAuthenticated else { return false }
        return canRefreshToken || refusal.isOfService
    }

    private mutating func wait(_ delay: Duration, for id: RequestID) {
        requests[id]?.retryAt = now.uptime + delay
        retrying.insert(id)
    }

    /// Ends the waiting requests that are not tried again after such an error, because nothing can answer them: there is
    /// no network, or what has to be done before them takes too long. A read that takes too long says nothing of others.
    private mutating func endOthers(than id: RequestID, _ error: ClientError) {
        let candidates = policy.retries(after: error) ? ownPolicies : Set(requests.keys)
        for other in candidates.filter({ $0 != id }).sorted() {
            guard let request = requests[other], !request.progress.isInFlight,
                !policy(of: request).retries(after: error)
            else { continue }
            end(request, .failure(error), isDead: true)
        }
    }

    private mutating func stopBeingInFlight(_ request: inout Request) {
        request.progress.isInFlight = false
        inFlight -= 1
    }

    /// Takes a request out of the queue, and those that cannot do without it.
    private mutating func end(
        _ request: Request, _ outcome: QueueOutcome<HTTPResponse>, isDead: Bool,
        resolution: (local: LocalIdentifier, value: String)? = nil
    ) {
        let entry = request.entry
        requests[entry.id] = nil
        retrying.remove(entry.id)
        ownPolicies.remove(entry.id)
        if request.wantsBackgroundTime { backgroundCount -= 1 }
        if let key = entry.uniquingKey, unique[key] == entry.id { unique[key] = nil }
        if case .failure(let error) = outcome, isDead {
            deadLetters[entry.id] = DeadLetter(
                entry: entry, attempts: Int(request.progress.attempts), error: error)
        }
        actions.append(
            .end(
                Ending(
                    entry: entry, attempts: Int(request.progress.attempts), outcome: outcome, isDead: isDead,
                    resolution: resolution)))
        guard let local = entry.creates?.local else { return }
        parents[local] = nil
        var error = ClientError(.parentFailed)
        if case .success = outcome {
            if resolution != nil { return }
            error = ClientError(.missingIdentifier)
        }
        for id in order[first...] {
            guard let child = requests[id], child.entry.references.contains(local) else { continue }
            // Not if a conflict was refused: the child may have been sent with what the identifier stands for.
            if child.progress.isInFlight { continue }
            end(child, .failure(error), isDead: isDead)
        }
    }

    private mutating func delay(_ policy: RetryPolicy, afterFailures failures: Int, error: ClientError? = nil)
        -> Duration
    {
        let response = error?.refusal?.response
        return policy.delay(
            afterFailures: failures,
            retryAfter: response.flatMap { RetryAfter.delay(in: $0, now: now.date / 1000) },
            random: .random(in: 0..<1, using: &random))
    }

    /// Forgets what local identifiers stood for long ago.
    mutating func trimResolutions() {
        let entries = requests.values.map(\.entry) + deadLetters.values.map(\.entry)
        resolutions.trim { Set(entries.flatMap(\.references)) }
    }

    // MARK: Tokens

    private mutating func unauthorize() {
        guard !isUnauthorized else { return }
        isUnauthorized = true
        refusedTokens += 1
        // The fresh token was refused too, so do not fetch the next one at once.
        refreshAt = now.uptime + (refusedTokens > 1 ? delay(policy, afterFailures: refusedTokens - 1) : .zero)
    }

    private mutating func authorize() {
        isUnauthorized = false
        refreshAt = nil
        tokenNumber += 1
    }

    private mutating func refreshTokenIfDue() {
        guard canRefreshToken, let refreshAt else { return }
        if refreshAt > now.uptime {
            wakeAt = refreshAt
        } else {
            self.refreshAt = nil
            actions.append(.refreshToken)
        }
    }
}
