/// Carries a batch over a connection in libpq's pipeline mode: it queues what there is to say, hands results to the
/// rules and says what became of each statement.
final class BatchExchange<Rules: BatchRules>: Exchange {
    /// Limits for the transactions of this batch alone, where the session's will not do, and whose they are.
    struct Options {
        var lockTimeout: Duration?
        var statementTimeout: Duration?
        /// Whether statements may be of any ``CommandKind``: those of a session's one owner may.
        var allowsEveryCommand = false
        /// Whether executions of one statement run as one.
        var gathers = false
    }

    let submissions: [Submission]
    let options: Options
    /// Hears what became of one statement, before the end.
    private let onSettled: (Int, Verdict) -> Void
    /// Hears of the end, and whether the connection can carry the next exchange.
    private let onEnd: (BatchEnding, _ isFree: Bool) -> Void

    var rules: Rules
    /// The names of what is closed before a one-off statement, as far as the server has not answered.
    var closing: [String] = []
    /// The one-off statement that is prepared.
    var query: QueryCache.Key?
    /// The executions that run as one, each list in order, by its first.
    var gathered: [Int: [Int]] = [:]
    /// Those of them that had no effect.
    var leftOut: [Int] = []
    private var isSettled: [Bool]
    private var ending = BatchEnding.committed
    private var leftTransactionOpen = false

    var abandonment: PostgresError.Code?
    let usesPipeline = true

    init(
        _ submissions: [Submission], options: Options, onSettled: @escaping (Int, Verdict) -> Void,
        onEnd: @escaping (BatchEnding, _ isFree: Bool) -> Void
    ) {
        self.submissions = submissions
        self.options = options
        self.onSettled = onSettled
        self.onEnd = onEnd
        rules = Rules(count: submissions.count)
        isSettled = []
    }

    var leavesTraces: Bool { submissions.contains { $0.text == nil } }

    // MARK: Sending

    func send(on connection: Connection) -> Bool {
        if Rules.sharesTransaction {
            guard sendSettings(for: 0, on: connection) else { return false }
            let sets = makeSets(on: connection)
            var isInSet = [Bool](repeating: false, count: sets.isEmpty ? 0 : submissions.count)
            for set in sets {
                for index in set.indices { isInSet[index] = true }
            }
            for index in submissions.indices where isInSet.isEmpty || !isInSet[index] {
                guard send(index, on: connection) else { return false }
            }
            // Behind all that may wait for a lock.
            for set in sets {
                guard send(set, on: connection) else { return false }
            }
            return sendSync(submissions.isEmpty ? nil : submissions.count - 1, on: connection)
        }
        for index in submissions.indices {
            guard sendSettings(for: index, on: connection), send(index, on: connection),
                sendSync(isSettled.isEmpty || !isSettled[index] ? index : nil, on: connection)
            else { return false }
        }
        return true
    }

    func send(_ index: Int, on connection: Connection) -> Bool {
        let submission = submissions[index]
        let known = connection.usesPreparedStatements ? submission.text.flatMap { connection.prepared[$0] } : nil
        if let refusal = refusal(of: submission, known, on: connection) {
            settle(index, .rolledBack(refusal, isOwn: true))
            return true
        }
        if options.allowsEveryCommand, case .query(let sql) = submission.command {
            return sendQuery(sql, index, on: connection)
        }
        guard let text = submission.text else { return sendUnnamed(submission.sql, index, on: connection) }
        return sendBound(text, index, known, on: connection)
    }

    /// Binds the parameters.
    ///
    /// - Parameter known: What the connection knows of the statement, if it has been prepared.
    /// - Returns: Why the statement cannot be sent, if so.
    private func refusal(
        of submission: Submission, _ known: PreparedStatements.Entry?, on connection: Connection
    ) -> PostgresError? {
        connection.parameters.removeAll()
        submission.bind(&connection.parameters)
        if let failure = connection.parameters.failure { return failure }
        guard connection.parameters.count <= 65_535 else {
            return PostgresError(.misuse, reason: "more than 65,535 parameters")
        }
        if let known {
            guard known.types == connection.parameters.types else {
                return PostgresError(.misuse, reason: "the types of a statement's parameters changed")
            }
            return nil
        }
        if !options.allowsEveryCommand, CommandKind(submission.sql) != .preparable { return .otherCommand }
        return nil
    }

    /// Queues a statement whose parameters are bound.
    func sendBound(
        _ text: StatementText, _ index: Int, _ known: PreparedStatements.Entry?, on connection: Connection
    ) -> Bool {
        if connection.usesPreparedStatements {
            if let known, known.isReady || Rules.prepares {
                rules.queued(.run(index))
                return connection.handle.sendPrepared(name: known.name, connection.parameters)
            }
            if Rules.prepares {
                let entry = connection.prepared.add(text, types: connection.parameters.types)
                rules.queued(.prepare(index))
                rules.queued(.run(index))
                return connection.handle.sendPrepare(name: entry.name, sql: text.sql.description, types: entry.types)
                    && connection.handle.sendPrepared(name: entry.name, connection.parameters)
            }
        }
        return sendUnnamed(text.sql.description, index, on: connection)
    }

    private func sendUnnamed(_ sql: String, _ index: Int, on connection: Connection) -> Bool {
        rules.queued(.run(index))
        return connection.handle.sendUnnamed(sql: sql, connection.parameters)
    }

    private func sendSettings(for index: Int, on connection: Connection) -> Bool {
        let settings = [("lock_timeout", options.lockTimeout), ("statement_timeout", options.statementTimeout)]
        for case (let name, let duration?) in settings {
            rules.queued(.setting(index))
            connection.parameters.removeAll()
            connection.parameters.append(name)
            connection.parameters.append("\(duration.wholeMilliseconds)ms")
            let sql = "SELECT pg_catalog.set_config($1, $2, true)"
            guard connection.handle.sendUnnamed(sql: sql, connection.parameters) else { return false }
        }
        return true
    }

    private func sendSync(_ index: Int?, on connection: Connection) -> Bool {
        rules.queued(.sync(index))
        return connection.handle.sendSync()
    }

    func flushed(on connection: Connection) { rules.flushed() }

    // MARK: Receiving

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        let answer: BatchAnswer
        switch result.status {
        case .done: answer = .done
        case .failed:
            let error = result.error
            if error.isStaleStatement { connection.forgetPrepared(error) }
            answer = .failed(error)
        case .aborted: answer = .aborted
        case .sync:
            let isIdle = options.allowsEveryCommand || connection.handle.isOutsideTransaction
            if !isIdle { leftTransactionOpen = true }
            answer = .sync(isIdle: isIdle)
        default: answer = .other
        }
        noteClosing(answer, on: connection)
        switch rules.received(answer) {
        case .ignore: break
        case .keep(let index):
            if submissions[index].text == nil { connection.heed(result) }
            take(result, index)
        case .prepared(let index): connection.prepared.confirm(text(of: index))
        case .notPrepared(let index):
            connection.prepared.remove(text(of: index))
            if let query { connection.prepared.queries.remove(query) }
        case .settle(let index, let verdict):
            connection.cancellationTookEffect()
            settle(index, verdict)
        case .end(.rolledBack(let culprit, let error)):
            ending = .rolledBack(culprit: known(culprit), error.explained(by: abandonment))
        case .end(let ending): self.ending = ending
        case .drop:
            connection.drop()
            return false
        }
        // What was queued behind a transaction that was left open ran inside of it.
        if leftTransactionOpen, !rules.isOver {
            connection.drop()
            return false
        }
        return rules.isOver
    }

    func receiveEnd(on connection: Connection) -> Bool { false }

    func finish(on connection: Connection) {
        if case .committed = ending {
            for index in leftOut { onSettled(index, .leftOut) }
        }
        guard leftTransactionOpen else { return onEnd(ending, connection.isFree) }
        onEnd(ending, false)
        connection.drop()
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        for index in submissions.indices where isSettled.isEmpty || !isSettled[index] {
            onSettled(index, verdictOfLost(index, error))
        }
        onEnd(.lost(error), false)
    }

    private func settle(_ index: Int, _ verdict: Verdict) {
        if isSettled.isEmpty { isSettled = Array(repeating: false, count: submissions.count) }
        isSettled[index] = true
        onSettled(index, verdict)
    }
}
