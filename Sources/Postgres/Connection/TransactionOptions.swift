/// How much a transaction sees of others (PostgreSQL, "Transaction Isolation").
public enum IsolationLevel: String, Sendable {
    /// Each statement sees what was committed before it began.
    case readCommitted = "READ COMMITTED"
    /// All statements see what was committed before the first began.
    case repeatableRead = "REPEATABLE READ"
    /// As if transactions ran one after the other.
    case serializable = "SERIALIZABLE"

    /// A stronger level keeps what the weaker ones promise.
    var strength: Int {
        switch self {
        case .readCommitted: 0
        case .repeatableRead: 1
        case .serializable: 2
        }
    }
}

/// What a transaction may do (PostgreSQL, `SET TRANSACTION`).
public enum TransactionAccess: String, Sendable {
    /// Anything.
    case readWrite = "READ WRITE"
    /// Nothing that changes tables other than temporary ones: SQLSTATE 25006.
    case readOnly = "READ ONLY"
}

struct TransactionOptions: Sendable {
    var isolation = IsolationLevel.readCommitted
    /// `nil`: as the server's `default_transaction_read_only` says, or the transaction around it.
    var access: TransactionAccess?
    /// Whether it waits for a snapshot that cannot fail.
    var isDeferrable = false

    /// What begins it.
    var begin: String {
        var words = ["BEGIN ISOLATION LEVEL", isolation.rawValue]
        if let access { words.append(access.rawValue) }
        if isDeferrable { words.append("DEFERRABLE") }
        return words.joined(separator: " ")
    }
}
