/// The rules of a pipeline, as a value: told what was queued, what has left and what was answered, it says what became
/// of each statement. It does no I/O.
///
/// Outside of a transaction everything up to a sync point is one (PostgreSQL, "Pipelining"): it is committed before the
/// sync's answer comes, and rolled back if one of its statements fails.
struct PipelineRules {
    /// What was queued: libpq answers each with one result, in this order.
    enum Step {
        /// Begins the transaction of a statement that may not begin it itself.
        case begin(Int)
        /// Prepares what the statement runs.
        case prepare(Int)
        /// Runs the statement.
        case run(Int)
        /// Ends the transaction of these statements.
        case sync(Range<Int>)
    }

    /// What is to be done with a result.
    enum Reaction {
        case ignore
        /// It belongs to the statement.
        case keep(Int)
        case prepared(Int)
        case notPrepared(Int)
        /// A transaction has ended.
        case synced
        /// The connection cannot be understood any more.
        case drop
    }

    private enum State {
        case pending, ran
        case failed(PostgresError)
    }

    private let isInTransaction: Bool
    private var states: [State]
    private var steps: [Step] = []
    private var position = 0
    private var isFlushed = false
    /// From which statement on nothing can have run, because the session had ended.
    private var end: Int
    /// Why the transaction under way was refused at its commit.
    private var commitFailure: PostgresError?

    /// - Parameter isInTransaction: Whether the session has a transaction open, which everything is then part of.
    init(count: Int, isInTransaction: Bool) {
        self.isInTransaction = isInTransaction
        states = Array(repeating: .pending, count: count)
        end = count
    }

    /// Whether everything that was queued has been answered.
    var isOver: Bool { position == steps.count }

    mutating func queued(_ step: Step) { steps.append(step) }
    mutating func flushed() { isFlushed = true }

    /// Hears the next result. A sync's `isIdle` is not looked at: libpq knows it at the last one only.
    mutating func received(_ answer: BatchAnswer) -> Reaction {
        guard position < steps.count else { return .drop }
        switch (steps[position], answer) {
        case (.sync(let segment), .failed(let error)):
            // The server had to ask another to commit, and cannot tell whether it did.
            guard !error.isAnothersSilence else { return .drop }
            // A deferred constraint, or a conflict: the sync's own answer is still to come. What ends the session may
            // have come just after the commit.
            if error.leavesSessionAlive {
                commitFailure = commitFailure ?? error
            } else {
                end = min(end, segment.upperBound)
            }
            return .ignore
        case (.sync(let segment), .sync):
            position += 1
            settle(segment)
            commitFailure = nil
            return .synced
        case (.begin, .done), (.begin, .aborted):
            position += 1
            return .ignore
        case (.begin(let index), .failed(let error)):
            position += 1
            fail(index, error)
            return .ignore
        case (.run(let index), .done):
            position += 1
            states[index] = .ran
            return .keep(index)
        case (.prepare(let index), .done):
            position += 1
            return .prepared(index)
        case (.prepare(let index), .aborted):
            position += 1
            return .notPrepared(index)
        case (.run(let index), .aborted):
            position += 1
            if case .pending = states[index] { states[index] = .failed(.pipelineAborted) }
            return .ignore
        case (.run(let index), .failed(let error)):
            position += 1
            fail(index, error)
            return .ignore
        case (.prepare(let index), .failed(let error)):
            position += 1
            fail(index, error)
            return .notPrepared(index)
        default:
            return .drop
        }
    }

    /// What became of each statement: the error, or `nil`. Once it ``isOver``.
    var outcomes: [PostgresError?] {
        states.map { if case .failed(let error) = $0 { error } else { nil } }
    }

    /// What became of each statement, now that the connection is lost.
    func outcomes(lost error: PostgresError) -> [PostgresError?] {
        // The transaction around them was not committed.
        if isInTransaction { return states.map { state in failure(state) ?? error.beforeSending } }
        var rules = self
        for case .sync(let segment) in steps[min(position, steps.count)...] {
            let isLast = segment.upperBound == states.count
            let hasFailed = rules.commitFailure != nil || segment.contains { failure(states[$0]) != nil }
            if hasFailed, end >= segment.upperBound {
                rules.settle(segment)
            } else {
                for index in segment {
                    let isCertain = index >= end || isLast && !isFlushed
                    if failure(states[index]) == nil {
                        rules.states[index] = .failed(isCertain ? error.beforeSending : error)
                    }
                }
            }
            rules.commitFailure = nil
        }
        // Transactions whose end was never queued.
        let queued = steps.reduce(0) { if case .sync(let segment) = $1 { max($0, segment.upperBound) } else { $0 } }
        for index in states.indices.dropFirst(queued) where failure(states[index]) == nil {
            rules.states[index] = .failed(error.beforeSending)
        }
        return rules.outcomes
    }

    private func failure(_ state: State) -> PostgresError? {
        if case .failed(let error) = state { error } else { nil }
    }

    private mutating func fail(_ index: Int, _ error: PostgresError) {
        guard error.leavesSessionAlive else {
            // The transaction of this statement, from its first one on, had no effect.
            return end = min(end, start(ofSegmentWith: index))
        }
        states[index] = .failed(error)
    }

    private func start(ofSegmentWith index: Int) -> Int {
        for case .sync(let segment) in steps where segment.contains(index) { return segment.lowerBound }
        return index
    }

    /// Ends the transaction of some statements.
    private mutating func settle(_ segment: Range<Int>) {
        let hasFailed = segment.contains { failure(states[$0]) != nil }
        for index in segment {
            switch states[index] {
            case .ran where commitFailure != nil, .pending where commitFailure != nil:
                states[index] = commitFailure.map { .failed($0) } ?? states[index]
            case .ran where hasFailed && !isInTransaction: states[index] = .failed(.rolledBack)
            case .pending: states[index] = .failed(.pipelineAborted)
            case .ran, .failed: break
            }
        }
    }
}

extension PostgresError {
    static let pipelineAborted = PostgresError(.pipelineAborted)
    static let rolledBack = PostgresError(.rolledBack)
}
