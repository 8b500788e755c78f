import EventLoop

/// What calls of one session have open, one within the other: transactions and cursors.
struct OpenScopes: Sendable {
    /// One transaction that `withTransaction` runs: the session's, or a savepoint in it.
    struct Transaction: Sendable {
        /// 0: the session's transaction; else how many transactions it lies in.
        let level: Int

        private var savepoint: String { "savepoint_\(level)" }

        /// What begins it.
        func begin(_ options: TransactionOptions) -> String {
            guard level > 0 else { return options.begin }
            // The mode lasts until the savepoint is released or rolled back to.
            return "SAVEPOINT \(savepoint)" + (options.access.map { "; SET TRANSACTION \($0.rawValue)" } ?? "")
        }

        /// What keeps its work.
        var end: String { level == 0 ? "COMMIT" : "RELEASE SAVEPOINT \(savepoint)" }

        /// What undoes its work.
        var rollback: String {
            level == 0 ? "ROLLBACK" : "ROLLBACK TO SAVEPOINT \(savepoint); RELEASE SAVEPOINT \(savepoint)"
        }
    }

    /// How the session's transaction was begun.
    private var outermost = TransactionOptions()
    private var transactionCount = 0
    private var cursors: Set<Int> = []

    /// How many transactions of which session the task is in: another task's is not its own to build on.
    @TaskLocal static var depths: [Int: Int] = [:]

    /// Tells one session's scopes from all others, also from those of a session that is gone.
    static func makeNumber() -> Int {
        lastNumber.withLock { last in
            last += 1
            return last
        }
    }

    private static let lastNumber = Locked(0)

    /// Opens a transaction where the session stands so.
    ///
    /// - Parameter depth: How many of the session's transactions the task is in.
    /// - Throws: ``PostgresError`` `.closed`, or `.misuse`; nothing is open then.
    mutating func beginTransaction(
        _ options: TransactionOptions, in state: TransactionState, depth: Int
    ) throws(PostgresError) -> Transaction {
        guard depth == transactionCount else {
            throw PostgresError(.misuse, reason: "another task's transaction is open")
        }
        if options.isDeferrable, options.isolation != .serializable || options.access != .readOnly {
            throw PostgresError(.misuse, reason: "only a serializable read-only transaction can be deferrable")
        }
        switch state {
        case .unknown: throw PostgresError(.closed)
        case .idle where transactionCount > 0:
            throw PostgresError(.misuse, reason: "the body has ended the transaction")
        case .idle: outermost = options
        case .failed where transactionCount > 0: throw PostgresError(.misuse, reason: "the transaction has failed")
        case .open where transactionCount > 0, .active where transactionCount > 0:
            guard options.isolation.strength <= outermost.isolation.strength,
                outermost.isDeferrable || !options.isDeferrable
            else { throw PostgresError(.misuse, reason: "the transaction around it has a weaker isolation level") }
        case .open, .active, .failed: throw PostgresError(.misuse, reason: "a transaction is open")
        }
        defer { transactionCount += 1 }
        return Transaction(level: transactionCount)
    }

    /// Closes a transaction and those within it.
    mutating func endTransaction(_ transaction: Transaction) {
        // One that has outlived the transaction around it opens nothing anew.
        transactionCount = min(transactionCount, transaction.level)
    }

    /// Takes the lowest number that no open cursor has: few names, so that the server's statistics stay small.
    mutating func takeCursor() -> Int {
        var number = 1
        while !cursors.insert(number).inserted { number += 1 }
        return number
    }

    /// Gives a cursor's number back.
    mutating func releaseCursor(_ number: Int) { cursors.remove(number) }
}
