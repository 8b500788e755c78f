/// Carries a pipeline over a connection in libpq's pipeline mode: it queues what there is to say, hands results to the
/// rules and says what became of each statement.
final class PipelineExchange: Exchange {
    private let items: [PostgresPipeline.Item]
    private let segments: [Range<Int>]
    private let submissions: [Submission]
    private let completion: (Result<PostgresPipelineResults, PostgresError>) -> Void

    /// `nil` until it begins.
    private var rules: PipelineRules?
    /// Why nothing was sent.
    private var refusal: PostgresError?

    var abandonment: PostgresError.Code?
    let usesPipeline = true

    init(
        _ pipeline: PostgresPipeline,
        completion: @escaping (Result<PostgresPipelineResults, PostgresError>) -> Void
    ) {
        items = pipeline.items
        segments = pipeline.segments
        submissions = items.map {
            Submission($0.command, access: .write, attempts: 1, orderingKey: nil, bind: $0.bind)
        }
        self.completion = completion
    }

    var leavesTraces: Bool { submissions.contains { $0.text == nil } }

    // MARK: Sending

    func send(on connection: Connection) -> Bool {
        let isInTransaction = !connection.handle.isOutsideTransaction
        let values: [Parameters]
        do throws(PostgresError) {
            values = try bind(on: connection)
        } catch {
            refusal = error
            rules = PipelineRules(count: 0, isInTransaction: isInTransaction)
            return sendSync(0..<0, on: connection)
        }
        rules = PipelineRules(count: items.count, isInTransaction: isInTransaction)
        for (number, segment) in segments.enumerated() {
            guard isInTransaction || begin(segment, on: connection) else { return false }
            for index in segment {
                guard send(index, values[index], isFirst: number == 0, on: connection) else { return false }
            }
            guard sendSync(segment, on: connection) else { return false }
        }
        return true
    }

    /// Binds all parameters, before anything is sent.
    private func bind(on connection: Connection) throws(PostgresError) -> [Parameters] {
        var values: [Parameters] = []
        values.reserveCapacity(submissions.count)
        for submission in submissions {
            var parameters = Parameters()
            submission.bind(&parameters)
            if let failure = parameters.failure { throw failure }
            guard parameters.count <= 65_535 else {
                throw PostgresError(.misuse, reason: "more than 65,535 parameters")
            }
            if let known = known(submission, on: connection), known.types != parameters.types {
                throw PostgresError(.misuse, reason: "the types of a statement's parameters changed")
            }
            if CommandKind(submission.sql) == .transactionControl {
                throw PostgresError(
                    .misuse, reason: "a statement of a pipeline may not begin or end a transaction: use withTransaction"
                )
            }
            values.append(parameters)
        }
        return values
    }

    private func known(_ submission: Submission, on connection: Connection) -> PreparedStatements.Entry? {
        guard connection.usesPreparedStatements, let text = submission.text else { return nil }
        return connection.prepared[text]
    }

    /// Has a command that commits by itself, such as `VACUUM`, refused where it is the first of several in a transaction. There
    /// alone the server would run it, and commit: an error of a later one would not roll it back.
    ///
    /// What goes before takes no snapshot, so `SET TRANSACTION` still comes first.
    private func begin(_ segment: Range<Int>, on connection: Connection) -> Bool {
        guard segment.count > 1, CommandKind(submissions[segment.lowerBound].sql) != .preparable else { return true }
        rules?.queued(.begin(segment.lowerBound))
        return connection.handle.sendUnnamed(sql: "SHOW server_version", Parameters())
    }

    /// - Parameter isFirst: Whether its transaction is the first: only there statements are prepared. If a `Parse` failed,
    ///   later transactions, which run all the same, would find no such name.
    private func send(_ index: Int, _ values: Parameters, isFirst: Bool, on connection: Connection) -> Bool {
        let submission = submissions[index]
        let known = known(submission, on: connection)
        if let known, known.isReady || isFirst {
            rules?.queued(.run(index))
            // It may be one of this pipeline with other types.
            guard known.types == values.types else {
                return connection.handle.sendUnnamed(sql: submission.sql, values)
            }
            return connection.handle.sendPrepared(name: known.name, values)
        }
        if isFirst, connection.usesPreparedStatements, let text = submission.text {
            let entry = connection.prepared.add(text, types: values.types)
            rules?.queued(.prepare(index))
            rules?.queued(.run(index))
            return connection.handle.sendPrepare(name: entry.name, sql: submission.sql, types: entry.types)
                && connection.handle.sendPrepared(name: entry.name, values)
        }
        rules?.queued(.run(index))
        return connection.handle.sendUnnamed(sql: submission.sql, values)
    }

    private func sendSync(_ segment: Range<Int>, on connection: Connection) -> Bool {
        rules?.queued(.sync(segment))
        return connection.handle.sendSync()
    }

    func flushed(on connection: Connection) { rules?.flushed() }

    // MARK: Receiving

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        let answer: BatchAnswer
        switch result.status {
        case .done: answer = .done
        case .failed:
            let error = result.error
            if error.isStaleStatement { connection.forgetPrepared(error) }
            answer = .failed(error.explained(by: abandonment))
        case .aborted: answer = .aborted
        case .sync: answer = .sync(isIdle: true)
        default: answer = .other
        }
        switch rules?.received(answer) {
        case .ignore?: break
        case .keep(let index)?:
            if submissions[index].text == nil { connection.heed(result) }
            submissions[index].take(result)
        case .prepared(let index)?: connection.prepared.confirm(submissions[index].text)
        case .notPrepared(let index)?: connection.prepared.remove(submissions[index].text)
        case .synced?:
            // The server has stopped one transaction, and goes on with those behind it.
            connection.cancellationTookEffect()
            if abandonment != nil, rules?.isOver == false { connection.cancelExchangeAgain() }
        case .drop?, nil:
            connection.drop()
            return false
        }
        return rules?.isOver == true
    }

    func receiveEnd(on connection: Connection) -> Bool { false }

    func finish(on connection: Connection) { complete(rules?.outcomes ?? []) }

    func lose(_ error: PostgresError, wasSent: Bool) {
        guard let rules else {
            // It had not begun.
            return completion(.failure(error.code == .outcomeUnknown ? error.beforeSending : error))
        }
        complete(rules.outcomes(lost: error))
    }

    private func complete(_ errors: [PostgresError?]) {
        if let refusal { return completion(.failure(refusal)) }
        for (submission, error) in zip(submissions, errors) { if let error { submission.fail(error) } }
        completion(.success(PostgresPipelineResults(items, submissions, errors)))
    }
}
