public import EventLoop

/// The database as a service sees it: connections per event loop, and statements that share transactions.
///
/// A statement goes to the pool of the loop that its task runs on, else to one picked in turn. Statements that arrive
/// while the connections are busy travel together, in the order of their ``Statement/orderingKey``, as one transaction
/// with one commit, and are answered after the commit. A batch that fails is rolled back and its statements run one
/// by one, so nobody pays for a neighbour's error.
///
/// For a batch to be sound a statement that writes locks rows of its own key only, and its SQL is one that may run
/// again after a rollback.
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
    /// The other servers; nil: there is one, and nothing to choose.
    @usableFromInline let servers: RoutedServers?

    /// A client that is not connected yet: ``run()`` connects it. Statements given before wait.
    ///
    /// - Parameters:
    ///   - configuration: Where the database is, and how the client behaves.
    ///   - router: Where the rows of which statement are, if they are spread over several servers; each server that it names
    ///     gets connections of its own, as many as this one. Leases, transactions and statements without a
    ///     ``Statement/routingKey`` stay with the server of the configuration. Default: `nil`, there is one server.
    ///   - loops: At least one; a pool of connections is made for each.
    public init(configuration: PostgresConfiguration, router: (any PostgresRouter)? = nil, loops: [EventLoop]) {
        precondition(!loops.isEmpty, "a client needs a loop")
        var configuration = configuration
        configuration.router = router
        servers = router.map { RoutedServers(router: $0, configuration: configuration, loops: loops) }
        self.configuration = configuration
        self.loops = loops
        do throws(PostgresError) {
            let settings = try Self.settings(configuration, lockTimeout: configuration.lockTimeout)
            let leaseSettings = try Self.settings(configuration, lockTimeout: configuration.loneLockTimeout)
            let turns = Turns(configuration)
            let pools = loops.enumerated().map { number, loop in
                let pool = LoopPool(
                    loop: loop, configuration: configuration, settings: settings, leaseSettings: leaseSettings,
                    turns: turns, number: number)
                return (pool: pool, loop: loop)
            }
            turns.open(to: pools)
            entries = pools.map { Entry(loop: $0.loop, pool: Confined($0.pool, to: $0.loop)) }
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
        guard !configuration.route.isPooler else { return try ConnectionSettings(configuration, sessionSettings: []) }
        var settings = configuration.sessionSettings
        settings["lock_timeout"] = settings["lock_timeout"] ?? "\(lockTimeout.wholeMilliseconds)"
        if let timeout = configuration.serverStatementTimeout {
            settings["statement_timeout"] = settings["statement_timeout"] ?? "\(timeout.wholeMilliseconds)"
        }
        let sorted = settings.sorted { $0.key < $1.key }
        return try ConnectionSettings(configuration, sessionSettings: sorted.map { ($0.key, $0.value) })
    }

    /// Connects, and keeps the connections alive until the task is cancelled. Call it once.
    ///
    /// On cancellation statements that wait are refused with ``PostgresError/Code/closed``, those under way come to
    /// their end, and the connections are closed.
    ///
    /// - Throws: ``PostgresError`` `.configuration`. A server that cannot be reached is no error here: the client goes
    ///   on trying.
    public func run() async throws {
        if let failure { throw failure }
        for entry in entries { entry.loop.execute { entry.pool.value.start() } }
        if let servers {
            try await servers.run()
        } else {
            let (forever, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in forever {}
            withExtendedLifetime(continuation) {}
        }
        for entry in entries {
            await withCheckedContinuation { continuation in
                entry.loop.execute { entry.pool.value.close { continuation.resume() } }
            }
        }
    }

    /// How things stand, all loops together. Each is asked in a turn of its own.
    public func statistics() async -> PostgresPoolStatistics {
        var sum = PostgresPoolStatistics()
        for entry in entries {
            sum += await withCheckedContinuation { continuation in
                entry.loop.execute { continuation.resume(returning: entry.pool.value.statistics) }
            }
        }
        for client in servers?.clients ?? [] { sum += await client.statistics() }
        return sum
    }

    /// Lets go of the servers that the router named and names no more: statements that were sent there are answered, then
    /// the connections are closed. One that is named again later is connected anew.
    ///
    /// - Parameter servers: Those that the router may name from now on.
    public func forgetServers(except servers: Set<PostgresServer>) { self.servers?.keep(only: servers) }

    /// Runs a statement.
    ///
    /// - Parameter statement: What to run.
    /// - Parameter timeout: From the call to the answer, give or take 50 ms; `nil`: the configuration's
    ///   ``PostgresConfiguration/statementTimeout``.
    /// - Returns: The rows, once their transaction is committed.
    /// - Throws: ``PostgresError``: `.server` (not done), `.decodingFailed` (done), `.queueTimeout`, `.queueFull`,
    ///   `.cancelled`, `.deadlineExceeded`, `.notSent`, `.connectionFailed`, `.closed`, `.misuse` (not done),
    ///   `.outcomeUnknown`.
    @inlinable @inline(__always)
    public func execute<S: Statement>(
        _ statement: S, timeout: Duration? = nil
    ) async throws(PostgresError) -> [S.Row] {
        let submission = Submission(statement)
        try await client(of: statement).run(submission, timeout: timeout)
        return try submission.rows(S.decode)
    }

    /// Runs a statement and takes its first row. Otherwise as ``execute(_:timeout:)``.
    @inlinable @inline(__always)
    public func first<S: Statement>(
        _ statement: S, timeout: Duration? = nil
    ) async throws(PostgresError) -> S.Row? {
        let submission = Submission(statement)
        try await client(of: statement).run(submission, timeout: timeout)
        return try submission.firstRow(S.decode)
    }

    /// The client of the server that a statement's rows are on: mostly this one.
    @inlinable @inline(__always)
    func client<S: Statement>(of statement: S) throws(PostgresError) -> PostgresClient {
        guard let servers, let key = statement.routingKey else { return self }
        return try servers.client(of: key) ?? self
    }

    /// Returns when the submission has its answer, or its error.
    @usableFromInline
    func run(_ submission: Submission, timeout: Duration?) async throws(PostgresError) {
        let entry = try entry()
        guard configuration.followsCancellation else {
            submission.noteTask()
            return await answer(to: submission, entry, timeout)
        }
        await withTaskCancellationHandler {
            await answer(to: submission, entry, timeout)
        } onCancel: {
            entry.loop.execute { entry.pool.value.cancel(submission) }
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
        for index in entries.indices where entries[index].loop.isCurrent { return entries[index] }
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
    /// - Throws: What `body` throws; ``PostgresError`` `.queueTimeout`, `.queueFull`, `.cancelled` or `.closed` if
    ///   there is no connection; `.misuse` if `body` leaves a transaction open, which is rolled back.
    public func withConnection<Result>(_ body: (PostgresConnection) async throws -> Result) async throws -> Result {
        try await withLease(alwaysCleaning: true, body)
    }

    func withLease<Result>(
        alwaysCleaning: Bool, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let entry = try entry()
        let request = Confined(LeaseRequest(), to: entry.loop)
        let configuration = configuration
        let leased = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                entry.loop.execute {
                    request.value.begin(in: entry.pool.value) { result in
                        continuation.resume(returning: result.map { Lent($0, configuration, entry.pool) })
                    }
                }
            }
        } onCancel: {
            entry.loop.execute { request.value.cancel(in: entry.pool.value) }
        }
        let lent = try leased.get()
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await body(lent.connection)) } catch { outcome = .failure(error) }
        // Also when the task is cancelled: the connection must come back.
        let isDirect = !configuration.route.isPooler
        let wasLeftOpen = await Task {
            let cleaning = await lent.connection.onLoop { isDirect && (alwaysCleaning || $0.isDirty) }
            return await lent.giveBack(cleaning: cleaning)
        }.value
        if case .success = outcome, wasLeftOpen {
            throw PostgresError(.misuse, reason: "a lease ended within a transaction or a call, which was rolled back")
        }
        return try outcome.get()
    }
}

/// Someone's wish for a connection, which may be cancelled before it is uttered. Inside turns of its loop only.
private final class LeaseRequest {
    private var id: PoolState.LeaseID?
    private var isCancelled = false

    func begin(in pool: LoopPool, _ completion: @escaping (Result<LoopPool.Lease, PostgresError>) -> Void) {
        guard !isCancelled else { return completion(.failure(PostgresError(.cancelled))) }
        id = pool.lease(completion)
    }

    func cancel(in pool: LoopPool) {
        isCancelled = true
        if let id { pool.cancelLease(id) }
    }
}

/// A connection that was lent.
private struct Lent {
    let connection: PostgresConnection
    private let lease: Confined<LoopPool.Lease>
    private let pool: Confined<LoopPool>

    init(_ lease: LoopPool.Lease, _ configuration: PostgresConfiguration, _ pool: Confined<LoopPool>) {
        connection = PostgresConnection(Session(lease.connection), configuration: configuration)
        self.lease = Confined(lease, to: pool.loop)
        self.pool = pool
    }

    /// Cleans the session and hands it back.
    ///
    /// - Returns: Whether a transaction or a call was still open: the session is closed then, and so rolled back.
    func giveBack(cleaning: Bool) async -> Bool {
        await connection.afterAbandonedCalls()
        let (isClosed, isOpen) = await connection.onLoop { session in
            let isIdle = session.isIdle && session.connection.handle.transactionState == .idle
            return (session.connection.isClosed, !isIdle)
        }
        var isUsable = !isClosed && !isOpen
        if isUsable, cleaning {
            do { try await connection.executeScript("DISCARD ALL", timeout: .seconds(5)) } catch { isUsable = false }
        }
        let wantsUse = isUsable
        let (lease, pool) = (lease, pool)
        await connection.onLoop { session in
            // Some task of the body's may have gone on with it.
            let isIdle = session.isIdle && session.connection.handle.transactionState == .idle
            let connection = session.detach()
            if cleaning { connection.prepared.forgetAll() }
            pool.value.release(lease.value, isUsable: wantsUse && isIdle)
        }
        // A session that was lost has nothing open any more: what the body was told is true.
        return isOpen && !isClosed
    }
}

extension PostgresConnection {
    /// Returns when a call that was ended early has come to its end.
    fileprivate func afterAbandonedCalls() async {
        let session = session
        await withCheckedContinuation { continuation in
            session.loop.execute { session.value.afterAbandoned { continuation.resume() } }
        }
    }
}
