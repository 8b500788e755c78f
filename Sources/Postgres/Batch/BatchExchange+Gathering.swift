// Executions of one statement that wait together run as one (`Statement.gatheredSQL`).
//
// Only in a batch that is one transaction. If one of its statements fails, the pool runs them once more, each in a
// transaction of its own and so by itself.

/// Executions that run as one.
struct GatheredExecutions {
    /// Which of the batch's, in order.
    let indices: [Int]
    let text: StatementText
    /// What the connection knows of the statement, if it has been prepared.
    let known: PreparedStatements.Entry?
    /// The values, as arrays.
    let parameters: Parameters
}

extension BatchExchange {
    /// From how many on writes run as one: below, one by one costs the server no more.
    private static var fewestWrites: Int { 4 }

    /// Finds the executions that run as one, and binds their values.
    ///
    /// Where a write is among the statements, reads keep their places in their order.
    func makeSets(on connection: Connection) -> [GatheredExecutions] {
        guard options.gathers, submissions.count > 1 else { return [] }
        // A batch has few kinds of statements: to compare with each costs less than to hash.
        var alike: [(text: StatementText, indices: [Int])] = []
        for (index, submission) in submissions.enumerated() {
            guard let text = submission.gatheredText else { continue }
            if let kind = alike.firstIndex(where: { $0.text == text }) {
                alike[kind].indices.append(index)
            } else {
                alike.append((text, [index]))
            }
        }
        guard !alike.isEmpty else { return [] }
        let hasWrites = submissions.contains { $0.access == .write }
        return alike.compactMap { text, indices in
            let isRead = submissions[indices[0]].access == .read
            guard isRead ? !hasWrites && indices.count > 1 : indices.count >= Self.fewestWrites else { return nil }
            return bind(indices, text, on: connection)
        }.sorted { $0.indices[0] < $1.indices[0] }
    }

    /// Queues executions as one.
    func send(_ set: GatheredExecutions, on connection: Connection) -> Bool {
        gathered[set.indices[0]] = set.indices
        connection.parameters = set.parameters
        return sendBound(set.text, set.indices[0], set.known, on: connection)
    }

    /// Binds the values of several executions as arrays.
    ///
    /// - Returns: `nil`: they cannot be bound so, and each has to run by itself.
    private func bind(_ indices: [Int], _ text: StatementText, on connection: Connection) -> GatheredExecutions? {
        var parameters = Parameters()
        for (place, index) in indices.enumerated() {
            let before = parameters.count
            submissions[index].bind(&parameters)
            // The others are as many, and about as long.
            if place == 0 { parameters.reserve(indices.count) }
            guard parameters.failure == nil, before * (place + 1) == parameters.count * place else { return nil }
        }
        guard parameters.gather(indices.count), parameters.failure == nil, parameters.count <= 65_535
        else { return nil }
        let known = connection.usesPreparedStatements ? connection.prepared[text] : nil
        let mayRun = known.map { $0.types == parameters.types } ?? (CommandKind(text.sql.description) == .preparable)
        return mayRun ? GatheredExecutions(indices: indices, text: text, known: known, parameters: parameters) : nil
    }

    /// What a statement was prepared as, if it was.
    func text(of index: Int) -> StatementText? {
        gathered[index] == nil ? submissions[index].text : submissions[index].gatheredText
    }

    /// Hands a result to those whose it is.
    func take(_ result: consuming ResultHandle, _ index: Int) {
        guard let indices = gathered[index] else { return submissions[index].take(result) }
        let rows = GatheredRows(result, count: indices.count, ofWrites: submissions[index].access == .write)
        for (offset, index) in indices.enumerated() { submissions[index].take(rows, number: offset + 1) }
        leftOut += rows.leftOut.map { indices[$0 - 1] }
    }

    /// The statement that failed; `nil`: several ran as one, and nobody knows whose error it is.
    func known(_ culprit: Int?) -> Int? { culprit.flatMap { gathered[$0] == nil ? $0 : nil } }

    /// What becomes of a statement that is not settled, now that the connection is lost.
    func verdictOfLost(_ index: Int, _ error: PostgresError) -> Verdict {
        // Whatever became of the transaction.
        if leftOut.contains(index) { return .rolledBack(error, isOwn: false) }
        let verdict = rules.verdictOfLost(index, error)
        guard case .rolledBack(_, isOwn: true) = verdict, known(index) == nil else { return verdict }
        return .rolledBack(error, isOwn: false)
    }
}
