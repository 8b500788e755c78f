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
    package static let schema = Schema.request(
        "StoreNotification", of: StoreNotification.self, "What the App Store posts.",
        [.member("signedPayload", \.signedPayload, "What it tells, signed.")])

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("signedPayload", signedPayload)
    }
}

extension StoreNotification: V2.Body {
    /// Reads `signedPayload`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let payload = try V2.BodyMembers(body, "signedPayload").first
        return Self(signedPayload: try payload.required(payload.text(in: body)))
    }
}
