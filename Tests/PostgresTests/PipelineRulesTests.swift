import Testing

@testable import Postgres

@Suite("The rules of pipelines")
struct PipelineRulesTests {
    /// How a statement goes.
    private enum Fate: CaseIterable { case done, refused, refusedAtCommit, ends, endsAtCommit }

    private static func error(_ sqlState: SQLState, _ severity: String) -> PostgresError {
        var error = PostgresError(.server)
        error.sqlState = sqlState
        error.severity = severity
        return error
    }

    /// What a server answers to what has reached it, and after how many results each statement is committed.
    private func answer(
        _ steps: [PipelineRules.Step], _ fates: [Fate], isInTransaction: Bool
    ) -> (results: [BatchAnswer], committed: [Int: Int]) {
        var results: [BatchAnswer] = []
        var committed: [Int: Int] = [:]
        var isAborted = false
        // A transaction that has failed refuses what follows the sync, too.
        var isFailed = false
        let refusal = Self.error("23514", "ERROR")
        for step in steps {
            switch step {
            case .begin, .prepare: results.append(isAborted ? .aborted : .done)
            case .run(let index):
                guard !isAborted else {
                    results.append(.aborted)
                    continue
                }
                switch isFailed ? .refused : fates[index] {
                case .done, .refusedAtCommit, .endsAtCommit: results.append(.done)
                case .refused:
                    results.append(.failed(refusal))
                    (isAborted, isFailed) = (true, isInTransaction)
                case .ends:
                    results.append(.failed(Self.error("57P01", "FATAL")))
                    return (results, committed)
                }
            case .sync(let segment):
                if !isInTransaction {
                    if !isAborted, segment.contains(where: { fates[$0] == .refusedAtCommit }) {
                        results.append(.failed(refusal))
                        isAborted = true
                    }
                    // The commit comes before its answer: the connection may be lost between the two.
                    if !isAborted { for index in segment { committed[index] = results.count } }
                    if !isAborted, segment.contains(where: { fates[$0] == .endsAtCommit }) {
                        results.append(.failed(Self.error("57P01", "FATAL")))
                        return (results, committed)
                    }
                }
                results.append(.sync(isIdle: false))
                isAborted = false
            }
        }
        return (results, committed)
    }

    /// Plays a pipeline with a server, cuts the connection after some results, and checks every outcome.
    private func play(_ random: inout Jitter) {
        let count = Int.random(in: 0...6, using: &random)
        let fates: [Fate] = (0..<count).map { _ in
            Int.random(in: 0..<3, using: &random) > 0 ? .done : Fate.allCases.randomElement(using: &random) ?? .done
        }
        let isInTransaction = Bool.random(using: &random)
        var segments: [Range<Int>] = []
        var start = 0
        for end in (1..<max(1, count)).filter({ _ in Bool.random(using: &random) }) + [count] where end <= count {
            segments.append(start..<end)
            start = end
        }
        var steps: [PipelineRules.Step] = []
        for segment in segments {
            if !isInTransaction, segment.count > 1, Bool.random(using: &random) {
                steps.append(.begin(segment.lowerBound))
            }
            for index in segment {
                if Bool.random(using: &random) { steps.append(.prepare(index)) }
                steps.append(.run(index))
            }
            steps.append(.sync(segment))
        }
        var rules = PipelineRules(count: count, isInTransaction: isInTransaction)
        let queued = Bool.random(using: &random) ? steps.count : Int.random(in: 0...steps.count, using: &random)
        let isFlushed = queued == steps.count && Bool.random(using: &random)
        // Without the flush the last sync has not left.
        let arrived =
            isFlushed ? queued : Int.random(in: 0...min(queued, steps.count - 1), using: &random)
        for step in steps.prefix(queued) { rules.queued(step) }
        if isFlushed { rules.flushed() }
        let (results, committed) = answer(Array(steps.prefix(arrived)), fates, isInTransaction: isInTransaction)
        let seen = Int.random(in: 0...results.count, using: &random)
        for result in results.prefix(seen) {
            if case .drop = rules.received(result) { Issue.record("an answer in step was taken for one out of step") }
        }
        let isOver = queued == steps.count && rules.isOver
        let outcomes = isOver ? rules.outcomes : rules.outcomes(lost: PostgresError(.outcomeUnknown))
        #expect(outcomes.count == count)
        for (index, outcome) in outcomes.enumerated() {
            if isInTransaction {
                // Nothing of a transaction whose session is lost takes effect.
                if !isOver { #expect(outcome != nil && outcome?.code != .outcomeUnknown) }
                continue
            }
            switch outcome?.code {
            case nil: #expect(committed[index].map { $0 < seen } == true, "done, but never committed")
            case .outcomeUnknown?: #expect(!isOver, "unknown, but everything was answered")
            default: #expect(committed[index] == nil, "not done, but committed")
            }
            if outcome?.code == .pipelineAborted || outcome?.code == .rolledBack {
                let segment = segments.first { $0.contains(index) } ?? 0..<0
                #expect(segment.contains { outcomes[$0]?.code == .server }, "the cause is in the same transaction")
            }
        }
    }

    @Test("whatever the server answers, whenever the connection is lost: done is committed, not done is not")
    func outcomesAreTrue() {
        var random = Jitter(seed: 21)
        for _ in 0..<50_000 { play(&random) }
    }

    @Test("a server that lost another at the commit cannot say whether it is done")
    func anotherLost() {
        var rules = PipelineRules(count: 1, isInTransaction: false)
        rules.queued(.run(0))
        rules.queued(.sync(0..<1))
        rules.flushed()
        guard case .keep(0) = rules.received(.done), case .drop = rules.received(.failed(Self.error("08006", "ERROR")))
        else { return #expect(Bool(false)) }
        #expect(rules.outcomes(lost: PostgresError(.outcomeUnknown)).first??.code == .outcomeUnknown)
    }

    @Test("if a transaction cannot be begun, its first statement says why")
    func refusedBeginning() {
        var rules = PipelineRules(count: 2, isInTransaction: false)
        for step in [.begin(0), .prepare(0), .run(0), .run(1), .sync(0..<2)] as [PipelineRules.Step] {
            rules.queued(step)
        }
        rules.flushed()
        let failure = BatchAnswer.failed(Self.error("57014", "ERROR"))
        for answer in [failure, .aborted, .aborted, .aborted, .sync(isIdle: true)] { _ = rules.received(answer) }
        #expect(rules.isOver)
        #expect(rules.outcomes.map { $0?.code } == [.server, .pipelineAborted])
    }

    @Test("an answer out of step gives the connection up")
    func outOfStep() {
        var rules = PipelineRules(count: 1, isInTransaction: false)
        rules.queued(.run(0))
        rules.queued(.sync(0..<1))
        for answer in [BatchAnswer.sync(isIdle: true), .other] {
            guard case .drop = rules.received(answer) else { return #expect(Bool(false)) }
        }
    }
}
