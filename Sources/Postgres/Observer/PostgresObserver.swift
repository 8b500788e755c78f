/// Sees what a ``PostgresClient`` does: for metrics, and for a log of slow statements.
///
/// All calls come inside turns of the client's loops, several loops at the same time: they must be quick, must not
/// block and must not call the client. Whatever is not implemented is ignored. Without an observer nothing is measured.
public protocol PostgresObserver: AnyObject, Sendable {
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
