package import JulietAPI
package import Postgres

/// Purchases of the second contract, and the App Store's notifications about any purchase. The caller has verified them.
///
/// When a function throws `outcomeUnknown`, it may have been done. A repeat does nothing twice.
package struct Purchases: Sendable {
    /// The outcome of presenting a transaction.
    package enum Outcome: Sendable {
        /// It counts for the player.
        ///
        /// - Parameter isNew: Whether it was credited just now.
        case credited(V2.CreditedPurchase, isNew: Bool)
        /// It does not count. The balance is unchanged, unless the store has taken the transaction back.
        case refused(PurchaseReason)
        /// There is no such session.
        case unauthorized
    }

    private let database: PostgresClient

    /// Purchases on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Credits a transaction, once.
    package func present(
        _ transaction: StoreTransaction, by session: Credential
    ) async throws(PostgresError) -> Outcome {
        guard
            let answer = try await database.first(
                FunctionCall.presentPurchase(session: session, transaction: transaction))
        else {
            return .unauthorized
        }
        if let refusal = answer.refusal {
            return PurchaseReason(refusal: refusal).map { .refused($0) } ?? .unauthorized
        }
        let credited = V2.Transaction(
            id: transaction.id.number, product: answer.product, quantity: answer.quantity, energy: answer.credited)
        return .credited(V2.CreditedPurchase(energy: answer.energy, transaction: credited), isNew: answer.isNew)
    }

    /// Stores a notification, and then applies it, each in its own transaction. So it is not lost if applying fails. It
    /// is applied when the store sends it again, or by ``PurchaseRecords/replay(progress:)``.
    package func take(_ notice: StoreNotice) async throws(PostgresError) {
        let isApplied = try await database.first(FunctionCall.storeNotification(notice)) ?? false
        if !isApplied { _ = try await database.first(FunctionCall.applyNotification(id: notice.id)) }
    }
}
