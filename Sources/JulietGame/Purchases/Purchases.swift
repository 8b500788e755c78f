package import JulietAPI
package import Postgres

/// Purchases of the second contract, and what the App Store tells of any. What comes here has been verified.
///
/// When a function throws `outcomeUnknown`, it may have been done all the same: the same again does nothing twice.
package struct Purchases: Sendable {
    /// What became of a transaction that was presented.
    package enum Outcome: Sendable {
        /// It counts for the player.
        ///
        /// - Parameter isNew: Whether it was credited just now.
        case credited(V2.CreditedPurchase, isNew: Bool)
        /// It does not; the balance is as it was, unless the store has taken the transaction back.
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

    /// Keeps what the store tells, and then does it, each in a transaction of its own: what is kept is not lost when the
    /// rest fails, and is done when the store tells it again, or by ``PurchaseRecords/replay(progress:)``.
    package func take(_ notice: StoreNotice) async throws(PostgresError) {
        let isApplied = try await database.first(FunctionCall.storeNotification(notice)) ?? false
        if !isApplied { _ = try await database.first(FunctionCall.applyNotification(id: notice.id)) }
    }
}
