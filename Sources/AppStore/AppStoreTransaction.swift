/// A purchase, as the App Store signed it (`JWSTransactionDecodedPayload`).
public struct AppStoreTransaction: Sendable, Equatable {
    /// The transaction's name: 1 to 64 visible ASCII characters, unique in its environment.
    public let transactionID: String
    /// The name of the transaction that this one renews or restores; of a consumable its own.
    public let originalTransactionID: String
    /// The product.
    public let productID: String
    /// The app it was bought in.
    public let bundleID: String
    /// Where it was bought.
    public let environment: AppStoreEnvironment
    /// How many were bought at once.
    public let quantity: Int
    /// What kind of product it is, for example `Consumable`.
    public let type: String
    /// Who bought it, for example `PURCHASED`: the account itself.
    public let ownership: String
    /// When it was paid for.
    public let purchaseDate: AppStoreDate
    /// When the App Store signed this.
    public let signedDate: AppStoreDate
    /// When the App Store gave the money back or took the product away; nil: it has not.
    public let revocationDate: AppStoreDate?
    /// Why, in Apple's numbers.
    public let revocationReason: Int?
    /// The account the app bought it for: a UUID in lower case; nil: it named none.
    public let appAccountToken: String?
}

/// The verdict on a transaction that a client presents.
public enum AppStorePurchase: Sendable, Equatable {
    /// Bought for this account, and not taken back: to be credited.
    case valid(AppStoreTransaction)
    /// The App Store took it back at this date: treat it as a refund, whoever presents it. Its account is not checked.
    case revoked(AppStoreTransaction, at: AppStoreDate)
}
