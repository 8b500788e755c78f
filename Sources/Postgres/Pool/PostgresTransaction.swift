import EventLoop

extension PostgresConnection {
    /// Runs a closure in a transaction and commits it.
    ///
    /// A transaction that the server ends for the sake of others (class 40: serialization failure, deadlock), or that
    /// met an outdated prepared statement, is rolled back and runs again from the beginning, `attempts` times in all,
    /// after a short random wait: the closure must bear that.
    ///
    /// Within the closure of another `withTransaction` on the same connection it is a savepoint: released at the end,
    /// rolled back to when the closure throws. Who catches that error can go on with the outer transaction. Nothing
    /// runs again then: a serialization failure belongs to the outermost transaction, so let it pass. One at a time:
    /// a transaction that overlaps another one on the same connection, begun by a child task or by a task that is not
    /// within it, is `.misuse`.
    ///
    /// - Parameters:
    ///   - isolation: Within another transaction at most that one's, which is what it gets.
    ///   - access: `nil`, the default: as the server's `default_transaction_read_only` says, or as the transaction
    ///     around it. Within a read-only transaction all are read-only: `.readWrite` is refused there.
    ///   - isDeferrable: Waits, at its first statement, for a snapshot with which it can neither fail nor make others
    ///     fail: for long reports and backups. Only for a serializable read-only transaction, `.misuse` otherwise.
    ///   - attempts: How often it runs in all; the outermost one's counts.
    ///   - body: What runs in the transaction.
    /// - Throws: ``PostgresTransactionError``. Nothing has taken effect, unless
    ///   ``PostgresTransactionError/mayHaveCommitted``. Its `begin` is `.misuse` where a transaction is open that
    ///   `withTransaction` did not begin.
    public func withTransaction<Result>(
        isolation: IsolationLevel = .readCommitted, access: TransactionAccess? = nil, isDeferrable: Bool = false,
        attempts: Int = 5, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let options = TransactionOptions(isolation: isolation, access: access, isDeferrable: isDeferrable)
        let isOutermost = OpenScopes.depths[scopesNumber, default: 0] == 0
        var attempt = 1
        while true {
            do throws(PostgresTransactionError) {
                return try await once(options, body)
            } catch {
                let canHelp = isOutermost && error.isTransient && error.rollback == nil
                guard canHelp, attempt < attempts, !Task.isCancelled else { throw error }
                let wait = Duration.milliseconds(5 << min(attempt, 6)) * Double.random(in: 0.5...1)
                try? await Task.sleep(for: wait)
                attempt += 1
            }
        }
    }

    /// Runs a closure in a transaction that is rolled back in any case: for tests of code that takes a connection.
    ///
    /// Each `withTransaction` of that code is a savepoint, so it works as ever, and asks for no stronger isolation
    /// level than `isolation`. What happens only at a commit does not: deferred constraints are not checked,
    /// notifications not sent.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws. ``PostgresTransactionError`` if the transaction could not begin or be rolled
    ///   back; its `rollback` is `.misuse` if the closure has ended the transaction.
    public func withRolledBackTransaction<Result>(
        isolation: IsolationLevel = .readCommitted, access: TransactionAccess? = nil,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let transaction = try await begin(TransactionOptions(isolation: isolation, access: access))
        defer { scopes.withLock { $0.endTransaction(transaction) } }
        var failure = PostgresTransactionError()
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await run(body, in: transaction))
        } catch {
            outcome = .failure(error)
            failure.body = error
        }
        if await transactionState() == .idle {
            failure.rollback = PostgresError(.misuse, reason: "the body has ended the transaction")
        } else {
            failure.rollback = await rolledBack(transaction)
        }
        if failure.rollback != nil { throw failure }
        return try outcome.get()
    }

    /// Runs the body once, and commits or releases its work.
    private func once<Result>(
        _ options: TransactionOptions, _ body: (PostgresConnection) async throws -> Result
    ) async throws(PostgresTransactionError) -> Result {
        let transaction = try await begin(options)
        defer { scopes.withLock { $0.endTransaction(transaction) } }
        var failure = PostgresTransactionError()
        do {
            let result = try await run(body, in: transaction)
            try Task.checkCancellation()
            do throws(PostgresError) {
                try await end(transaction)
                return result
            } catch {
                if transaction.level == 0 { failure.commit = error } else { failure.release = error }
            }
        } catch {
            failure.body = error is CancellationError ? PostgresError(.cancelled) : error
        }
        if !failure.mayHaveCommitted { failure.rollback = await rolledBack(transaction) }
        throw failure
    }

    /// Begins a transaction where none is open, else a savepoint.
    private func begin(
        _ options: TransactionOptions
    ) async throws(PostgresTransactionError) -> OpenScopes.Transaction {
        var failure = PostgresTransactionError()
        let state = await transactionState()
        let depth = OpenScopes.depths[scopesNumber, default: 0]
        let transaction: OpenScopes.Transaction
        do throws(PostgresError) {
            transaction = try scopes.withLock { (scopes) throws(PostgresError) in
                try scopes.beginTransaction(options, in: state, depth: depth)
            }
        } catch {
            failure.begin = error
            throw failure
        }
        do throws(PostgresError) {
            try await controlTransaction(transaction.begin(options))
            return transaction
        } catch {
            failure.begin = error
        }
        if transaction.level == 0 {
            // A cancelled BEGIN may have begun.
            failure.rollback = await rolledBack(transaction)
        } else if await transactionState() == .failed {
            // If there is no savepoint the transaction around it has failed for good.
            await Task { try? await controlTransaction(transaction.rollback, timeout: .seconds(5)) }.value
        }
        scopes.withLock { $0.endTransaction(transaction) }
        throw failure
    }

    /// Runs a body so that what it begins on this connection lies in the transaction.
    private func run<Result>(
        _ body: (PostgresConnection) async throws -> Result, in transaction: OpenScopes.Transaction
    ) async throws -> Result {
        var depths = OpenScopes.depths
        depths[scopesNumber] = transaction.level + 1
        return try await OpenScopes.$depths.withValue(depths) { try await body(self) }
    }

    /// Keeps the work of a transaction.
    private func end(_ transaction: OpenScopes.Transaction) async throws(PostgresError) {
        switch await transactionState() {
        case .open: break
        case .unknown: throw PostgresError(.notSent, reason: "the connection was lost before \(transaction.end)")
        // COMMIT would roll a failed transaction back and report success.
        case .failed: throw PostgresError(.misuse, reason: "a statement failed, and the body did not throw")
        case .idle: throw PostgresError(.misuse, reason: "the body has ended the transaction")
        case .active: throw PostgresError(.misuse, reason: "the body returned while a call was running")
        }
        do throws(PostgresError) {
            try await controlTransaction(transaction.end)
        } catch {
            // Without its transaction's commit a savepoint has no effect.
            let hadNoEffect = error.code == .closed || (error.code == .outcomeUnknown && transaction.level > 0)
            throw hadNoEffect ? error.beforeSending : error
        }
    }

    /// Rolls back, also when the task is cancelled. What cannot be rolled back is closed.
    private func rolledBack(_ transaction: OpenScopes.Transaction) async -> PostgresError? {
        await Task { () -> PostgresError? in
            let state = await transactionState()
            guard state != .idle, state != .unknown else { return nil }
            do throws(PostgresError) {
                try await controlTransaction(transaction.rollback, timeout: .seconds(5))
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
    /// Otherwise as ``PostgresConnection/withTransaction(isolation:access:isDeferrable:attempts:_:)``. Behind a pooler
    /// in transaction mode too: nothing of the session outlives the transaction.
    ///
    /// - Throws: ``PostgresTransactionError``; or ``PostgresError`` if there is no connection, as
    ///   ``withConnection(_:)``.
    public func withTransaction<Result>(
        isolation: IsolationLevel = .readCommitted, access: TransactionAccess? = nil, isDeferrable: Bool = false,
        attempts: Int = 5, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await withLease(alwaysCleaning: false) { connection in
            try await connection.withTransaction(
                isolation: isolation, access: access, isDeferrable: isDeferrable, attempts: attempts, body)
        }
    }

    /// Runs a closure in a transaction on a connection of its own, and rolls it back in any case.
    ///
    /// Otherwise as ``PostgresConnection/withRolledBackTransaction(isolation:access:_:)``.
    ///
    /// - Throws: What the closure throws; ``PostgresTransactionError`` if the transaction could not begin or be rolled
    ///   back; ``PostgresError`` if there is no connection, as ``withConnection(_:)``.
    public func withRolledBackTransaction<Result>(
        isolation: IsolationLevel = .readCommitted, access: TransactionAccess? = nil,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await withLease(alwaysCleaning: false) { connection in
            try await connection.withRolledBackTransaction(isolation: isolation, access: access, body)
        }
    }
}
