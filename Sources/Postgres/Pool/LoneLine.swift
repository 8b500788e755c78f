import EventLoop

/// Statements of one key that wait for a lock held elsewhere: they run by themselves, one after the other, on a
/// connection of their own and with more patience, so that nobody waits with them. Inside turns of their loop only.
final class LoneLine {
    let key: String?
    private let leases: LeasedConnections
    private let lockTimeout: Duration
    /// Hears that a statement must go back to its queue.
    private let giveBack: ([Submission]) -> Void
    private let onEmpty: (LoneLine) -> Void
    private var waiting: [Submission]
    private var request: LeasedConnections.Request?
    private(set) var connection: Connection?
    private(set) var batch: Batch?

    init(
        _ statements: [Submission], leases: LeasedConnections, lockTimeout: Duration,
        giveBack: @escaping ([Submission]) -> Void, onEmpty: @escaping (LoneLine) -> Void
    ) {
        key = statements.first?.orderingKey
        waiting = statements
        self.leases = leases
        self.lockTimeout = lockTimeout
        self.giveBack = giveBack
        self.onEmpty = onEmpty
        for statement in statements { statement.phase = .waiting }
    }

    /// Everything that waits here, and what is under way.
    var statements: [Submission] { waiting + (batch?.submissions ?? []) }

    func append(_ statement: Submission) {
        statement.phase = .waiting
        waiting.append(statement)
    }

    /// Begins, or goes on with the next.
    func advance() {
        waiting.removeAll { $0.phase != .waiting }
        guard batch == nil else { return }
        guard !waiting.isEmpty else { return end() }
        guard let connection, !connection.isClosed else { return lease() }
        // A cancellation of the one before is still on its way.
        guard connection.isFree else { return }
        let next = waiting.removeFirst()
        let batch = Batch([next], together: true, lockTimeout: lockTimeout) { [self] batch, _, ending in
            self.batch = nil
            ended(next, ending)
        }
        self.batch = batch
        connection.begin(batch)
    }

    private func lease() {
        guard request == nil else { return }
        if connection != nil { release() }
        let request = LeasedConnections.Request()
        self.request = request
        leases.lease(request) { [self] result in
            self.request = nil
            switch result {
            case .success(let leased):
                connection = leased
                advance()
            case .failure(let error):
                let refused = waiting
                waiting = []
                for statement in refused where statement.phase == .waiting { statement.fail(error) }
                end()
            }
        }
    }

    private func ended(_ statement: Submission, _ ending: Batch.Ending) {
        switch ending {
        case .committed: break
        case .rolledBack(_, let error): statement.fail(error.explained(by: statement.abandonment))
        case .lost(let error, let mayHaveCommitted):
            if let abandonment = statement.abandonment, !mayHaveCommitted || statement.access == .read {
                statement.fail(PostgresError(abandonment))
            } else if mayHaveCommitted, statement.access == .write {
                statement.fail(error)
            } else {
                giveBack([statement])
            }
        }
    }

    private func end() {
        release()
        onEmpty(self)
    }

    private func release() {
        guard let connection else { return }
        self.connection = nil
        leases.release(connection)
    }
}
