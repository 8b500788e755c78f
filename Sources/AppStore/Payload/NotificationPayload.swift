import StrictEncoding

/// The members of a notification that count, in Apple's names (`responseBodyV2DecodedPayload`).
struct NotificationPayload: SignedPayload {
    /// What a notification is about; which members there are depends on which of the four it is.
    struct Subject {
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

        init(_ members: SignedMembers) throws(AppStoreRefusal) {
            bundleId = try members.optional("bundleId", \.string)
            appAppleId = try members.optional("appAppleId", \.integer).map { Int64($0) }
            environment = try members.optional("environment", \.string)
            signedTransactionInfo = try members.optional("signedTransactionInfo", \.string)
            externalPurchaseId = try members.optional("externalPurchaseId", \.string)
        }
    }

    let notificationUUID: StoredName
    let notificationType: String
    let subtype: String?
    let version: String?
    let signedDate: AppStoreDate
    /// The one there is.
    let subject: Subject?

    init(_ members: SignedMembers) throws(AppStoreRefusal) {
        notificationUUID = try members.required("notificationUUID", StoredName.init)
        notificationType = try members.required("notificationType", \.string)
        subtype = try members.optional("subtype", \.string)
        version = try members.optional("version", \.string)
        signedDate = try members.required("signedDate", AppStoreDate.init)
        var subject: Subject?
        for name in ["data", "summary", "appData", "externalPurchaseToken"] as [ExactText] {
            guard let found = try members.optional(name, SignedMembers.init) else { continue }
            let read = try Subject(found)
            subject = subject ?? read
        }
        self.subject = subject
    }
}
