// Executions of one read that wait together are asked as one (`Statement.gatheredSQL`).
//
// Only in a batch of reads that is one transaction. If one of its statements fails, the pool runs them once more, each in a
// transaction of its own and so by itself.

extension BatchExchange {
    /// Whether there may be something to gather. Where a write is among the statements, their order is kept.
    var mayGather: Bool {
        options.gathersReads && submissions.count > 1 && submissions.allSatisfy { $0.access == .read }
            && submissions.contains { $0.gatheredText != nil }
    }

    /// Queues the statements, those that are alike as one, at the place of the first.
    func sendGathering(on connection: Connection) -> Bool {
        var isQueued = Array(repeating: false, count: submissions.count)
        var declined: Set<StatementText> = []
        for index in submissions.indices where !isQueued[index] {
            if let text = submissions[index].gatheredText, !declined.contains(text) {
                let alike = submissions.indices.filter { $0 >= index && submissions[$0].gatheredText == text }
                let known = connection.usesPreparedStatements ? connection.prepared[text] : nil
                if alike.count > 1, bind(alike, text, known, on: connection) {
                    for other in alike { isQueued[other] = true }
                    gathered[index] = alike
                    guard sendBound(text, index, known, on: connection) else { return false }
                    continue
                }
                declined.insert(text)
            }
            guard send(index, on: connection) else { return false }
        }
        return true
    }

    /// Binds the values of several executions as arrays.
    ///
    /// - Returns: `false`: they cannot be bound so, and each has to be asked by itself.
    private func bind(
        _ indices: [Int], _ text: StatementText, _ known: PreparedStatements.Entry?, on connection: Connection
    ) -> Bool {
        connection.parameters.removeAll()
        for (place, index) in indices.enumerated() {
            let before = connection.parameters.count
            submissions[index].bind(&connection.parameters)
            let count = connection.parameters.count
            guard connection.parameters.failure == nil, before * (place + 1) == count * place else { return false }
        }
        guard connection.parameters.gather(indices.count), connection.parameters.failure == nil,
            connection.parameters.count <= 65_535
        else { return false }
        guard let known else { return CommandKind(text.sql.description) == .preparable }
        return known.types == connection.parameters.types
    }

    /// What a statement was prepared as, if it was.
    func text(of index: Int) -> StatementText? {
        gathered[index] == nil ? submissions[index].text : submissions[index].gatheredText
    }

    /// Hands a result to those whose it is.
    func take(_ result: consuming ResultHandle, _ index: Int) {
        guard let indices = gathered[index] else { return submissions[index].take(result) }
        let rows = GatheredRows(result, count: indices.count)
        for (offset, index) in indices.enumerated() { submissions[index].take(rows, number: offset + 1) }
    }

    /// The statement that failed; `nil`: several were asked as one, and nobody knows whose error it is.
    func known(_ culprit: Int?) -> Int? { culprit.flatMap { gathered[$0] == nil ? $0 : nil } }

    /// What becomes of a statement that is not settled, now that the connection is lost.
    func verdictOfLost(_ index: Int, _ error: PostgresError) -> Verdict {
        let verdict = rules.verdictOfLost(index, error)
        guard case .rolledBack(_, isOwn: true) = verdict, known(index) == nil else { return verdict }
        return .rolledBack(error, isOwn: false)
    }
}
