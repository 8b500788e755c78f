#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The members of a transaction that say which it is, in Apple's names (`JWSTransactionDecodedPayload`).
struct TransactionPayload: SignedPayload {
    let transactionId: StoredName
    let bundleId: String
    let environment: String
    let productId: String?
    let signedDate: AppStoreDate
    let revocationDate: AppStoreDate?
    let revocationReason: Int?
    let appAccountToken: UUID?

    /// The account in lower case.
    var account: String? { appAccountToken?.uuidString.lowercased() }
}

/// Those, and the members that are needed to credit it.
struct PurchasePayload: SignedPayload {
    let transaction: TransactionPayload
    let originalTransactionId: String
    let productId: String
    let quantity: Int
    let type: String
    let inAppOwnershipType: String
    let purchaseDate: AppStoreDate

    var signedDate: AppStoreDate { transaction.signedDate }

    private enum CodingKeys: String, CodingKey {
        case originalTransactionId, productId, quantity, type, inAppOwnershipType, purchaseDate
    }

    init(from decoder: any Decoder) throws {
        transaction = try TransactionPayload(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        originalTransactionId = try members.decode(String.self, forKey: .originalTransactionId)
        productId = try members.decode(String.self, forKey: .productId)
        quantity = try members.decode(Int.self, forKey: .quantity)
        type = try members.decode(String.self, forKey: .type)
        inAppOwnershipType = try members.decode(String.self, forKey: .inAppOwnershipType)
        purchaseDate = try members.decode(AppStoreDate.self, forKey: .purchaseDate)
    }
}

extension UUID {
    /// Whether a text is this UUID, in whatever case its letters are.
    func isOf(_ account: String) -> Bool { UUID(uuidString: account) == self }
}

extension AppStoreTransaction {
    /// The same, once its environment is known.
    init(_ payload: PurchasePayload, _ environment: AppStoreEnvironment) {
        transactionID = payload.transaction.transactionId.text
        originalTransactionID = payload.originalTransactionId
        productID = payload.productId
        bundleID = payload.transaction.bundleId
        self.environment = environment
        quantity = payload.quantity
        type = payload.type
        ownership = payload.inAppOwnershipType
        purchaseDate = payload.purchaseDate
        signedDate = payload.signedDate
        revocationDate = payload.transaction.revocationDate
        revocationReason = payload.transaction.revocationReason
        appAccountToken = payload.transaction.account
    }
}

extension AppStoreNotification.Transaction {
    /// The same, once its environment is known.
    init(_ payload: TransactionPayload, _ environment: AppStoreEnvironment) {
        transactionID = payload.transactionId.text
        productID = payload.productId
        bundleID = payload.bundleId
        self.environment = environment
        signedDate = payload.signedDate
        revocationDate = payload.revocationDate
        revocationReason = payload.revocationReason
        appAccountToken = payload.account
    }
}
