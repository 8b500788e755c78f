/// What the App Store posts (App Store Server Notifications, `responseBodyV2`).
package struct StoreNotification: Hashable, Sendable {
    /// The signed notification: a compact JWS.
    package var signedPayload: String

    /// Takes what was signed.
    package init(signedPayload: String) {
        self.signedPayload = signedPayload
    }
}

extension StoreNotification: V2.Body {
    package static var blank: Self { Self(signedPayload: "") }

    /// The members.
    package static let jsonMembers = JSONMembers<StoreNotification>(
        "StoreNotification", "What the App Store posts.",
        [.required("signedPayload", \.signedPayload, "The notification, signed by the App Store.")])
}
