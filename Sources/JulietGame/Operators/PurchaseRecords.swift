package import Postgres

/// Transactions of the App Store for operators, over one session of the role that owns the tables.
package struct PurchaseRecords {
    /// A transaction. Times are ISO 8601 in UTC.
    package struct Purchase: Sendable, Hashable, Encodable {
        /// The store's id of it.
        package let transaction: String
        /// `Production` or `Sandbox`.
        package let environment: String
        /// Who presented it, or the pseudonym of a deleted player; nil: nobody has.
        package let userID: String?
        /// What was bought; nil, as the next ones, until somebody presents it.
        package let product: String?
        /// How many.
        package let quantity: Int?
        /// The energy that all of it is worth.
        package let energy: Int?
        /// `credited`; `refunded` after that; `revoked`: taken back before it was credited; `awaited`: the store has
        /// notified of it, but nobody has presented it.
        package let state: String
        /// When it was paid for.
        package let purchasedAt: String?
        /// When the store signed what was presented.
        package let signedAt: String?
        /// When it was presented first; otherwise, when the store notified of it.
        package let presentedAt: String
        /// The date of the refund or reversal that holds.
        package let decidedAt: String?
    }

    /// A change of a balance by a transaction.
    package struct Change: Sendable, Hashable, Encodable {
        /// The entry of the player's ledger.
        package let entry: Int
        /// When.
        package let at: String
        /// `purchase` or `refund`.
        package let reason: String
        /// By how much.
        package let delta: Int
        /// The balance after it.
        package let balanceAfter: Int
    }

    /// A notification of the store.
    package struct Notification: Sendable, Hashable, Encodable {
        /// Its name.
        package let id: String
        /// What happened.
        package let type: String
        /// The subtype.
        package let subtype: String?
        /// When the store signed it.
        package let signedAt: String
        /// When it was received.
        package let receivedAt: String
        /// When it was applied; nil: not yet.
        package let appliedAt: String?
    }

    /// The result of a replay.
    package struct Replay: Sendable, Hashable, Encodable {
        /// Notifications that were applied.
        package internal(set) var notifications = 0
        /// How many of them changed something.
        package internal(set) var news = 0
        /// The ids of those that the database refused to apply, with the reasons.
        package internal(set) var failures: [String: String] = [:]
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// The transactions presented last, newest first.
    ///
    /// - Parameter count: How many at most.
    package func list(last count: Int) async throws(PostgresError) -> [Purchase] {
        try await connection.execute(ListPurchases(count: count))
    }

    /// The transactions of a number: one, unless two environments have it.
    package func purchases(_ transaction: String) async throws(PostgresError) -> [Purchase] {
        try await connection.execute(FindPurchases(transaction: transaction))
    }

    /// The changes of a balance by a transaction, in order, without those in files of the archive.
    package func changes(by purchase: Purchase) async throws(PostgresError) -> [Change] {
        guard let user = purchase.userID else { return [] }
        return try await connection.execute(
            ListPurchaseChanges(user: user, environment: purchase.environment, transaction: purchase.transaction))
    }

    /// The store's notifications about a transaction, in the order of their dates.
    package func notifications(about purchase: Purchase) async throws(PostgresError) -> [Notification] {
        try await connection.execute(
            ListNotices(environment: purchase.environment, transaction: purchase.transaction))
    }

    /// Applies every stored notification again, each in its own transaction. Nothing takes effect twice. A
    /// notification that cannot be applied is reported, and the others are applied.
    ///
    /// - Parameter progress: Called with what was done so far.
    /// - Throws: Notifications that were applied stay applied: run it again.
    package func replay(progress: (Replay) -> Void = { _ in }) async throws(PostgresError) -> Replay {
        var replay = Replay()
        var last = ""
        while true {
            let ids = try await connection.execute(NextNotices(after: last))
            for id in ids {
                do {
                    let isNews = try await connection.first(FunctionCall.applyNotification(id: id)) ?? nil
                    replay.notifications += 1
                    if isNews == true { replay.news += 1 }
                } catch {
                    guard error.code == .server else { throw error }
                    replay.failures[id] = "\(error)"
                }
            }
            guard let end = ids.last else { return replay }
            last = end
            progress(replay)
        }
    }
}

/// The columns of a ``PurchaseRecords/Purchase``.
private protocol PurchaseStatement: Statement where Row == PurchaseRecords.Purchase {}

extension PurchaseStatement {
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> PurchaseRecords.Purchase {
        PurchaseRecords.Purchase(
            transaction: try row.next(), environment: try row.next(), userID: try row.next(), product: try row.next(),
            quantity: try row.next(Int32?.self).map(Int.init), energy: try row.next(Int32?.self).map(Int.init),
            state: try row.next(), purchasedAt: try row.next(), signedAt: try row.next(), presentedAt: try row.next(),
            decidedAt: try row.next())
    }
}

private struct ListPurchases: PurchaseStatement {
    var sql: StaticString {
        """
        SELECT transaction_id, environment, user_id, product, quantity, energy, juliet.purchase_state(purchases),
            juliet.show_time(purchased_at), juliet.show_time(signed_at), juliet.show_time(created_at),
            juliet.show_time(decided_at)
        FROM juliet.purchases ORDER BY created_at DESC, environment, transaction_id LIMIT $1
        """
    }
    let count: Int

    func bind(to parameters: inout Parameters) { parameters.append(Int64(count)) }
}

private struct FindPurchases: PurchaseStatement {
    var sql: StaticString {
        """
        SELECT transaction_id, environment, user_id, product, quantity, energy, juliet.purchase_state(purchases),
            juliet.show_time(purchased_at), juliet.show_time(signed_at), juliet.show_time(created_at),
            juliet.show_time(decided_at)
        FROM juliet.purchases
        WHERE environment IN ('Production', 'Sandbox') AND transaction_id = $1 ORDER BY environment
        """
    }
    let transaction: String

    func bind(to parameters: inout Parameters) { parameters.append(transaction) }
}

private struct ListPurchaseChanges: Statement {
    var sql: StaticString {
        """
        SELECT entry, juliet.show_time(created_at), reason::text, delta, balance_after FROM (
            SELECT entry, created_at, reason, delta, balance_after FROM juliet.energy_ledger
            WHERE user_id = $1 AND entry IS NOT NULL AND reason IN ('purchase', 'refund')
                AND reference = juliet.purchase_reference($2, $3)
            UNION ALL
            SELECT entry, created_at, reason, delta, balance_after FROM juliet.energy_ledger_archive
            WHERE user_id = $1 AND reason IN ('purchase', 'refund')
                AND reference = juliet.purchase_reference($2, $3)) AS changes
        ORDER BY entry
        """
    }
    var access: StatementAccess { .read }
    let user: String
    let environment: String
    let transaction: String

    func bind(to parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(environment)
        parameters.append(transaction)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> PurchaseRecords.Change {
        PurchaseRecords.Change(
            entry: Int(try row.next(Int32.self)), at: try row.next(), reason: try row.next(),
            delta: Int(try row.next(Int32.self)), balanceAfter: Int(try row.next(Int32.self)))
    }
}

private struct ListNotices: Statement {
    var sql: StaticString {
        """
        SELECT id, type, subtype, juliet.show_time(signed_at), juliet.show_time(received_at),
            juliet.show_time(applied_at)
        FROM juliet.store_notifications WHERE environment = $1 AND transaction_id = $2 ORDER BY signed_at, id
        """
    }
    var access: StatementAccess { .read }
    let environment: String
    let transaction: String

    func bind(to parameters: inout Parameters) {
        parameters.append(environment)
        parameters.append(transaction)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> PurchaseRecords.Notification {
        PurchaseRecords.Notification(
            id: try row.next(), type: try row.next(), subtype: try row.next(), signedAt: try row.next(),
            receivedAt: try row.next(), appliedAt: try row.next())
    }
}

private struct NextNotices: Statement {
    var sql: StaticString { "SELECT id FROM juliet.store_notifications WHERE id > $1 ORDER BY id LIMIT 1000" }
    var access: StatementAccess { .read }
    let after: String

    func bind(to parameters: inout Parameters) { parameters.append(after) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}
