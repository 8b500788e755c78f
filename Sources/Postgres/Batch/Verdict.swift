/// What became of one statement of a batch.
enum Verdict {
    /// Its transaction is committed.
    case done
    /// It had no effect: it was one of several executions that ran as one, and was left out, because it would have waited
    /// for a lock. The transaction is committed.
    case leftOut
    /// It had no effect: because of an error of its own, of a neighbour's error, or of the loss of the connection.
    case rolledBack(PostgresError, isOwn: Bool)
    /// The connection was lost when its transaction may have been committed.
    case unknown(PostgresError)
}

/// What a batch has queued: libpq answers each with one result, in this order.
enum BatchStep {
    /// Sets limits for the transaction that the statement opens.
    case setting(Int)
    /// Prepares what the statement runs.
    case prepare(Int)
    /// Runs the statement.
    case run(Int)
    /// Ends the transaction whose last statement it is; `nil`: one without statements.
    case sync(Int?)
}

/// One result, as far as the rules of a batch tell results apart.
enum BatchAnswer {
    /// Done, perhaps with rows.
    case done
    /// The server refused.
    case failed(PostgresError)
    /// Skipped, because something before it in its transaction failed.
    case aborted
    /// A sync point. `isIdle`: no transaction is open behind it.
    case sync(isIdle: Bool)
    /// Something that no statement of a batch may ask for, such as a copy.
    case other
}

/// What is to be done with a result.
enum BatchReaction {
    /// Nothing.
    case ignore
    /// It belongs to the statement.
    case keep(Int)
    /// What the statement runs is prepared.
    case prepared(Int)
    /// What the statement runs is not prepared.
    case notPrepared(Int)
    /// The statement's own transaction has ended.
    case settle(Int, Verdict)
    /// The transaction of all has ended.
    case end(BatchEnding)
    /// The connection cannot be understood any more.
    case drop
}

/// How a batch ended, for the statements that were not settled before.
enum BatchEnding {
    /// All are committed.
    case committed
    /// Their transaction was rolled back because of one of them: `nil` if nobody knows which.
    case rolledBack(culprit: Int?, PostgresError)
    /// The connection is lost; every statement has been settled.
    case lost(PostgresError)
}

/// The rules of a batch, as a value: told what was queued, what has left and what was answered, it says what became of
/// each statement. It does no I/O.
///
/// Everything up to a sync point is one implicit transaction (PostgreSQL, "Pipelining"): it is committed before the
/// sync's answer comes, and rolled back if one of its statements fails.
protocol BatchRules {
    /// Rules for a batch of statements 0 ..< `count`.
    init(count: Int)

    /// Whether a statement that the session does not know yet is prepared, or sent unnamed.
    static var prepares: Bool { get }

    /// Whether one transaction holds all statements, or each has its own.
    static var sharesTransaction: Bool { get }

    /// Whether everything that was queued has been answered.
    var isOver: Bool { get }

    /// Hears that a step was handed to libpq, which may send it at any time.
    mutating func queued(_ step: BatchStep)

    /// Hears that everything has been queued and handed to the socket.
    mutating func flushed()

    /// Hears the next result.
    mutating func received(_ answer: BatchAnswer) -> BatchReaction

    /// What becomes of a statement that is not settled, now that the connection is lost.
    func verdictOfLost(_ index: Int, _ error: PostgresError) -> Verdict
}

extension PostgresError {
    /// A command that may not share a transaction with those of others.
    static let otherCommand = PostgresError(
        .misuse,
        reason: "a statement of a pool is a SELECT, VALUES, TABLE, WITH, INSERT, UPDATE, DELETE or MERGE: "
            + "use withTransaction or withConnection for others")

    /// A transaction that a statement left open.
    static let transactionControl = PostgresError(
        .misuse, reason: "a statement of a pool may not begin or end a transaction: use withTransaction")

    /// Whether the server has lost a connection of its own, to another server (class 08 but for what it says of ours,
    /// PostgreSQL, Appendix A).
    var isAnothersSilence: Bool {
        guard leavesSessionAlive, let sqlState else { return false }
        return sqlState.classCode == "08" && sqlState != "08P01"
    }

    /// Whether the server has refused a statement and goes on: after `FATAL` or `PANIC` the session ends.
    var leavesSessionAlive: Bool { severity == nil || severity == "ERROR" }
}
