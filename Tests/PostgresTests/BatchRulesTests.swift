import Testing

@testable import Postgres

/// A server that answers a batch, as far as the rules can tell: which transactions it has committed is known.
private struct ScriptedServer {
    /// How a statement goes.
    enum Fate: CaseIterable { case done, refused, refusedAtCommit, ends }

    var fates: [Fate]
    var preparing: Set<Int>
    let sharesTransaction: Bool

    static let refusal = error("23514", "ERROR")
    static let end = error("57P01", "FATAL")

    private static func error(_ sqlState: SQLState, _ severity: String) -> PostgresError {
        var error = PostgresError(.server)
        error.sqlState = sqlState
        error.severity = severity
        return error
    }

    /// What a client has to queue, in order.
    var steps: [BatchStep] {
        var steps: [BatchStep] = []
        for index in fates.indices {
            if preparing.contains(index) { steps.append(.prepare(index)) }
            steps.append(.run(index))
            if !sharesTransaction { steps.append(.sync(index)) }
        }
        if sharesTransaction { steps.append(.sync(fates.isEmpty ? nil : fates.count - 1)) }
        return steps
    }

    /// Answers what it has received, up to the end of the session.
    ///
    /// - Returns: The results in order, and for each statement after how many of them it is committed.
    func answer(_ steps: [BatchStep]) -> (results: [BatchAnswer], committed: [Int: Int]) {
        var results: [BatchAnswer] = []
        var committed: [Int: Int] = [:]
        var isFailed = false
        var open: [Int] = []
        for step in steps {
            switch step {
            case .setting, .prepare: results.append(isFailed ? .aborted : .done)
            case .run(let index):
                guard !isFailed else {
                    results.append(.aborted)
                    continue
                }
                switch fates[index] {
                case .done, .refusedAtCommit:
                    open.append(index)
                    results.append(.done)
                case .refused:
                    isFailed = true
                    results.append(.failed(Self.refusal))
                case .ends:
                    results.append(.failed(Self.end))
                    return (results, committed)
                }
            case .sync:
                if !isFailed, open.contains(where: { fates[$0] == .refusedAtCommit }) {
                    results.append(.failed(Self.refusal))
                    isFailed = true
                }
                // The commit comes before its answer: the connection may be lost between the two.
                if !isFailed { for index in open { committed[index] = results.count } }
                results.append(.sync(isIdle: true))
                isFailed = false
                open = []
            }
        }
        return (results, committed)
    }
}

@Suite("The rules of batches")
struct BatchRulesTests {
    /// Plays a batch with a server, cuts the connection after some results, and checks every verdict against the truth.
    private func play<Rules: BatchRules>(_ type: Rules.Type, _ random: inout Jitter) {
        let count = Int.random(in: 0...5, using: &random)
        let fates: [ScriptedServer.Fate] = (0..<count).map { _ in
            Bool.random(using: &random) ? .done : ScriptedServer.Fate.allCases.randomElement(using: &random) ?? .done
        }
        let preparing = Rules.prepares ? Set((0..<count).filter { _ in Bool.random(using: &random) }) : []
        let server = ScriptedServer(
            fates: fates, preparing: preparing, sharesTransaction: Rules.sharesTransaction)
        let steps = server.steps
        var rules = Rules(count: count)

        // What is queued may be less than all, what arrives less than what is queued.
        let queued = Bool.random(using: &random) ? steps.count : Int.random(in: 0...steps.count, using: &random)
        let isFlushed = queued == steps.count && Bool.random(using: &random)
        let arrived = isFlushed ? queued : Int.random(in: 0...queued, using: &random)
        // A shared transaction's last byte leaves with the flush; until then its sync has not arrived.
        let received = Rules.sharesTransaction && !isFlushed ? min(arrived, max(0, steps.count - 1)) : arrived
        for step in steps.prefix(queued) { rules.queued(step) }
        if isFlushed { rules.flushed() }

        let (results, committed) = server.answer(Array(steps.prefix(received)))
        let seen = Int.random(in: 0...results.count, using: &random)
        var verdicts: [Int: [Verdict]] = [:]
        var ended = false
        for result in results.prefix(seen) {
            switch rules.received(result) {
            case .settle(let index, let verdict): verdicts[index, default: []].append(verdict)
            case .end(let ending):
                ended = true
                for index in 0..<count {
                    switch ending {
                    case .committed: verdicts[index, default: []].append(.done)
                    case .rolledBack(let culprit, let error):
                        verdicts[index, default: []].append(.rolledBack(error, isOwn: culprit == index))
                    case .lost: Issue.record("rules do not lose connections")
                    }
                }
            case .drop: Issue.record("an answer in step was taken for one out of step")
            case .ignore, .keep, .prepared, .notPrepared: break
            }
        }
        if !ended {
            let loss = PostgresError(.outcomeUnknown)
            for index in 0..<count where verdicts[index] == nil {
                verdicts[index] = [rules.verdictOfLost(index, loss)]
            }
        }

        for index in 0..<count {
            #expect(verdicts[index]?.count == 1, "every statement has one verdict")
            switch verdicts[index]?.first {
            case .done?: #expect(committed[index] != nil, "done, but never committed")
            case .rolledBack(_, let isOwn)?:
                #expect(committed[index] == nil, "rolled back, but committed")
                if isOwn { #expect(fates[index] == .refused || fates[index] == .refusedAtCommit) }
            case .leftOut?: Issue.record("no rules of their own leave anything out")
            case .unknown?, nil: break
            }
        }
        // Nothing is called unknown without need: all answers seen leave nothing open.
        if seen == results.count, received == steps.count, !fates.contains(.ends) {
            for index in 0..<count {
                if case .unknown? = verdicts[index]?.first { Issue.record("unknown, but everything was answered") }
            }
        }
    }

    @Test("whatever the server answers, whenever the connection is lost: done is committed, rolled back is not")
    func verdictsAreTrue() {
        var random = Jitter(seed: 12)
        for _ in 0..<20_000 {
            play(SharedTransaction.self, &random)
            play(SeparateTransactions.self, &random)
        }
    }

    private func shared(_ count: Int, _ answers: [BatchAnswer]) -> (BatchEnding?, SharedTransaction) {
        var rules = SharedTransaction(count: count)
        for index in 0..<count { rules.queued(.run(index)) }
        rules.queued(.sync(count == 0 ? nil : count - 1))
        rules.flushed()
        var ending: BatchEnding?
        for answer in answers { if case .end(let end) = rules.received(answer) { ending = end } }
        return (ending, rules)
    }

    @Test("an error that comes with the sync rolls the transaction back, and nobody knows whose fault it is but of one")
    func errorAtCommit() {
        let refusal = ScriptedServer.refusal
        let (one, _) = shared(1, [.done, .failed(refusal), .sync(isIdle: true)])
        guard case .rolledBack(0?, _)? = one else { return #expect(Bool(false), "\(String(describing: one))") }
        let (two, _) = shared(2, [.done, .done, .failed(refusal), .sync(isIdle: true)])
        guard case .rolledBack(nil, _)? = two else { return #expect(Bool(false), "\(String(describing: two))") }
    }

    @Test("a session that is ended with the sync may have committed before")
    func endAtCommit() {
        let (_, rules) = shared(1, [.done, .failed(ScriptedServer.end)])
        guard case .unknown = rules.verdictOfLost(0, PostgresError(.outcomeUnknown)) else {
            return #expect(Bool(false))
        }
    }

    @Test("a server that lost another at the commit cannot say whether it is done, and neither can the batch")
    func anotherLost() {
        func error(_ state: SQLState) -> PostgresError {
            var error = ScriptedServer.refusal
            error.sqlState = state
            return error
        }
        for state in ["08000", "08006"] as [SQLState] {
            var rules = SharedTransaction(count: 1)
            rules.queued(.run(0))
            rules.queued(.sync(0))
            rules.flushed()
            guard case .keep(0) = rules.received(.done), case .drop = rules.received(.failed(error(state))),
                case .unknown = rules.verdictOfLost(0, PostgresError(.outcomeUnknown))
            else { return #expect(Bool(false), "\(state)") }
        }
        guard case .rolledBack? = shared(1, [.done, .failed(error("08P01")), .sync(isIdle: true)]).0 else {
            return #expect(Bool(false))
        }
    }

    @Test("a transaction that is left open is misuse")
    func leftOpen() {
        let (ending, _) = shared(1, [.done, .sync(isIdle: false)])
        guard case .rolledBack(0?, let error)? = ending else { return #expect(Bool(false)) }
        #expect(error.code == .misuse)
    }

    @Test("an answer out of step gives the connection up")
    func outOfStep() {
        var rules = SharedTransaction(count: 1)
        rules.queued(.run(0))
        rules.queued(.sync(0))
        guard case .drop = rules.received(.sync(isIdle: true)) else { return #expect(Bool(false)) }
        var others = SeparateTransactions(count: 1)
        others.queued(.run(0))
        others.queued(.sync(0))
        guard case .drop = others.received(.other) else { return #expect(Bool(false)) }
    }
}
