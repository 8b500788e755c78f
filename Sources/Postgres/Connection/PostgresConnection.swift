import Dispatch
public import EventLoop

/// One session with the server: for command-line tools, migrations, transactions and leases.
///
/// Calls run one after the other in the order in which they were made. A call whose task is cancelled, or whose timeout
/// passes, asks the server to stop (libpq, "Canceling Queries in Progress"): the session stays usable, or is closed
/// if the server does not stop within ``PostgresConfiguration/cancellationTimeout``.
public final class PostgresConnection: Sendable {
    let session: Confined<Session>
    let configuration: PostgresConfiguration
    /// The transactions and cursors that calls have open.
    let scopes = Locked(OpenScopes())
    let scopesNumber = OpenScopes.makeNumber()

    /// The server's version, such as `150004` for 15.4.
    public let serverVersion: Int
    /// The server's process for this session, as in `pg_stat_activity.pid`.
    public let backendPID: Int

    init(_ session: Session, configuration: PostgresConfiguration) {
        self.session = Confined(session, to: session.connection.loop)
        self.configuration = configuration
        serverVersion = session.connection.handle.serverVersion
        backendPID = session.connection.handle.backendPID
    }

    deinit {
        let session = session
        session.loop.execute { session.value.close() }
    }

    /// Opens a session (libpq, `PQconnectStartParams`), several hosts and TLS as the connection string says.
    ///
    /// - Parameters:
    ///   - configuration: Where and how; the pool's settings do not matter here.
    ///   - loop: The loop that drives the session.
    ///   - onNotice: Called on the loop with warnings and notices.
    /// - Throws: ``PostgresError`` `.configuration`, `.connectionFailed` or `.cancelled`; nothing is left open.
    public static func connect(
        _ configuration: PostgresConfiguration, on loop: EventLoop,
        onNotice: (@Sendable (PostgresNotice) -> Void)? = nil
    ) async throws(PostgresError) -> PostgresConnection {
        let settings = try ConnectionSettings(configuration, sessionSettings: sessionSettings(configuration))
        let notices = onNotice ?? { configuration.observer?.noticeReceived($0) }
        let opening = Confined(Opening(), to: loop)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    let connector = Connector(
                        loop: loop, configuration: configuration, settings: settings, onNotice: notices)
                    opening.value.begin(with: connector) { result in
                        continuation.resume(
                            returning: result.map {
                                PostgresConnection(Session($0), configuration: configuration)
                            })
                    }
                }
            }
        } onCancel: {
            loop.execute { opening.value.cancel() }
        }
        return try result.get()
    }

    /// An attempt to connect that can be given up. Inside turns of its loop only.
    private final class Opening {
        private var attempt: Connector.Attempt?
        private var completion: Connector.Completion?
        private var isCancelled = false

        func begin(with connector: Connector, _ completion: @escaping Connector.Completion) {
            guard !isCancelled else { return completion(.failure(PostgresError(.cancelled))) }
            self.completion = completion
            let attempt = connector.connect { [self] in end($0) }
            // It may have failed at once.
            if self.completion != nil { self.attempt = attempt }
        }

        func cancel() {
            isCancelled = true
            attempt?.cancel()
            end(.failure(PostgresError(.cancelled)))
        }

        private func end(_ result: Result<Connection, PostgresError>) {
            let completion = completion
            self.completion = nil
            attempt = nil
            completion?(result)
        }
    }

    private static func sessionSettings(
        _ configuration: PostgresConfiguration
    ) -> [(name: String, value: String)] {
        guard !configuration.route.isPooler else { return [] }
        return configuration.sessionSettings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Statements

    /// Runs a typed statement; it is prepared on first use.
    ///
    /// - Parameter statement: What to run.
    /// - Parameter timeout: From the call to the answer; `nil`, the default: no limit.
    /// - Returns: The rows, in the server's order.
    /// - Throws: ``PostgresError``: `.server` (not done), `.decodingFailed` (done), `.cancelled` and
    ///   `.deadlineExceeded` (not done), `.notSent`, `.closed` (not done), `.outcomeUnknown`.
    public func execute<S: Statement>(
        _ statement: S, timeout: Duration? = nil
    ) async throws(PostgresError) -> [S.Row] {
        let submission = Submission(statement)
        try await run(submission, timeout: timeout)
        return try submission.rows(S.decode)
    }

    /// Runs a typed statement and takes its first row. Otherwise as ``execute(_:timeout:)``.
    public func first<S: Statement>(
        _ statement: S, timeout: Duration? = nil
    ) async throws(PostgresError) -> S.Row? {
        let submission = Submission(statement)
        try await run(submission, timeout: timeout)
        return try submission.firstRow(S.decode)
    }

    /// Runs a one-off query and decodes its rows. It is prepared if it comes again and again
    /// (``PostgresConfiguration/preparedQueryThreshold``).
    ///
    /// ```swift
    /// let names = try await connection.query("SELECT name FROM lists WHERE language = $1", [language]) {
    ///     row throws(PostgresDecodingError) in try row.next(String.self)
    /// }
    /// ```
    ///
    /// - Throws: As ``execute(_:timeout:)``.
    public func query<Row: Sendable>(
        _ sql: SQLText, _ parameters: [any PostgresEncodable] = [], timeout: Duration? = nil,
        decode: (inout RowDecoder) throws(PostgresDecodingError) -> Row
    ) async throws(PostgresError) -> [Row] {
        let submission = Submission(sql, parameters)
        try await run(submission, timeout: timeout)
        return try submission.rows(decode)
    }

    /// Runs a one-off command. It is prepared like a query.
    ///
    /// - Returns: How many rows it changed.
    /// - Throws: As ``execute(_:timeout:)``.
    @discardableResult
    public func run(
        _ sql: SQLText, _ parameters: [any PostgresEncodable] = [], timeout: Duration? = nil
    ) async throws(PostgresError) -> Int {
        let submission = Submission(sql, parameters)
        try await run(submission, timeout: timeout)
        return try submission.affectedRows()
    }

    /// Runs SQL of a trusted file, several statements included, by the simple protocol; rows are not looked at.
    ///
    /// Without `BEGIN` in it a script is one transaction, and so done wholly or not at all (PostgreSQL, "Multiple
    /// Statements in a Simple Query").
    ///
    /// - Throws: ``PostgresError``; ``PostgresError/position`` counts from the beginning of the script. A transaction
    ///   that was open before is failed then, and still open.
    public func executeScript(_ sql: String, timeout: Duration? = nil) async throws(PostgresError) {
        try await perform(timeout: timeout) { completion in Script(sql, completion: completion) }
    }

    /// Begins or ends a transaction.
    func controlTransaction(_ sql: String, timeout: Duration? = nil) async throws(PostgresError) {
        try await perform(timeout: timeout) { completion in
            Script(sql, isTransactionControl: true, completion: completion)
        }
    }

    // MARK: The session

    /// Where the session stands with transactions.
    public func transactionState() async -> TransactionState {
        await onLoop { $0.connection.handle.transactionState }
    }

    /// A setting that the server reports on its own, such as `in_hot_standby` (libpq, `PQparameterStatus`).
    public func parameterStatus(_ name: String) async -> String? {
        await onLoop { $0.connection.handle.parameterStatus(name) }
    }

    /// Closes the session. Calls that wait fail with ``PostgresError/Code/closed``.
    public func close() async {
        await onLoop { $0.close() }
    }

    /// Runs a closure on the session inside a turn of its loop.
    func onLoop<Value: Sendable>(_ body: @escaping @Sendable (Session) -> Value) async -> Value {
        let session = session
        return await withCheckedContinuation { continuation in
            session.loop.execute { continuation.resume(returning: body(session.value)) }
        }
    }

    /// Runs an exchange in its turn.
    func perform<Value: Sendable>(
        timeout: Duration?,
        _ make: @escaping @Sendable (@escaping (Result<Value, PostgresError>) -> Void) -> any Exchange
    ) async throws(PostgresError) -> Value {
        let session = session
        let call = Session.Call()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                session.loop.execute {
                    session.value.submit(make { continuation.resume(returning: $0) }, as: call, timeout: timeout)
                }
            }
        } onCancel: {
            session.loop.execute { session.value.abandon(call, .cancelled) }
        }
        return try result.get()
    }

    /// Returns when the submission has its answer.
    private func run(_ submission: Submission, timeout: Duration?) async throws(PostgresError) {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var attempt = 1
        while true {
            do throws(PostgresError) {
                return try await runOnce(submission, timeout: deadline.map { ContinuousClock.now.duration(to: $0) })
            } catch {
                // What the connection had prepared is forgotten by now, so the second try prepares it anew.
                let isStale = error.isStaleStatement && attempt == 1
                let isConflict = error.sqlState?.isTransactionRollback == true && attempt < submission.attempts
                guard isStale || isConflict, !Task.isCancelled, await transactionState() == .idle else { throw error }
                attempt += 1
            }
        }
    }

    private func runOnce(_ submission: Submission, timeout: Duration?) async throws(PostgresError) {
        try await perform(timeout: timeout) { completion in
            var options = BatchExchange<SharedTransaction>.Options()
            options.allowsEveryCommand = true
            var failure: PostgresError?
            return BatchExchange<SharedTransaction>([submission], options: options) { _, verdict in
                switch verdict {
                case .done, .leftOut: break
                case .unknown(let error): failure = error
                case .rolledBack(let error, _):
                    // A connection that was lost before the statement can have taken effect.
                    failure = error.code == .outcomeUnknown ? error.beforeSending : error
                }
            } onEnd: { ending, _ in
                if case .rolledBack(_, let error) = ending { failure = error }
                completion(failure.map { .failure($0) } ?? .success(()))
            }
        }
    }
}

extension ConnectionSettings {
    /// The settings with the hosts' names looked up, on a thread that may wait.
    func resolvedOffLoop() async -> ConnectionSettings {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                var settings = self
                settings.resolve()
                continuation.resume(returning: settings)
            }
        }
    }
}
