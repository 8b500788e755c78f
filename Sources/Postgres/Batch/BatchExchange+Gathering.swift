// Executions of one read that wait together are asked as one (`Statement.gatheredSQL`).
//
// Only in a batch that is one transaction: if it fails, each of its statements runs again in a transaction of its own, and
// so by itself.

extension BatchExchange {
    /// Queues the statements, those that are alike as one, at the place of the first.
    func sendGathering(on connection: Connection) -> Bool {
        var isQueued = Array(repeating: false, count: submissions.count)
        for index in submissions.indices where !isQueued[index] {
            let alike = others(like: index, isQueued)
            if !alike.isEmpty, let text = submissions[index].gatheredText, bind([index] + alike, on: connection) {
                let known = connection.usesPreparedStatements ? connection.prepared[text] : nil
                if known.map({ $0.types == connection.parameters.types }) != false {
                    for other in alike { isQueued[other] = true }
                    gathered[index] = [index] + alike
                    guard sendBound(text, index, known, on: connection) else { return false }
                    continue
                }
            }
            guard send(index, on: connection) else { return false }
        }
        return true
    }

    /// The executions behind this one that can be asked together with it.
    private func others(like index: Int, _ isQueued: [Bool]) -> [Int] {
        guard let text = submissions[index].gatheredText else { return [] }
        return submissions.indices.filter { $0 > index && !isQueued[$0] && submissions[$0].gatheredText == text }
    }

    /// Binds the values of several executions as arrays.
    ///
    /// - Returns: `false`: they cannot be bound so.
    private func bind(_ indices: [Int], on connection: Connection) -> Bool {
        connection.parameters.removeAll()
        for index in indices { submissions[index].bind(&connection.parameters) }
        return connection.parameters.gather(indices.count) && connection.parameters.failure == nil
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
}
