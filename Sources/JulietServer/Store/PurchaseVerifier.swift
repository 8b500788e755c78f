import AppStore
import JulietAPI
import JulietGame

/// Verifies what the App Store signed, before the database is asked.
///
/// A signature costs some hundred microseconds, and a new chain of certificates up to a millisecond. So it is verified
/// on the process's own threads: a loop's other requests do not wait for it.
struct PurchaseVerifier: Sendable {
    /// There is no bundle id, so nothing can be verified.
    struct Closed: Error {}

    let settings: PurchaseSettings

    /// A transaction that a client presents, in the form for the database, which also checks the account that it names.
    ///
    /// - Throws: ``Closed``.
    func transaction(_ signed: String) async throws(Closed) -> Result<StoreTransaction, PurchaseReason> {
        guard let verifier = settings.verifier else { throw Closed() }
        let verdict = await offLoop { () async -> Result<AppStorePurchase, AppStoreRefusal> in
            do throws(AppStoreRefusal) {
                return .success(try await verifier.purchase(signed, account: nil))
            } catch {
                return .failure(error)
            }
        }
        switch verdict {
        case .success(.valid(let transaction)): return worth(of: transaction, revokedAt: nil)
        case .success(.revoked(let transaction, at: let date)): return worth(of: transaction, revokedAt: date)
        case .failure(let refusal): return .failure(PurchaseReason(refusal))
        }
    }

    /// A notification of the store, in the form for the database.
    ///
    /// - Throws: ``Closed``.
    func notice(_ signed: String) async throws(Closed) -> Result<StoreNotice, AppStoreRefusal> {
        guard let verifier = settings.verifier else { throw Closed() }
        return await offLoop { () async -> Result<StoreNotice, AppStoreRefusal> in
            do throws(AppStoreRefusal) {
                let told = try await verifier.notification(signed)
                return .success(
                    StoreNotice(
                        id: told.notificationUUID, payload: signed, type: told.type, subtype: told.subtype,
                        environment: told.environment.rawValue, transaction: told.transaction?.transactionID,
                        account: told.transaction?.appAccountToken, signedAt: told.signedDate.milliseconds))
            } catch {
                return .failure(error)
            }
        }
    }

    private func worth(
        of transaction: AppStoreTransaction, revokedAt: AppStoreDate?
    ) -> Result<StoreTransaction, PurchaseReason> {
        var energy: Int?
        if let price = settings.products[transaction.productID] {
            let (product, isTooMuch) = price.multipliedReportingOverflow(by: transaction.quantity)
            guard !isTooMuch, product <= Int32.max else { return .failure(.full) }
            energy = product
        }
        return .success(
            StoreTransaction(
                id: .init(environment: transaction.environment.rawValue, number: transaction.transactionID),
                product: transaction.productID, quantity: transaction.quantity, energy: energy,
                account: transaction.appAccountToken, purchasedAt: transaction.purchaseDate.milliseconds,
                signedAt: transaction.signedDate.milliseconds, revokedAt: revokedAt?.milliseconds))
    }
}

extension PurchaseReason {
    /// Why a transaction is refused.
    init(_ refusal: AppStoreRefusal) {
        switch refusal {
        case .malformed: self = .malformed
        case .algorithm: self = .algorithm
        case .chain: self = .chain
        case .signature: self = .signature
        // A transaction does not name the app.
        case .bundle, .app: self = .bundle
        case .environment: self = .environment
        case .type: self = .type
        case .product: self = .product
        case .quantity: self = .quantity
        case .account: self = .account
        }
    }
}
