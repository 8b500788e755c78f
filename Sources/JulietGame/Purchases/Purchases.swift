package import JulietAPI
package import Postgres

/// A transaction that counts for a player.
package struct PresentedPurchase: Sendable {
    /// The transaction, and the balance.
    package let purchase: V2.CreditedPurchase
    /// Whether it was credited just now.
    package let isNew: Bool
}

/// Purchases of `/v2`, and the App Store's notifications about any purchase. The caller has verified them.
///
/// When a function throws `outcomeUnknown`, it may have been done. A repeat does nothing twice.
package struct Purchases: Sendable {
    private let database: PostgresClient

    /// Purchases on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Credits a transaction, once. Refused: unauthorized; transaction refused, with the reason. The balance is unchanged
    /// then, unless the store has taken the transaction back.
    package func present(
        _ transaction: StoreTransaction, by session: Credential
    ) async throws(PostgresError) -> V2Answer<PresentedPurchase> {
        guard
            let answer = try await database.first(
                FunctionCall.presentPurchase(session: session, transaction: transaction))
        else { return .refused(.unauthorized) }
        switch answer.refusal {
        case nil: break
        case .purchaseRefused(let reason):
            return .refused(.transactionRefused, V2Details(reason: reason.rawValue))
        default: return .refused(.unauthorized)
        }
        let credited = V2.Transaction(
            id: transaction.id.number, product: answer.product, quantity: answer.quantity, energy: answer.credited)
        return .done(
            PresentedPurchase(
                purchase: V2.CreditedPurchase(energy: answer.energy, transaction: credited), isNew: answer.isNew))
    }

    /// Stores a notification, and then applies it, each in its own transaction. So it is not lost if applying fails. It
    /// is applied when the store sends it again, or by ``PurchaseRecords/replay(progress:)``.
    package func take(_ notice: StoreNotice) async throws(PostgresError) {
        let isApplied = try await database.first(FunctionCall.storeNotification(notice)) ?? false
        if !isApplied { _ = try await database.first(FunctionCall.applyNotification(id: notice.id)) }
    }
}
