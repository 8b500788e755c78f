public import EventLoop

/// The database as a service sees it: connections per event loop, and statements that share transactions.
///
/// A statement goes to the pool of the loop that its task runs on, else to one picked in turn. Statements that arrive
/// while the connections are busy travel together, in the order of their ``Statement/orderingKey``, as one transaction
/// with one commit, and are answered after the commit. A batch that fails is rolled back and its statements run one
/// by one, so nobody pays for a neighbour's error.
///
/// For a batch to be sound a statement that writes locks rows of its own key only, and its SQL is one that may run again after
/// a rollback.
public final class PostgresClient: Sendable {
    private struct Entry: Sendable {
        let loop: EventLoop
        let pool: Confined<LoopPool>
    }

    private let entries: [Entry]
    let loops: [EventLoop]
    private let failure: PostgresError?
    let configuration: PostgresConfiguration
    private let next = Locked(0)

    /// A client that is not connected yet: ``run()`` connects it. Statements given before wait.
    ///
    /// - Parameter loops: At least one; a pool of connections is made for each.
    public init(configuration: PostgresConfiguration, loops: [EventLoop]) {
        precondition(!loops.isEmpty, "a client needs a loop")
        self.configuration = configuration
        self.loops = loops
        do throws(PostgresError) {
            let settings = try Self.settings(configuration, lockTimeout: configuration.lockTimeout)
            let leaseSettings = try Self.settings(configuration, lockTimeout: configuration.loneLockTimeout)
            entries = loops.map { loop in
                let pool = LoopPool(
                    loop: loop, configuration: configuration, settings: settings, leaseSettings: leaseSettings)
                return Entry(loop: loop, pool: Confined(pool, to: loop))
            }
            failure = nil
        } catch {
            entries = []
            failure = error
        }
    }

    private static func settings(
        _ configuration: PostgresConfiguration, lockTimeout: Duration
    ) throws(PostgresError) -> ConnectionSettings {
        // Behind a pooler nothing may be said about the session.
        guard configuration.route == .direct else { return try ConnectionSettings(configuration, sessionSettings: []) }
        var settings = configuration.sessionSettings
        settings["lock_timeout"] = settings["lock_timeout"] ?? "\(lockTimeout.wholeMilliseconds)"
        let sorted = settings.sorted { $0.key < $1.key }
        return try ConnectionSettings(configuration, sessionSettings: sorted.map { ($0.key, $0.value) })
    }

    /// Connects, and keeps the connections alive until the task is cancelled. Call it once.
    ///
    /// On cancellation statements that wait are refused with ``PostgresError/Code/closed``, those under way come to
    /// their end, and the connections are closed.
    ///
    /// - Throws: ``PostgresError`` `.configuration`. A server that cannot be reached is no error here: the client goes on
    ///   trying.
    public func run() async throws {
        if let failure { throw failure }
        for entry in entries { entry.loop.execute { entry.pool.value.start() } }
        let (forever, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in forever {}
        withExtendedLifetime(continuation) {}
        for entry in entries {
            await withCheckedContinuation { continuation in
                entry.loop.execute { entry.pool.value.close { continuation.resume() } }
            }
        }
    }

    /// Runs a statement.
    ///
    /// - Parameter timeout: From the call to the answer, give or take 50 ms; `nil`: the configuration's
    ///   ``PostgresConfiguration/statementTimeout``.
    /// - Returns: The rows, once their transaction is committed.
    /// - Throws: ``PostgresError``: `.server` (not done), `.decodingFailed` (done), `.queueTimeout`, `.queueFull`,
    ///   `.cancelled`, `.deadlineExceeded`, `.notSent`, `.connectionFailed`, `.closed` (not done), `.outcomeUnknown`.
    @inlinable @inline(__always)
    public func execute<S: Statement>(
        _ statement: S, timeout: Duration? = nil
    ) async throws(PostgresError) -> [S.Row] {
        let submission = Submission(statement)
        try await run(submission, timeout: timeout)
        return try submission.rows(S.decode)
    }

    /// Runs a statement and takes its first row. Otherwise as ``execute(_:timeout:)``.
    @inlinable @inline(__always)
    public func first<S: Statement>(
        _ statement: S, timeout: Duration? = nil
    ) async throws(PostgresError) -> S.Row? {
        let submission = Submission(statement)
        try await run(submission, timeout: timeout)
        return try submission.firstRow(S.decode)
    }

    /// Returns when the submission has its answer, or its error.
    @usableFromInline
    func run(_ submission: Submission, timeout: Duration?) async throws(PostgresError) {
        let entry = try entry()
        guard configuration.followsCancellation else { return await answer(to: submission, entry, timeout) }
        await withTaskCancellationHandler {
            await answer(to: submission, entry, timeout)
        } onCancel: {
            entry.loop.execute {
                if submission.phase == .new { submission.abandonment = .cancelled }
                entry.pool.value.abandon(submission)
            }
        }
    }

    @inline(__always)
    private func answer(to submission: Submission, _ entry: Entry, _ timeout: Duration?) async {
        // Unsafe for the reason that `Submission` gives.
        await unsafe withUnsafeContinuation { continuation in
            unsafe submission.waits(continuation)
            if entry.loop.isCurrent {
                entry.pool.value.submit(submission, timeout: timeout)
            } else {
                entry.loop.execute { entry.pool.value.submit(submission, timeout: timeout) }
            }
        }
    }

    /// The pool of the loop we are on, else the next one's.
    private func entry() throws(PostgresError) -> Entry {
        if let failure { throw failure }
        for entry in entries where entry.loop.isCurrent { return entry }
        let index = next.withLock { next in
            next = (next + 1) % entries.count
            return next
        }
        return entries[index]
    }

    // MARK: Leases

    /// Lends a connection out of the batches, for what needs a session of its own.
    ///
    /// The session begins clean and is cleaned afterwards (`DISCARD ALL`). It serves this call only: do not keep it.
    ///
    /// - Throws: What `body` throws; ``PostgresError`` `.queueTimeout`, `.queueFull`, `.cancelled` or `.closed` if there is no
    ///   connection; `.misuse` if `body` leaves a transaction open, which is rolled back.
    public func withConnection<Result>(_ body: (PostgresConnection) async throws -> Result) async throws -> Result {
        try await withLease(alwaysCleaning: true, body)
    }

    func withLease<Result>(
        alwaysCleaning: Bool, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let entry = try entry()
        let request = LeasedConnections.Request()
        let configuration = configuration
        let leased = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                entry.loop.execute {
                    entry.pool.value.leases.lease(request) { result in
                        continuation.resume(
                            returning: result.map { connection in
                                PostgresConnection(Session(connection), configuration: configuration)
                            })
                    }
                }
            }
        } onCancel: {
            entry.loop.execute { entry.pool.value.leases.cancel(request) }
        }
        let connection = try leased.get()
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await body(connection)) } catch { outcome = .failure(error) }
        // Also when the task is cancelled: the connection must come back.
        let isDirect = configuration.route == .direct
        let isClean = await Task {
            let cleaning = await connection.onLoop { isDirect && (alwaysCleaning || $0.isDirty) }
            return await connection.giveBack(to: entry.pool, cleaning: cleaning)
        }.value
        if case .success = outcome, !isClean {
            throw PostgresError(.misuse, reason: "a lease ended within a transaction, which was rolled back")
        }
        return try outcome.get()
    }
}

extension PostgresConnection {
    /// Cleans the session and hands it back.
    ///
    /// - Returns: `false` if a transaction or a call was still open: the session is closed then, and so rolled back.
    fileprivate func giveBack(to pool: Confined<LoopPool>, cleaning: Bool) async -> Bool {
        let isClean = await onLoop { session in
            session.isIdle && (session.connection.isClosed || session.connection.handle.transactionState == .idle)
        }
        if isClean, cleaning { try? await executeScript("DISCARD ALL", timeout: .seconds(5)) }
        await onLoop { session in
            let connection = session.detach()
            if isClean, session.isIdle {
                if cleaning { connection.prepared.removeAll() }
            } else {
                connection.close()
            }
            pool.value.leases.release(connection)
        }
        return isClean
    }
}
