#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The members of a transaction that count, in Apple's names (`JWSTransactionDecodedPayload`).
struct TransactionPayload: SignedPayload {
    let transactionId: StoredName
    let originalTransactionId: String
    let productId: String
    let bundleId: String
    let environment: String
    let quantity: Int
    let type: String
    let inAppOwnershipType: String
    let purchaseDate: AppStoreDate
    let signedDate: AppStoreDate
    let revocationDate: AppStoreDate?
    let revocationReason: Int?
    let appAccountToken: UUID?
}

extension UUID {
    /// Whether a text is this UUID, in whatever case its letters are.
    func isOf(_ account: String) -> Bool { UUID(uuidString: account) == self }
}

extension AppStoreTransaction {
    /// The same, once its environment is known.
    init(_ payload: TransactionPayload, _ environment: AppStoreEnvironment) {
        transactionID = payload.transactionId.text
        originalTransactionID = payload.originalTransactionId
        productID = payload.productId
        bundleID = payload.bundleId
        self.environment = environment
        quantity = payload.quantity
        type = payload.type
        ownership = payload.inAppOwnershipType
        purchaseDate = payload.purchaseDate
        signedDate = payload.signedDate
        revocationDate = payload.revocationDate
        revocationReason = payload.revocationReason
        appAccountToken = payload.appAccountToken?.uuidString.lowercased()
    }
}
