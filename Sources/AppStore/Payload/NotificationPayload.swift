/// The members of a notification that count, in Apple's names (`responseBodyV2DecodedPayload`).
struct NotificationPayload: SignedPayload {
    /// What a notification is about; which members there are depends on which of the four it is.
    struct Subject: Decodable {
        let bundleId: String?
        let appAppleId: Int64?
        let environment: String?
        let signedTransactionInfo: String?
        let externalPurchaseId: String?

        /// An external purchase has no environment of its own: its name tells the sandbox's.
        var environmentName: String {
            if let environment { return environment }
            guard let externalPurchaseId else { return "" }
            return externalPurchaseId.hasPrefix("SANDBOX")
                ? AppStoreEnvironment.sandbox.rawValue : AppStoreEnvironment.production.rawValue
        }
    }

    let notificationUUID: StoredName
    let notificationType: String
    let subtype: String?
    let version: String?
    let signedDate: AppStoreDate
    private let data: Subject?
    private let summary: Subject?
    private let appData: Subject?
    private let externalPurchaseToken: Subject?

    /// The one there is.
    var subject: Subject? { data ?? summary ?? appData ?? externalPurchaseToken }
}
