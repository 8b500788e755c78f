extension BatchExchange {
    /// Queues a one-off statement of a session, whose parameters are bound: under a name if it has come often enough.
    ///
    /// What is prepared no more is closed before, in the same round trip, unless a transaction that has failed would
    /// refuse that, or the statement may have to come first or alone, as `SET TRANSACTION` and `VACUUM` do. `DEALLOCATE`
    /// does it with every libpq; `PQsendClosePrepared` is there from 17 on.
    func sendQuery(_ sql: String, _ index: Int, on connection: Connection) -> Bool {
        let key = QueryCache.Key(sql: sql, types: connection.parameters.types)
        let use = connection.usesPreparedStatements ? connection.prepared.queries.use(key) : .unnamed
        if connection.handle.transactionState != .failed, CommandKind(sql) == .preparable {
            for name in connection.prepared.queries.evicted {
                closing.append(name)
                rules.queued(.setting(index))
                guard connection.handle.sendUnnamed(sql: "DEALLOCATE \(name)", Parameters()) else { return false }
            }
        }
        switch use {
        case .unnamed:
            rules.queued(.run(index))
            return connection.handle.sendUnnamed(sql: sql, connection.parameters)
        case .prepared(let name):
            rules.queued(.run(index))
            return connection.handle.sendPrepared(name: name, connection.parameters)
        case .prepare(let name):
            query = key
            rules.queued(.prepare(index))
            rules.queued(.run(index))
            return connection.handle.sendPrepare(name: name, sql: sql, types: key.types)
                && connection.handle.sendPrepared(name: name, connection.parameters)
        }
    }

    /// Hears of a result. Those of what is closed come first.
    func noteClosing(_ answer: BatchAnswer, on connection: Connection) {
        guard let name = closing.first else { return }
        guard case .done = answer else { return closing = [] }
        closing.removeFirst()
        connection.prepared.queries.closed(name)
    }
}

extension Connection {
    /// Heeds what a one-off command has done to what is prepared: everything is gone, or the schema is another one.
    func heed(_ result: borrowing ResultHandle) {
        let tag = result.commandTag
        switch tag {
        case "DISCARD ALL", "DEALLOCATE ALL": prepared.forgetAll()
        case "COMMIT": prepared.queries.committed()
        // Also of `ROLLBACK TO`, behind which the transaction goes on.
        case "ROLLBACK": prepared.queries.rolledBack()
        default:
            let word = tag.prefix { $0 != " " }
            if word == "CREATE" || word == "ALTER" || word == "DROP" { prepared.queries.retireAll() }
        }
    }
}
