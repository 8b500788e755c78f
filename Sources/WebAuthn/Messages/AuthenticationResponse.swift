/// An AuthenticationResponseJSON (WebAuthn Level 3 §5.1): the members of an assertion's `toJSON()` that are used.
///
/// Nothing in it is verified yet.
public struct AuthenticationResponse: Sendable, Equatable {
    let credential: CredentialName
    let clientDataJSON: String
    let authenticatorData: String
    let signature: String
    let userHandle: String?

    /// One of these members: each as it was sent, the bytes in base64url.
    public init(
        id: String, rawId: String, type: String, clientDataJSON: String, authenticatorData: String, signature: String,
        userHandle: String?
    ) {
        credential = CredentialName(id: id, rawId: rawId, type: type)
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }

    /// Reads one.
    ///
    /// `id`, `rawId`, `type`, `response.clientDataJSON`, `response.authenticatorData` and `response.signature` must be
    /// there; `response.userHandle` may be missing or `null`; other members of the standard may
    /// be missing or `null`, and are of its types where they are there. Unknown ones are ignored.
    ///
    /// - Throws: ``ResponseError``: no JSON, or a member that is missing or of another type.
    public init(json: [UInt8]) throws(ResponseError) {
        let members = try ResponseMembers(json)
        try members.checkCommonMembers()
        self.init(
            id: try members.text("id"), rawId: try members.text("rawId"), type: try members.text("type"),
            clientDataJSON: try members.text("response", "clientDataJSON"),
            authenticatorData: try members.text("response", "authenticatorData"),
            signature: try members.text("response", "signature"),
            userHandle: try members.optionalText("response", "userHandle"))
    }
}
