/// Statements that each have a transaction of their own, sent one behind the other: each ends in a sync and is settled
/// at once.
///
/// Nothing is prepared here: if one statement's `Parse` failed, the next of its type would find no such name.
struct SeparateTransactions: BatchRules {
    private var steps: [BatchStep] = []
    private var position = 0
    /// The last statement whose transaction has been queued to its end.
    private var lastQueued = -1
    /// Why the transaction under way was refused.
    private var failure: (index: Int, error: PostgresError)?
    /// Whether the session ended before the transaction under way could.
    private var isCutShort = false

    static let prepares = false
    static let sharesTransaction = false

    init(count: Int) { steps.reserveCapacity(2 * count) }

    var isOver: Bool { position == steps.count }

    mutating func queued(_ step: BatchStep) {
        steps.append(step)
        if case .sync(let index?) = step { lastQueued = index }
    }

    mutating func flushed() {}

    mutating func received(_ answer: BatchAnswer) -> BatchReaction {
        guard position < steps.count else { return .drop }
        switch (steps[position], answer) {
        case (.sync(let index), .failed(let error)):
            // The server had to ask another to commit, and cannot tell whether it did.
            guard !error.isAnothersSilence else { return .drop }
            // A deferred constraint, or a conflict found at the commit: the sync's own answer is still to come. What
            // ends the session may have come just after the commit.
            if let index, failure == nil, error.leavesSessionAlive { failure = (index, error) }
            return .ignore
        case (.sync(let index), .sync(let isIdle)):
            position += 1
            guard let index else { return .ignore }
            let error = failure?.error ?? (isIdle ? nil : .transactionControl)
            failure = nil
            return .settle(index, error.map { .rolledBack($0, isOwn: true) } ?? .done)
        case (.run(let index), .done):
            position += 1
            return .keep(index)
        case (.setting, .done), (.setting, .aborted), (.run, .aborted):
            position += 1
            return .ignore
        case (.setting(let index), .failed(let error)), (.run(let index), .failed(let error)):
            position += 1
            if !error.leavesSessionAlive {
                isCutShort = true
            } else if failure == nil {
                failure = (index, error)
            }
            return .ignore
        default:
            return .drop
        }
    }

    func verdictOfLost(_ index: Int, _ error: PostgresError) -> Verdict {
        if let failure, failure.index == index { return .rolledBack(failure.error, isOwn: true) }
        // Any part of what was queued may have reached the server, a sync with it.
        return isCutShort || index > lastQueued ? .rolledBack(error, isOwn: false) : .unknown(error)
    }
}
