public import Postgres

/// Why migrating stopped. No migration is ever half applied.
public enum MigrationError: Error, Sendable {
    /// Nothing was tried.
    case refused(MigrationPlan.Refusal)
    /// Another process kept the lock until the deadline; nothing was tried.
    case locked(by: DatabaseSession?, after: Duration)
    /// A table stayed locked in all attempts; this migration, or the code, changed nothing.
    case lockTimeout(file: String, line: Int, attempts: Int, blocker: DatabaseSession?)
    /// A statement of this file failed; the migration it belongs to, or all the code, changed nothing.
    case failed(file: String, line: Int, error: PostgresError)
    /// The connection was lost while this migration or the code was being committed, or ran outside a transaction: it
    /// may be applied or undone, completely or not at all, and only the database knows.
    case outcomeUnknown(file: String, error: PostgresError)
    /// The database cannot be migrated, as `Options.lack` says; nothing was tried.
    case unsuitable(String)
    /// The ledger or the lock could not be read or written.
    case database(PostgresError)
    /// Somebody else applied the migration at the same moment; this run's attempt was rolled back.
    case overtaken(file: String)
    /// The task was cancelled between two steps.
    case cancelled
}

extension MigrationError: CustomStringConvertible {
    /// What happened and what to do, for an operator. Contains the server's own words.
    public var description: String {
        switch self {
        case .refused(let refusal):
            return refusal.description
        case .locked(let session, let duration):
            let holder = session.map { "held by \($0)" } ?? "held by a session that has ended since"
            let ending = session.map { ". \($0.ending)" } ?? ""
            return "the migration lock is \(holder); gave up after \(duration.components.seconds) s\(ending)"
        case .lockTimeout(let file, let line, let attempts, let blocker):
            let hint = blocker.map { "; the oldest transaction here is that of \($0). \($0.ending)" } ?? ""
            return
                "\(file):\(line): a table stayed locked in \(attempts) attempts, nothing changed\(hint)"
        case .failed(let file, let line, let error):
            let state = error.sqlState.map { " (SQLSTATE \($0))" } ?? ""
            return "\(file):\(line): \(error.operatorMessage ?? error.description)\(state)"
        case .outcomeUnknown(let file, let error):
            return
                "\(file): the connection was lost before the server confirmed it "
                + "(\(error.operatorMessage ?? error.description)): `juliet migrate status` shows whether it is done"
        case .unsuitable(let lack):
            return lack
        case .database(let error):
            return error.operatorMessage ?? error.description
        case .overtaken(let file):
            return "\(file): another session applied it at the same moment; run again"
        case .cancelled:
            return "stopped between two migrations"
        }
    }
}
