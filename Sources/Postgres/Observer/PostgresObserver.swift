/// Sees what a ``PostgresClient`` does: for metrics, and for a log of slow statements.
///
/// All calls come inside turns of the client's loops, several loops at the same time: they must be quick, must not
/// block and must not call the client. Whatever is not implemented is ignored. Without an observer nothing is measured.
public protocol PostgresObserver: Sendable {
    /// Whether ``callBegan(_:)`` and ``sessionStatementEnded(_:)`` are called. Asked once for each client, and for each
    /// statement of a session. Default: `false`, which costs a statement nothing.
    var followsCalls: Bool { get }
    /// A task is about to run a statement. Called in that task, not on a loop, so what is local to the task can be seen,
    /// such as the span that a trace is at.
    ///
    /// - Returns: What the report of the statement is to carry in ``PostgresStatementReport/context``.
    func callBegan(_ call: PostgresCall) -> (any AnyObject & Sendable)?
    /// A statement of a session has been answered, or has failed: of a ``PostgresConnection``, leased ones included. Called
    /// in the task that ran it. Pipelines, rows, scripts and copies are not reported.
    func sessionStatementEnded(_ report: PostgresStatementReport)
    /// A statement has been answered, or has failed.
    func statementEnded(_ report: PostgresStatementReport)
    /// A batch has come to its end. Its statements have been reported, or will be.
    func batchEnded(_ report: PostgresBatchReport)
    /// A connection of the pool is open.
    func connectionOpened()
    /// A connection could not be made; the pool goes on trying.
    func connectionFailed(_ error: PostgresError)
    /// A connection that was open is lost; one that the pool has closed itself is not reported.
    func connectionLost(_ error: PostgresError)
    /// The server has sent a warning or a notice. Its text can quote values.
    func noticeReceived(_ notice: PostgresNotice)
}

extension PostgresObserver {
    /// No.
    public var followsCalls: Bool { false }
    /// Carries nothing.
    public func callBegan(_ call: PostgresCall) -> (any AnyObject & Sendable)? { nil }
    /// Ignored.
    public func sessionStatementEnded(_ report: PostgresStatementReport) {}
    /// Ignored.
    public func statementEnded(_ report: PostgresStatementReport) {}
    /// Ignored.
    public func batchEnded(_ report: PostgresBatchReport) {}
    /// Ignored.
    public func connectionOpened() {}
    /// Ignored.
    public func connectionFailed(_ error: PostgresError) {}
    /// Ignored.
    public func connectionLost(_ error: PostgresError) {}
    /// Ignored.
    public func noticeReceived(_ notice: PostgresNotice) {}
}

/// A statement that is about to run.
public struct PostgresCall: Sendable {
    let command: Submission.Command
    /// As ``PostgresStatementReport/name``.
    public var name: String { command.name }
    /// The constant SQL of a typed statement; `nil` for a one-off query, whose text may hold values.
    public var sql: String? {
        if case .statement(let text) = command { text.sql.description } else { nil }
    }
    /// Whether it may write.
    public let access: StatementAccess
}

/// What became of one statement of a ``PostgresClient``.
public struct PostgresStatementReport: Sendable {
    let command: Submission.Command
    /// The function that it calls, such as `pay_for_game`, or else the name of its type. Put together when it is asked for.
    public var name: String { command.name }
    /// Whether it may write.
    public let access: StatementAccess
    /// From the call to the last time it was sent; to the end, if it never was.
    public let waiting: Duration
    /// From the last time it was sent to its end, its neighbours and the commit included; zero if it never was sent.
    public let running: Duration
    /// Why it failed; `nil`: it is committed, or has run in a transaction that is open.
    public let error: PostgresError?
    /// What ``PostgresObserver/callBegan(_:)`` has returned for it.
    public let context: (any AnyObject & Sendable)?

    /// The same report with another context: for an observer that forwards to another one.
    public func carrying(_ context: (any AnyObject & Sendable)?) -> PostgresStatementReport {
        PostgresStatementReport(
            command: command, access: access, waiting: waiting, running: running, error: error, context: context)
    }
}

/// What became of one batch: statements that a ``PostgresClient`` has sent together.
public struct PostgresBatchReport: Sendable {
    /// How a batch ended.
    public enum Outcome: Sendable {
        /// Committed; or each statement by itself, some perhaps refused.
        case committed
        /// Rolled back because of one of its statements: they run again, each by itself.
        case rolledBack
        /// The connection was lost.
        case lost
    }

    /// How many statements it had, 1 or more.
    public let size: Int
    /// From its first byte to the last answer.
    public let duration: Duration
    /// How many statements of the loop wait at its end: the queue's depth.
    public let waiting: Int
    /// How it ended.
    public let outcome: Outcome
}
