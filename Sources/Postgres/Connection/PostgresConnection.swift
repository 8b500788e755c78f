import Dispatch
public import EventLoop

/// One session with the server: for command-line tools, migrations, transactions and leases.
///
/// Calls run one after the other in the order in which they were made. A call whose task is cancelled, or whose timeout
/// passes, asks the server to stop (libpq, "Canceling Queries in Progress"): the session stays usable, or is closed
/// if the server does not stop within ``PostgresConfiguration/cancellationTimeout``.
public final class PostgresConnection: Sendable {
    let session: Confined<Session>
    private let configuration: PostgresConfiguration
    /// The transactions and cursors that calls have open.
    let scopes = Locked(OpenScopes())

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
        var settings = try ConnectionSettings(configuration, sessionSettings: sessionSettings(configuration))
        if settings.needsResolution { settings = await settings.resolvedOffLoop() }
        let ready = settings
        var attempts = max(1, settings.hostCount)
        while true {
            let result = await withCheckedContinuation { continuation in
                loop.execute { [settings] in
                    let connection = Connection(settings: settings, configuration: configuration, loop: loop)
                    if let onNotice { connection.handle.receiveNotices(onNotice) }
                    Session.open(connection) { result in
                        continuation.resume(
                            returning: result.map { PostgresConnection($0, configuration: configuration) })
                    }
                }
            }
            attempts -= 1
            switch result {
            case .success(let connection):
                guard !Task.isCancelled else { throw PostgresError(.cancelled) }
                return connection
            case .failure(let error):
                // Silence of one host is no reason not to try the next; everything else libpq has tried itself.
                guard error.reason != nil, attempts > 0, ready.hostCount > 1, !Task.isCancelled else { throw error }
                settings.rotate()
            }
        }
    }

    private static func sessionSettings(
        _ configuration: PostgresConfiguration
    ) -> [(name: String, value: String)] {
        guard configuration.route == .direct else { return [] }
        return configuration.sessionSettings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Statements

    /// Runs a typed statement; it is prepared on first use.
    ///
    /// - Parameter timeout: From the call to the answer; `nil`, the default: no limit.
    /// - Returns: The rows, in the server's order.
    /// - Throws: ``PostgresError``: `.server` (not done), `.decodingFailed` (done), `.cancelled` and `.deadlineExceeded`
    ///   (not done), `.notSent`, `.closed` (not done), `.outcomeUnknown`.
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

    /// Runs a one-off query and decodes its rows. Nothing is prepared.
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

    /// Runs a one-off command.
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

    /// Returns when the submission has its answer, or its error.
    private func run(_ submission: Submission, timeout: Duration?) async throws(PostgresError) {
        try await perform(timeout: timeout) { completion in
            submission.onAnswer { completion(.success(())) }
            return Batch([submission], together: true) { batch, _, ending in
                switch ending {
                case .committed: break
                case .rolledBack(_, let error): submission.fail(error.explained(by: batch.abandonment))
                case .lost(let error, let mayHaveCommitted):
                    guard submission.phase != .finished else { return }
                    let isOurs = error.code != .outcomeUnknown
                    submission.fail(isOurs || mayHaveCommitted ? error : error.beforeSending)
                }
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
