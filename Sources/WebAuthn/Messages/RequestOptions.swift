import StrictEncoding

/// A PublicKeyCredentialRequestOptionsJSON (WebAuthn Level 3 §5.1): what a client asks an authenticator to sign.
///
/// Any passkey of the relying party is accepted, because it is not known yet who signs in.
public struct RequestOptions: Sendable, Equatable {
    /// The relying party.
    public let relyingParty: RelyingParty
    /// 16 bytes or more, valid once.
    public let challenge: [UInt8]
    /// How long the client may take, in whole milliseconds.
    public let timeout: Duration

    /// What is asked for.
    public init(relyingParty: RelyingParty, challenge: [UInt8], timeout: Duration = .seconds(300)) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.timeout = timeout
    }

    /// The same in JSON, for `PublicKeyCredential.parseRequestOptionsFromJSON()`.
    public var json: String {
        JSONText.object([
            "challenge": JSONText.string(Base64URL.encode(challenge)), "timeout": timeout.jsonMilliseconds,
            "rpId": JSONText.string(relyingParty.id), "userVerification": "\"preferred\"",
        ])
    }
}
