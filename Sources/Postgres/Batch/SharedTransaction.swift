/// Statements that share one transaction: one sync, one commit, all or none.
struct SharedTransaction: BatchRules {
    private let count: Int
    private var steps: [BatchStep] = []
    private var position = 0
    private var isFlushed = false
    /// Why the transaction was refused, and whose fault that is, if it is known.
    private var failure: (culprit: Int?, error: PostgresError)?
    /// Whether the session ended before the transaction could.
    private var isCutShort = false

    static let prepares = true
    static let sharesTransaction = true

    init(count: Int) {
        self.count = count
        steps.reserveCapacity(count + 1)
    }

    var isOver: Bool { position == steps.count }

    mutating func queued(_ step: BatchStep) { steps.append(step) }
    mutating func flushed() { isFlushed = true }

    mutating func received(_ answer: BatchAnswer) -> BatchReaction {
        guard position < steps.count else { return .drop }
        let step = steps[position]
        switch (step, answer) {
        case (.sync, .failed(let error)):
            // The server had to ask another to commit, and cannot tell whether it did.
            guard !error.isAnothersSilence else { return .drop }
            // A deferred constraint, or a conflict found at the commit: the sync's own answer is still to come. What
            // ends the session may have come just after the commit.
            if error.leavesSessionAlive, failure == nil { failure = (count == 1 ? 0 : nil, error) }
            return .ignore
        case (.sync, .sync(let isIdle)):
            position += 1
            if let failure { return .end(.rolledBack(culprit: failure.culprit, failure.error)) }
            guard isIdle else { return .end(.rolledBack(culprit: count == 1 ? 0 : nil, .transactionControl)) }
            return .end(.committed)
        case (.run(let index), .done):
            position += 1
            return .keep(index)
        case (.prepare(let index), .done):
            position += 1
            return .prepared(index)
        case (.setting, .done), (.setting, .aborted), (.run, .aborted):
            position += 1
            return .ignore
        case (.prepare(let index), .aborted):
            position += 1
            return .notPrepared(index)
        case (.setting(let index), .failed(let error)), (.run(let index), .failed(let error)):
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

    func verdictOfLost(_ index: Int, _ error: PostgresError) -> Verdict {
        if let failure {
            return .rolledBack(failure.culprit == index ? failure.error : error, isOwn: failure.culprit == index)
        }
        return isCutShort || !isFlushed ? .rolledBack(error, isOwn: false) : .unknown(error)
    }

    private mutating func fail(_ index: Int, _ error: PostgresError) {
        guard error.leavesSessionAlive else { return isCutShort = true }
        if failure == nil { failure = (index, error) }
    }
}
