/// How much a transaction sees of others (PostgreSQL, "Transaction Isolation").
public enum IsolationLevel: String, Sendable {
    /// Each statement sees what was committed before it began.
    case readCommitted = "READ COMMITTED"
    /// All statements see what was committed before the first began.
    case repeatableRead = "REPEATABLE READ"
    /// As if transactions ran one after the other.
    case serializable = "SERIALIZABLE"
}

/// A transaction that was not committed, or not certainly, and all that went wrong on the way.
public struct PostgresTransactionError: Error, CustomStringConvertible {
    /// Why the transaction could not begin.
    public internal(set) var begin: PostgresError?
    /// What the body threw.
    public internal(set) var body: (any Error)?
    /// Why the rollback failed. The session is closed then, and the server rolls back by itself.
    public internal(set) var rollback: PostgresError?
    /// Why the commit failed.
    public internal(set) var commit: PostgresError?

    /// Whether the transaction may have taken effect all the same: the connection was lost during the commit.
    public var mayHaveCommitted: Bool { commit?.code == .outcomeUnknown }

    /// Whether the server ended the transaction for the sake of others (class 40), so that it can simply run again.
    public var isTransient: Bool {
        let errors = [begin, body as? PostgresError, commit]
        return !mayHaveCommitted && errors.contains { $0?.sqlState?.isTransactionRollback == true }
    }

    /// What failed where, without values.
    public var description: String {
        var parts: [String] = []
        if let begin { parts.append("begin: \(begin)") }
        if let body { parts.append("body: " + ((body as? PostgresError)?.description ?? "\(type(of: body))")) }
        if let rollback { parts.append("rollback: \(rollback)") }
        if let commit { parts.append("commit: \(commit)") }
        return "transaction failed (\(parts.joined(separator: "; ")))"
    }
}

extension PostgresConnection {
    /// Runs a closure in a transaction and commits it.
    ///
    /// A transaction that the server ends for the sake of others (class 40: serialization failure, deadlock) is rolled
    /// back and runs again from the beginning, `attempts` times in all, after a short random wait: the closure must bear that.
    ///
    /// - Throws: ``PostgresTransactionError``. Nothing has taken effect, unless
    ///   ``PostgresTransactionError/mayHaveCommitted``.
    public func withTransaction<Result>(
        isolation: IsolationLevel = .readCommitted, attempts: Int = 5,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            do throws(PostgresTransactionError) {
                return try await once(isolation, body)
            } catch {
                guard error.isTransient, attempt < attempts, !Task.isCancelled else { throw error }
                let wait = Duration.milliseconds(5 << min(attempt, 6)) * Double.random(in: 0.5...1)
                try? await Task.sleep(for: wait)
                attempt += 1
            }
        }
    }

    private func once<Result>(
        _ isolation: IsolationLevel, _ body: (PostgresConnection) async throws -> Result
    ) async throws(PostgresTransactionError) -> Result {
        var failure = PostgresTransactionError()
        guard await transactionState() == .idle else {
            failure.begin = PostgresError(.misuse, reason: "a transaction is open, or the session is closed")
            throw failure
        }
        do throws(PostgresError) {
            try await controlTransaction("BEGIN ISOLATION LEVEL \(isolation.rawValue)")
        } catch {
            failure.begin = error
            // A cancelled BEGIN may have begun.
            failure.rollback = await rolledBack()
            throw failure
        }
        do {
            let result = try await body(self)
            try Task.checkCancellation()
            do throws(PostgresError) {
                // COMMIT would roll a failed transaction back and report success.
                guard await transactionState() == .open else {
                    throw PostgresError(.misuse, reason: "the body has ended the transaction, or hidden its failure")
                }
                try await controlTransaction("COMMIT")
                return result
            } catch {
                failure.commit = error
            }
        } catch {
            failure.body = error is CancellationError ? PostgresError(.cancelled) : error
        }
        if !failure.mayHaveCommitted { failure.rollback = await rolledBack() }
        throw failure
    }

    /// Rolls back, also when the task is cancelled.
    private func rolledBack() async -> PostgresError? {
        await Task { () -> PostgresError? in
            let state = await transactionState()
            guard state != .idle, state != .unknown else { return nil }
            do throws(PostgresError) {
                try await controlTransaction("ROLLBACK", timeout: .seconds(5))
                return nil
            } catch {
                await close()
                return error
            }
        }.value
    }
}

extension PostgresClient {
    /// Runs a closure in a transaction on a connection of its own, and commits it.
    ///
    /// Otherwise as ``PostgresConnection/withTransaction(isolation:attempts:_:)``. Behind a pooler in transaction mode
    /// too: nothing of the session outlives the transaction.
    ///
    /// - Throws: ``PostgresTransactionError``; or ``PostgresError`` if there is no connection, as
    ///   ``withConnection(_:)``.
    public func withTransaction<Result>(
        isolation: IsolationLevel = .readCommitted, attempts: Int = 5,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await withLease(alwaysCleaning: false) { connection in
            try await connection.withTransaction(isolation: isolation, attempts: attempts, body)
        }
    }
}
