/// A transaction that was not committed, or not certainly, and all that went wrong on the way.
///
/// Of a transaction within another one it says the same: the error of the inner one is ``body`` of the outer one's,
/// unless it was caught there.
public struct PostgresTransactionError: Error, CustomStringConvertible {
    /// Why the transaction could not begin: `.closed` if the session is lost or closed.
    public internal(set) var begin: PostgresError?
    /// What the body threw.
    public internal(set) var body: (any Error)?
    /// Why the rollback failed. The session is closed then, and the server rolls back by itself.
    public internal(set) var rollback: PostgresError?
    /// Why the commit failed: `.notSent` if the session was lost before it.
    public internal(set) var commit: PostgresError?
    /// Why the savepoint of a transaction within another one could not be released. It was rolled back to.
    public internal(set) var release: PostgresError?

    /// Whether the transaction may have taken effect all the same: the connection was lost during the commit.
    public var mayHaveCommitted: Bool { commit?.code == .outcomeUnknown }

    /// Whether running it again is likely to help: the server ended the transaction for the sake of others (class 40),
    /// or the plan of a prepared statement was outdated (0A000, 26000), which the session has forgotten by now.
    public var isTransient: Bool {
        guard !mayHaveCommitted else { return false }
        if let inner = body as? PostgresTransactionError, inner.isTransient { return true }
        return [begin, body as? PostgresError, commit, release].contains { error in
            guard let error else { return false }
            return error.sqlState?.isTransactionRollback == true || error.isStaleStatement
        }
    }

    /// What failed where, without values.
    public var description: String {
        var parts: [String] = []
        if let begin { parts.append("begin: \(begin)") }
        if let body { parts.append("body: \(Self.description(of: body))") }
        if let rollback { parts.append("rollback: \(rollback)") }
        if let release { parts.append("release: \(release)") }
        if let commit { parts.append("commit: \(commit)") }
        return "transaction failed (\(parts.joined(separator: "; ")))"
    }

    /// Only our own errors are known to hold no values.
    private static func description(of error: any Error) -> String {
        switch error {
        case let error as PostgresError: error.description
        case let error as PostgresTransactionError: error.description
        default: "\(type(of: error))"
        }
    }
}
