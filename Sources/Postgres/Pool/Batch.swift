/// Statements that share one transaction and one sync; when one fails, each runs again in a transaction of its own.
final class Batch: Exchange {
    private enum Step {
        case parse(Int)
        case execute(Int)
        case sync
    }

    private var statements: [PendingStatement]
    private var steps: [Step] = []
    private var next = 0
    private var failed = false
    private var isSeparate = false
    private var errors: [PostgresError?]
    let requeue: ([PendingStatement]) -> Void

    init(_ statements: [PendingStatement], requeue: @escaping ([PendingStatement]) -> Void) {
        self.statements = statements
        self.requeue = requeue
        errors = Array(repeating: nil, count: statements.count)
        isSeparate = statements.count == 1
    }

    func send(on session: Session) -> Bool {
        if !session.handle.isInPipelineMode { guard session.handle.enterPipelineMode() else { return false } }
        return queue(on: session)
    }

    private func queue(on session: Session) -> Bool {
        steps.removeAll(keepingCapacity: true)
        next = 0
        failed = false
        var parsed: Set<String> = []
        for index in statements.indices {
            let statement = statements[index]
            session.parameters.removeAll()
            statement.bind(to: &session.parameters)
            if !session.prepared.contains(statement.name), parsed.insert(statement.name).inserted {
                guard session.sendPrepare(statement) else { return false }
                steps.append(.parse(index))
            }
            guard session.sendPrepared(statement) else { return false }
            steps.append(.execute(index))
            if isSeparate {
                guard session.handle.sendSync() else { return false }
                steps.append(.sync)
            }
        }
        if !isSeparate {
            guard session.handle.sendSync() else { return false }
            steps.append(.sync)
        }
        return true
    }

    func receive(_ result: consuming ResultHandle?, on session: Session) -> Bool {
        guard let result else { return false }
        switch steps[next] {
        case .parse(let index):
            switch result.status {
            case .done: session.prepared.insert(statements[index].name)
            case .failed: fail(index, result.error)
            default: break
            }
            next += 1
        case .execute(let index):
            switch result.status {
            case .done: statements[index].take(result)
            case .failed: fail(index, result.error)
            case .aborted: break
            default: fail(index, PostgresError(.misuse, reason: "a statement of a batch may not copy"))
            }
            next += 1
        case .sync:
            next += 1
            if isSeparate {
                complete(upTo: next)
            } else if failed {
                isSeparate = true
                guard queue(on: session) else {
                    session.abandon()
                    return false
                }
                return false
            } else {
                for statement in statements { statement.complete() }
                statements = []
            }
        }
        return next == steps.count
    }

    private func fail(_ index: Int, _ error: PostgresError) {
        failed = true
        if errors[index] == nil { errors[index] = error }
    }

    /// Tells the statement before a sync of its own what became of it.
    private func complete(upTo step: Int) {
        guard step >= 2, case .execute(let index) = steps[step - 2] else { return }
        if let error = errors[index], failed { statements[index].fail(error) } else { statements[index].complete() }
        failed = false
        errors[index] = nil
    }

    func fail(_ error: PostgresError) {
        requeue(statements.filter { $0.access == .read })
        for statement in statements where statement.access == .write { statement.fail(error) }
    }
}

extension Session {
    func sendPrepare(_ statement: PendingStatement) -> Bool {
        handle.sendPrepare(name: statement.name, sql: statement.sql, types: parameters.types)
    }

    func sendPrepared(_ statement: PendingStatement) -> Bool {
        sendPreparedStatement(named: statement.name)
    }
}
