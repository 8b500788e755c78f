import StrictEncoding

/// A PublicKeyCredentialCreationOptionsJSON (WebAuthn Level 3 §5.1): what a client asks an authenticator to make.
///
/// A passkey, that is a credential that the authenticator keeps (`residentKey` `required`), by ES256, EdDSA or RS256,
/// without attestation.
public struct CreationOptions: Sendable, Equatable {
    /// The relying party.
    public let relyingParty: RelyingParty
    /// The user's handle, 1 to 64 bytes without personal data. Assertions contain it.
    public let userID: [UInt8]
    /// What authenticators show of the user.
    public let userName: String
    /// 16 bytes or more, valid once.
    public let challenge: [UInt8]
    /// The ids of the user's credentials: an authenticator that has one of them makes no other.
    public let excluded: [[UInt8]]
    /// How long the client may take, in whole milliseconds.
    public let timeout: Duration

    /// What is asked for.
    public init(
        relyingParty: RelyingParty, userID: [UInt8], userName: String, challenge: [UInt8], excluded: [[UInt8]] = [],
        timeout: Duration = .seconds(300)
    ) {
        self.relyingParty = relyingParty
        self.userID = userID
        self.userName = userName
        self.challenge = challenge
        self.excluded = excluded
        self.timeout = timeout
    }

    /// The same in JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON()`.
    public var json: String {
        JSONText.object([
            "rp": JSONText.object([
                "id": JSONText.string(relyingParty.id), "name": JSONText.string(relyingParty.name),
            ]),
            "user": JSONText.object([
                "id": JSONText.string(Base64URL.encode(userID)), "name": JSONText.string(userName),
                "displayName": JSONText.string(userName),
            ]),
            "challenge": JSONText.string(Base64URL.encode(challenge)),
            "pubKeyCredParams": JSONText.array(
                CredentialPublicKey.Algorithm.allCases.map {
                    JSONText.object(["type": "\"public-key\"", "alg": "\($0.rawValue)"])
                }),
            "timeout": timeout.jsonMilliseconds,
            "excludeCredentials": JSONText.array(
                excluded.map {
                    JSONText.object(["type": "\"public-key\"", "id": JSONText.string(Base64URL.encode($0))])
                }),
            "authenticatorSelection": JSONText.object([
                // `requireResidentKey` is for clients of Level 1, and must say the same (§5.4.4).
                "residentKey": "\"required\"", "requireResidentKey": "true", "userVerification": "\"preferred\"",
            ]),
            "attestation": "\"none\"",
        ])
    }
}

extension Duration {
    /// Milliseconds as a number in JSON, rounded down.
    var jsonMilliseconds: String { "\(Int64(self / .milliseconds(1)))" }
}
