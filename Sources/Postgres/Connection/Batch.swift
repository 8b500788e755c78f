/// Statements that travel together in libpq's pipeline mode: one write, one answer, and one commit or one each.
///
/// Everything up to a sync point is one implicit transaction (PostgreSQL, "Pipelining"): it is committed before the
/// sync's answer comes, and rolled back if one of its statements fails.
final class Batch: Exchange {
    /// How a batch ended.
    enum Ending {
        /// Everything is committed and answered.
        case committed
        /// The transaction of all was rolled back because of one of them; nobody has been answered.
        case rolledBack(index: Int, PostgresError)
        /// The connection is lost. Those not ``Submission/Phase/finished`` have not been answered.
        ///
        /// - `mayHaveCommitted`: `false` if the transaction cannot have ended.
        case lost(PostgresError, mayHaveCommitted: Bool)
    }

    private enum Step { case setting, prepare(Int), run(Int), sync(Int) }

    let submissions: [Submission]
    /// Whether one transaction holds all, or each has its own.
    let isTogether: Bool
    /// Limits waits for locks in these transactions only, where the session's limit will not do.
    private let lockTimeout: Duration?
    private let onEnd: (Batch, Connection?, Ending) -> Void
    /// Hears of a statement whose own transaction was refused; `true`: it takes care of the statement.
    var takesOver: ((Submission, PostgresError) -> Bool)?

    var abandonment: PostgresError.Code?
    let usesPipeline = true
    private var steps: [Step] = []
    private var position = 0
    private var failure: (index: Int, error: PostgresError)?
    private var isRolledBack = false

    init(
        _ submissions: [Submission], together: Bool, lockTimeout: Duration? = nil,
        onEnd: @escaping (Batch, Connection?, Ending) -> Void
    ) {
        self.submissions = submissions
        self.isTogether = together
        self.lockTimeout = lockTimeout
        self.onEnd = onEnd
        steps.reserveCapacity(submissions.count + 1)
    }

    // MARK: Sending

    func send(on connection: Connection) -> Bool {
        guard !isTogether || sendLockTimeout(on: connection) else { return false }
        for (index, submission) in submissions.enumerated() {
            if !isTogether { guard sendLockTimeout(on: connection) else { return false } }
            guard send(submission, at: index, on: connection) else { return false }
            if !isTogether { guard sendSync(index, on: connection) else { return false } }
        }
        return !isTogether || sendSync(submissions.count - 1, on: connection)
    }

    private func send(_ submission: Submission, at index: Int, on connection: Connection) -> Bool {
        submission.phase = .sent
        connection.parameters.removeAll()
        submission.bind(&connection.parameters)
        if let failure = connection.parameters.failure {
            submission.fail(failure)
            return true
        }
        guard connection.parameters.count <= 65_535 else {
            submission.fail(PostgresError(.misuse, reason: "more than 65,535 parameters"))
            return true
        }
        guard let type = submission.type, connection.usesPreparedStatements else {
            steps.append(.run(index))
            return connection.handle.sendUnnamed(sql: submission.sql, connection.parameters)
        }
        if let known = connection.prepared[type] {
            guard known.types == connection.parameters.types else {
                submission.fail(PostgresError(.misuse, reason: "the types of a statement's parameters changed"))
                return true
            }
            steps.append(.run(index))
            return connection.handle.sendPrepared(name: known.name, connection.parameters)
        }
        let sql = submission.sql
        let entry = PreparedStatements.Entry(
            name: PreparedStatements.name(type: submission.typeName, sql: sql), types: connection.parameters.types)
        connection.prepared.add(type, entry)
        steps.append(.prepare(index))
        steps.append(.run(index))
        return connection.handle.sendPrepare(name: entry.name, sql: sql, types: entry.types)
            && connection.handle.sendPrepared(name: entry.name, connection.parameters)
    }

    private func sendLockTimeout(on connection: Connection) -> Bool {
        guard let lockTimeout else { return true }
        steps.append(.setting)
        connection.parameters.removeAll()
        connection.parameters.append("\(lockTimeout.wholeMilliseconds)ms")
        return connection.handle.sendUnnamed(
            sql: "SELECT pg_catalog.set_config('lock_timeout', $1, true)", connection.parameters)
    }

    private func sendSync(_ index: Int, on connection: Connection) -> Bool {
        steps.append(.sync(index))
        return connection.handle.sendSync()
    }

    // MARK: Receiving

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        let step = steps[position]
        position += 1
        switch (step, result.status) {
        case (.run(let index), .done):
            submissions[index].take(result)
        case (.run(let index), .failed):
            fail(index, result.error)
        case (.prepare(let index), .done):
            if let type = submissions[index].type { connection.prepared.confirm(type) }
        case (.prepare(let index), .failed):
            if let type = submissions[index].type { connection.prepared.remove(type) }
            fail(index, result.error)
        case (.prepare(let index), .aborted):
            if let type = submissions[index].type { connection.prepared.remove(type) }
        case (.sync(let index), .sync):
            if !isTogether { settle(index) }
        case (.setting, .failed):
            fail(firstOfTransaction, result.error)
        case (.setting, .done), (_, .aborted):
            break
        default:
            // COPY, or an answer out of step: this connection cannot be understood any more.
            connection.drop()
            return false
        }
        return position == steps.count
    }

    func receiveEnd(on connection: Connection) -> Bool { false }

    func finish(on connection: Connection) {
        if isTogether, let failure {
            onEnd(self, connection, .rolledBack(index: failure.index, failure.error))
            return
        }
        if isTogether { for submission in submissions where submission.phase == .sent { submission.deliver() } }
        onEnd(self, connection, .committed)
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        onEnd(self, nil, .lost(error, mayHaveCommitted: wasSent && !isRolledBack))
    }

    private func fail(_ index: Int, _ error: PostgresError) {
        // An error before the sync's answer: this transaction, and what follows a fatal one, never commits.
        if isTogether || error.severity != "ERROR" { isRolledBack = true }
        if failure == nil { failure = (index, error) }
    }

    /// Answers the statement whose own transaction has ended.
    private func settle(_ index: Int) {
        let submission = submissions[index]
        if submission.phase == .sent {
            if let failure {
                if takesOver?(submission, failure.error) != true {
                    submission.fail(failure.error.explained(by: submission.abandonment))
                }
            } else {
                submission.deliver()
            }
        }
        failure = nil
    }

    private var firstOfTransaction: Int {
        for step in steps[position...] {
            switch step {
            case .run(let index), .prepare(let index), .sync(let index): return index
            case .setting: continue
            }
        }
        return 0
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + (components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
