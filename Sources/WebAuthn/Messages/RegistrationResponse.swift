import StrictEncoding

/// A RegistrationResponseJSON (WebAuthn Level 3 §5.1): the members of a new credential's `toJSON()` that are
/// used.
///
/// Nothing in it is verified yet. The client's own copies of what is in the attestation object
/// (`publicKey`, `authenticatorData`), its transports and extensions are not read.
public struct RegistrationResponse: Sendable, Equatable {
    let credential: CredentialName
    let clientDataJSON: String
    let attestationObject: String

    /// One of these members: each as it was sent, the bytes in base64url.
    public init(id: String, rawId: String, type: String, clientDataJSON: String, attestationObject: String) {
        credential = CredentialName(id: id, rawId: rawId, type: type)
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
    }

    /// Reads one.
    ///
    /// `id`, `rawId`, `type`, `response.clientDataJSON` and `response.attestationObject` must be there; other
    /// members of the standard may be missing or `null`, and are of its types where they are there. Unknown ones are
    /// ignored.
    ///
    /// - Throws: ``ResponseError``: no JSON, or a member that is missing or of another type.
    public init(json: [UInt8]) throws(ResponseError) {
        let members = try ResponseMembers(json)
        try members.checkCommonMembers()
        try members.check("response", "authenticatorData") { $0.text != nil }
        try members.check("response", "publicKey") { $0.text != nil }
        try members.check("response", "publicKeyAlgorithm") { $0.number != nil }
        try members.check("response", "transports") { $0.elements?.allSatisfy { $0.text != nil } == true }
        self.init(
            id: try members.text("id"), rawId: try members.text("rawId"), type: try members.text("type"),
            clientDataJSON: try members.text("response", "clientDataJSON"),
            attestationObject: try members.text("response", "attestationObject"))
    }
}
