/// A notification of the App Store to a server (`responseBodyV2DecodedPayload`, version 2 of App Store Server Notifications).
public struct AppStoreNotification: Sendable, Equatable {
    /// The notification's name, the same when it comes again: 1 to 64 visible ASCII characters.
    public let notificationUUID: String
    /// What happened, for example `REFUND`. Apple adds types.
    public let type: String
    /// What happened, in more detail.
    public let subtype: String?
    /// The version of the notification, for example `2.0`.
    public let version: String?
    /// When the App Store signed this, which decides if notifications come in another order.
    public let signedDate: AppStoreDate
    /// Where it happened.
    public let environment: AppStoreEnvironment
    /// The app it happened in.
    public let bundleID: String
    /// The same as Apple's number; missing in the sandbox.
    public let appAppleID: Int64?
    /// The transaction it is about, also verified: signature, bundle and environment, but not the product; nil: none.
    public let transaction: Transaction?

    /// The transaction in a notification: the members that identify it. Members that only a purchase needs may be missing, so
    /// that no notification is refused because of them.
    public struct Transaction: Sendable, Equatable {
        /// The transaction's name, as ``AppStoreTransaction/transactionID``.
        public let transactionID: String
        /// The product.
        public let productID: String?
        /// The app it was bought in.
        public let bundleID: String
        /// Where it was bought.
        public let environment: AppStoreEnvironment
        /// When the App Store signed this.
        public let signedDate: AppStoreDate
        /// When the App Store gave the money back or took the product away; nil: it has not.
        public let revocationDate: AppStoreDate?
        /// Why, in Apple's numbers.
        public let revocationReason: Int?
        /// The account the app bought it for: a UUID in lower case; nil: it named none.
        public let appAccountToken: String?
    }
}
