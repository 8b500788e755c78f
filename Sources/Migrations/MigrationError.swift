public import Postgres

/// Why migrating stopped. Whatever it says, no migration is half applied.
public enum MigrationError: Error, Sendable {
    /// Nothing was tried.
    case refused(MigrationPlan.Refusal)
    /// Another process kept the lock until the deadline; nothing was tried.
    case locked(by: DatabaseSession?, after: Duration)
    /// A lock on a table could not be had, however often it was tried; this migration changed nothing.
    case lockTimeout(migration: Migration, line: Int, attempts: Int, blocker: DatabaseSession?)
    /// A statement failed; this migration changed nothing.
    case failed(migration: Migration, line: Int, error: PostgresError)
    /// The connection was lost while this migration was being committed, or ran outside a transaction: it may be
    /// applied, or taken back, wholly or not at all, and only the database knows.
    case outcomeUnknown(migration: Migration, error: PostgresError)
    /// The ledger or the lock could not be read or written.
    case database(PostgresError)
    /// Somebody else applied the migration at the same moment; this run's attempt was rolled back.
    case overtaken(Migration)
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
            let holder = session.map { "held by \($0)" } ?? "held by a session that this engine does not show"
            return "the migration lock is \(holder); gave up after \(duration.components.seconds) s"
        case .lockTimeout(let migration, let line, let attempts, let blocker):
            let hint = blocker.map { "; the oldest transaction here is that of \($0)" } ?? ""
            return
                "\(migration.fileName):\(line): a table stayed locked in \(attempts) attempts, nothing changed\(hint)"
        case .failed(let migration, let line, let error):
            let state = error.sqlState.map { " (SQLSTATE \($0))" } ?? ""
            return "\(migration.fileName):\(line): \(error.operatorMessage ?? error.description)\(state)"
        case .outcomeUnknown(let migration, let error):
            return
                "\(migration.fileName): the connection was lost before the server could say whether it is done: "
                + "`juliet migrate status` tells (\(error.operatorMessage ?? error.description))"
        case .database(let error):
            return error.operatorMessage ?? error.description
        case .overtaken(let migration):
            return "\(migration.fileName): another session applied it at the same moment; run again"
        case .cancelled:
            return "stopped between two migrations"
        }
    }
}
