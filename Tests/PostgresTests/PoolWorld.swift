import EventLoop
import Testing

@testable import Postgres

/// A server, a network and callers around a ``PoolState``: does what the pool decides, at random well or badly, and
/// knows what is true.
struct PoolWorld {
    /// What is true of a statement.
    struct Truth {
        let id: StatementID
        let access: StatementAccess
        let key: OrderingKey?
        /// How often it was committed.
        var commits = 0
        /// Whether the client cannot know about its last run.
        var isUncertain = false
        var isUnderWay = false
        /// How often its caller was told.
        var answers = 0
    }

    enum Link {
        case opening(PoolState.Purpose)
        case open(Run?, isFree: Bool)
        case lent
    }

    struct Run {
        let statements: [StatementID]
        let transactions: PoolState.Transactions
        var isCancelled = false
    }

    var state: PoolState
    var now = Duration.seconds(1000)
    var random: Jitter
    var truths: [StatementID: Truth] = [:]
    var live: [StatementID] = []
    var links: [PoolState.ConnectionID: Link] = [:]
    var requests: Set<PoolState.LeaseID> = []
    var lent: [PoolState.ConnectionID] = []
    var isStopped = false
    var isFinished = false
    private var generation: UInt32 = 0
    private var lease = 0
    private let configuration: PostgresConfiguration
    /// Whether hardly any time passes, so that no batch outlives the turnstile's patience.
    private let isHasty: Bool
    /// The pools that are to be told that the turnstile has opened.
    var wakes: Set<Int> = []

    init(
        seed: UInt64, turnstile: Locked<Turnstile>? = nil, number: Int = 0, isHasty: Bool = false,
        _ configure: (inout PostgresConfiguration) -> Void = { _ in }
    ) {
        self.isHasty = isHasty
        var configuration = PostgresConfiguration()
        configure(&configuration)
        self.configuration = configuration
        random = Jitter(seed: seed)
        state = PoolState(
            configuration: configuration, now: now, seed: seed, turnstile: turnstile, number: number)
        handle(.started)
    }

    /// The keys of the writes that are under way, each as often as it is.
    var keysUnderWay: [String] {
        links.values.flatMap { link -> [String] in
            guard case .open(let run?, _) = link else { return [] }
            return run.statements.compactMap { truths[$0]?.access == .write ? truths[$0]?.key?.text : nil }
        }
    }

    // MARK: What the pool decides

    mutating func handle(_ event: PoolState.Event) {
        for action in state.handle(event, at: now) { perform(action) }
    }

    private mutating func perform(_ action: PoolState.Action) {
        #expect(!isFinished, "something is done after the end")
        switch action {
        case .open(let id, let purpose, _):
            #expect(links[id] == nil && !isStopped)
            links[id] = .opening(purpose)
        case .close(let id):
            if case .open(let run?, _)? = links[id] { #expect(run.statements.isEmpty, "a batch is cut off") }
            links[id] = nil
        case .drop(let id):
            guard case .open(let run?, _)? = links[id] else {
                Issue.record("nothing to drop")
                break
            }
            loses(run, on: id)
        case .send(let id, let statements, let transactions): send(statements, transactions, on: id)
        case .cancelBatch(let id):
            guard case .open(var run?, let isFree)? = links[id] else {
                Issue.record("nothing to cancel")
                break
            }
            run.isCancelled = true
            links[id] = .open(run, isFree: isFree)
        case .answer(let ids):
            for id in ids {
                let commits = truths[id]?.commits ?? 0
                #expect(truths[id]?.access == .read ? commits >= 1 : commits == 1, "answered, but not done once")
                told(id)
            }
        case .fail(let id, let error):
            if truths[id]?.access == .write {
                if error.code == .outcomeUnknown {
                    #expect(truths[id]?.isUncertain == true, "called unknown, but known")
                } else {
                    #expect(truths[id]?.commits == 0 && truths[id]?.isUncertain == false, "called not done: \(error)")
                }
            }
            told(id)
        case .lend(let id, let request):
            #expect(requests.remove(request) != nil)
            guard case .open(nil, true)? = links[id] else {
                Issue.record("a connection that is not free was lent")
                break
            }
            links[id] = .lent
            lent.append(id)
        case .wake(let pools): wakes.formUnion(pools)
        case .refuse(let request, _): #expect(requests.remove(request) != nil)
        case .finish:
            #expect(isStopped && live.isEmpty && requests.isEmpty && links.isEmpty, "not everything has ended")
            isFinished = true
        }
    }

    private mutating func send(
        _ statements: [StatementID], _ transactions: PoolState.Transactions, on id: PoolState.ConnectionID
    ) {
        guard case .open(nil, true)? = links[id] else {
            Issue.record("a batch on a connection that is not free")
            return
        }
        links[id] = .open(Run(statements: statements, transactions: transactions), isFree: true)
        #expect(statements.count <= configuration.batchSize || transactions == .separate)
        for id in statements {
            guard let truth = truths[id] else { continue }
            #expect(truth.answers == 0 && !truth.isUnderWay, "sent after its end, or twice at once")
            if truth.access == .write { #expect(truth.commits == 0 && !truth.isUncertain, "a write runs twice") }
            truths[id]?.isUnderWay = true
        }
        let keys = statements.map { truths[$0]?.key }
        if statements.contains(where: { truths[$0]?.access == .write }) {
            for (left, right) in zip(keys, keys.dropFirst()) {
                #expect(OrderingKey.precedes(right, left) != true, "not in the order of the keys")
            }
        }
    }

    private mutating func told(_ id: StatementID) {
        truths[id]?.answers += 1
        #expect(truths[id]?.answers == 1, "told twice, or never handed in")
        live.removeAll { $0 == id }
    }

    // MARK: What happens

    mutating func submit() {
        generation += 1
        // Places are used again as soon as their statements have ended, as the shell does.
        let taken = Set(live.map(\.place))
        let place = Int32((0...live.count).first { !taken.contains(Int32($0)) } ?? live.count)
        let id = StatementID(place: place, generation: generation)
        var request = PoolState.Request()
        request.access = Int.random(in: 0..<4, using: &random) == 0 ? .read : .write
        request.key = Bool.random(using: &random) ? OrderingKey("p\(Int.random(in: 0..<6, using: &random))") : nil
        request.attempts = Int.random(in: 1...3, using: &random)
        request.timeout = Bool.random(using: &random) ? .seconds(60) : nil
        truths[id] = Truth(id: id, access: request.access, key: request.key)
        live.append(id)
        handle(.submitted(id, request))
    }

    mutating func requestLease() {
        lease += 1
        let id = PoolState.LeaseID(number: lease)
        requests.insert(id)
        handle(.leaseRequested(id))
    }

    /// Something that may happen at any time.
    mutating func somethingHappens() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30 where !isFinished: submit()
        case 30..<35: if let id = live.randomElement(using: &random) { handle(.cancelled(id)) }
        case 35..<40 where !isFinished: requestLease()
        case 40..<42: if let id = requests.randomElement(using: &random) { handle(.leaseCancelled(id)) }
        case 42..<50: giveBackLease()
        case 50..<65: handle(.turnEnded)
        case 65..<75: pass(isHasty ? .zero : .milliseconds(Int.random(in: 1...120, using: &random)))
        case 75..<76 where !isHasty: pass(.seconds(Int.random(in: 1...20, using: &random)))
        default: if let id = sortedLinks.randomElement(using: &random) { moves(id) }
        }
    }

    mutating func pass(_ duration: Duration) {
        now += duration
        handle(.ticked)
    }

    mutating func stop() {
        guard !isStopped else { return }
        isStopped = true
        handle(.stopped)
    }

    mutating func giveBackLease() {
        guard let index = lent.indices.randomElement(using: &random) else { return }
        let id = lent.remove(at: index)
        let isUsable = Bool.random(using: &random)
        // A lease that comes back is an open connection again; the pool closes it if it is of no use.
        links[id] = .open(nil, isFree: true)
        handle(.released(id, isUsable: isUsable))
    }

    /// Everything goes well: connections open, batches are committed, leases come back.
    mutating func calm() {
        handle(.turnEnded)
        for id in sortedLinks {
            switch links[id] {
            case .opening?: opens(id)
            case .open(let run?, _)?: commits(run, on: id)
            case .open(nil, false)?: frees(id)
            default: break
            }
        }
        while !lent.isEmpty { giveBackLease() }
        handle(.turnEnded)
    }

    private var sortedLinks: [PoolState.ConnectionID] { links.keys.sorted { $0.number < $1.number } }

    private mutating func moves(_ id: PoolState.ConnectionID) {
        switch links[id] {
        case .opening?:
            if Int.random(in: 0..<3, using: &random) > 0 { return opens(id) }
            links[id] = nil
            handle(.failedToOpen(id, PostgresError(.connectionFailed)))
        case .open(nil, false)?: frees(id)
        case .open(nil, true)? where Int.random(in: 0..<10, using: &random) == 0:
            links[id] = nil
            handle(.lost(id))
        case .open(let run?, _)?:
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: commits(run, on: id, leavingOut: true)
            case 5..<8: refuses(run, on: id)
            default: loses(run, on: id)
            }
        default: break
        }
    }

    private mutating func opens(_ id: PoolState.ConnectionID) {
        links[id] = .open(nil, isFree: true)
        handle(.opened(id))
    }

    private mutating func frees(_ id: PoolState.ConnectionID) {
        links[id] = .open(nil, isFree: true)
        handle(.freed(id))
    }

    /// - Parameter leavingOut: Whether writes of a set may be left out, as by ``Statement/gatheredSQL``.
    private mutating func commits(_ run: Run, on id: PoolState.ConnectionID, leavingOut: Bool = false) {
        for statement in run.statements {
            if leavingOut, run.transactions == .shared, isLeftOut(statement) {
                truths[statement]?.isUnderWay = false
                handle(.settled(id, statement, .leftOut))
                continue
            }
            committed(statement)
            if run.transactions == .separate { handle(.settled(id, statement, .done)) }
        }
        ends(run, .committed, on: id)
    }

    private mutating func isLeftOut(_ id: StatementID) -> Bool {
        truths[id]?.access == .write && Int.random(in: 0..<4, using: &random) == 0
    }

    private mutating func refuses(_ run: Run, on id: PoolState.ConnectionID) {
        guard !run.statements.isEmpty else { return commits(run, on: id) }
        if run.transactions == .separate {
            for statement in run.statements {
                if Bool.random(using: &random) {
                    committed(statement)
                    handle(.settled(id, statement, .done))
                } else {
                    truths[statement]?.isUnderWay = false
                    handle(.settled(id, statement, .rolledBack(refusal(run), isOwn: true)))
                }
            }
            return ends(run, .committed, on: id)
        }
        for statement in run.statements { truths[statement]?.isUnderWay = false }
        let culprit = run.statements.indices.randomElement(using: &random)
        let isKnown = run.statements.count == 1 || Bool.random(using: &random)
        ends(run, .rolledBack(culprit: isKnown ? culprit : nil, refusal(run)), on: id)
    }

    private mutating func loses(_ run: Run, on id: PoolState.ConnectionID) {
        let error = PostgresError(.outcomeUnknown)
        let isShared = run.transactions != .separate
        // Together all or none; else a first part is committed, and of the next one nobody knows.
        let sharedVerdict = Bool.random(using: &random)
        let isCommitted = Bool.random(using: &random)
        let done = isShared ? 0 : Int.random(in: 0...run.statements.count, using: &random)
        for (index, statement) in run.statements.enumerated() {
            let verdict: Verdict
            if index < done {
                committed(statement)
                verdict = .done
            } else if run.transactions == .shared, isLeftOut(statement) {
                // Its row has come.
                truths[statement]?.isUnderWay = false
                verdict = .rolledBack(error, isOwn: false)
            } else if isShared ? sharedVerdict : Bool.random(using: &random) {
                truths[statement]?.isUnderWay = false
                truths[statement]?.isUncertain = true
                if isCommitted {
                    expectItsTurn(statement)
                    truths[statement]?.commits += 1
                }
                verdict = .unknown(error)
            } else {
                truths[statement]?.isUnderWay = false
                verdict = .rolledBack(error, isOwn: false)
            }
            handle(.settled(id, statement, verdict))
        }
        links[id] = nil
        handle(.batchEnded(id, .lost(error), isFree: false))
        handle(.lost(id))
    }

    private mutating func ends(_ run: Run, _ ending: BatchEnding, on id: PoolState.ConnectionID) {
        // The pool may have closed the connection meanwhile.
        guard links[id] != nil else { return }
        let isFree = !run.isCancelled || Bool.random(using: &random)
        links[id] = .open(nil, isFree: isFree)
        handle(.batchEnded(id, ending, isFree: isFree))
    }

    private mutating func committed(_ id: StatementID) {
        expectItsTurn(id)
        truths[id]?.commits += 1
        truths[id]?.isUnderWay = false
    }

    /// Writes of one key take effect in the order in which they came: with several connections as long as none of them
    /// keeps the others waiting.
    private func expectItsTurn(_ id: StatementID) {
        guard configuration.connectionsPerLoop == 1 || isHasty, let truth = truths[id], truth.access == .write,
            let key = truth.key
        else { return }
        let isOvertaking = live.contains { other in
            guard let earlier = truths[other], other.generation < id.generation else { return false }
            return earlier.key == key && earlier.access == .write && earlier.commits == 0 && !earlier.isUncertain
        }
        #expect(!isOvertaking, "a write overtakes another one of its key")
    }

    private mutating func refusal(_ run: Run) -> PostgresError {
        var states: [SQLState] = ["23514", "55P03", "40001", "26000", "25006"]
        if run.isCancelled { states += ["57014", "57014", "57014"] }
        var error = PostgresError(.server)
        error.sqlState = states.randomElement(using: &random)
        error.severity = "ERROR"
        if error.sqlState == "26000" { error.routine = "FetchPreparedStatement" }
        return error
    }
}
