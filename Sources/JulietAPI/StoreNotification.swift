/// What the App Store posts (App Store Server Notifications, `responseBodyV2`).
package struct StoreNotification: Hashable, Sendable {
    /// The signed notification: a compact JWS.
    package var signedPayload: String

    /// Takes what was signed.
    package init(signedPayload: String) {
        self.signedPayload = signedPayload
    }
}

extension StoreNotification: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<StoreNotification>.request(
        "StoreNotification", "What the App Store posts.",
        [.member("signedPayload", \.signedPayload, "What it tells, signed.")])
}

extension StoreNotification: V2.Body {
    /// Reads `signedPayload`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let payload = try V2.BodyMembers(body, ["signedPayload"])["signedPayload"]
        return Self(signedPayload: try payload.requiredText(in: body))
    }
}
