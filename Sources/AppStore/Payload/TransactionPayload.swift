import StrictEncoding

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

    init(_ members: SignedMembers) throws(AppStoreRefusal) {
        transactionId = try members.required("transactionId", StoredName.init)
        bundleId = try members.required("bundleId", \.string)
        environment = try members.required("environment", \.string)
        productId = try members.optional("productId", \.string)
        signedDate = try members.required("signedDate", AppStoreDate.init)
        revocationDate = try members.optional("revocationDate", AppStoreDate.init)
        revocationReason = try members.optional("revocationReason", \.integer)
        appAccountToken = try members.optional("appAccountToken") { $0.string.flatMap(UUID.init(uuidString:)) }
    }

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

    init(_ members: SignedMembers) throws(AppStoreRefusal) {
        transaction = try TransactionPayload(members)
        originalTransactionId = try members.required("originalTransactionId", \.string)
        productId = try members.required("productId", \.string)
        quantity = try members.required("quantity", \.integer)
        type = try members.required("type", \.string)
        inAppOwnershipType = try members.required("inAppOwnershipType", \.string)
        purchaseDate = try members.required("purchaseDate", AppStoreDate.init)
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
