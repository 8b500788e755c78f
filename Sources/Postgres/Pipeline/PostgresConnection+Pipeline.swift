extension PostgresConnection {
    /// Executes a pipeline: all statements in one round trip.
    ///
    /// What became of each statement stands in the results: a statement that fails is no error of the call. Take
    /// ``PostgresPipelineResults/get()`` where all have to succeed.
    ///
    /// When the task is cancelled, or the timeout has passed, the server is asked to stop the statement that it is at,
    /// whose transaction is then rolled back, and again for each transaction behind it that has begun meanwhile; a
    /// transaction that is faster is committed, and the results say so. A pipeline that met an outdated prepared
    /// statement, and of which nothing took effect, runs once more; else nothing is repeated.
    ///
    /// - Parameter pipeline: What to execute.
    /// - Parameter timeout: From the call to the last answer; `nil`, the default: no limit.
    /// - Throws: ``PostgresError``, nothing was sent then: `.misuse` for parameters that cannot be sent and for SQL that
    ///   begins or ends a transaction, `.cancelled`, `.deadlineExceeded`, `.closed`, `.notSent`.
    public func execute(
        pipeline: PostgresPipeline, timeout: Duration? = nil
    ) async throws(PostgresError) -> PostgresPipelineResults {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let results = try await once(pipeline, timeout: timeout)
        let isStale = results.errors.contains { $0?.isStaleStatement == true }
        guard isStale, results.errors.allSatisfy({ $0 != nil }), !Task.isCancelled, await transactionState() == .idle
        else { return results }
        return try await once(pipeline, timeout: deadline.map { ContinuousClock.now.duration(to: $0) })
    }

    /// Runs typed statements in one round trip and one transaction: all take effect, or none.
    ///
    /// ```swift
    /// let (paid, won) = try await connection.pipelined(TakePoints(player: "Juliet", points: 5), Wins(player: "Juliet"))
    /// ```
    ///
    /// - Returns: The rows of each, in the order of the statements.
    /// - Throws: As ``execute(pipeline:timeout:)``, and ``PostgresPipelineResults/firstError``; or
    ///   `.decodingFailed` (done).
    public func pipelined<each S: Statement>(
        _ statements: repeat each S, timeout: Duration? = nil
    ) async throws(PostgresError) -> (repeat [(each S).Row]) {
        var pipeline = PostgresPipeline()
        let entries = (repeat pipeline.execute(each statements))
        let results = try await execute(pipeline: pipeline, timeout: timeout).get()
        return (repeat try results[each entries])
    }

    private func once(
        _ pipeline: PostgresPipeline, timeout: Duration?
    ) async throws(PostgresError) -> PostgresPipelineResults {
        try await perform(timeout: timeout) { PipelineExchange(pipeline, completion: $0) }
    }
}

extension PostgresClient {
    /// Executes a pipeline on a further connection, which serves nobody else meanwhile.
    ///
    /// Otherwise as ``PostgresConnection/execute(pipeline:timeout:)``. Statements that need not be one transaction are
    /// better given to the client one by one, without waiting in between: it sends them together.
    ///
    /// - Parameter pipeline: What to execute.
    /// - Parameter timeout: Once there is a connection; `nil`: the configuration's
    ///   ``PostgresConfiguration/statementTimeout``.
    /// - Throws: As there; ``PostgresError`` if there is no connection, as ``withConnection(_:)``.
    public func execute(
        pipeline: PostgresPipeline, timeout: Duration? = nil
    ) async throws -> PostgresPipelineResults {
        let timeout = timeout ?? configuration.statementTimeout
        return try await withLease(alwaysCleaning: false) { try await $0.execute(pipeline: pipeline, timeout: timeout) }
    }
}
