import Crypto
import StrictEncoding

extension RelyingParty {
    /// Verifies the parts of an assertion that need no credential (WebAuthn Level 3 §7.2, steps 7 to 18).
    ///
    /// This signs nobody in: look the credential up by ``Assertion/credentialID``, then
    /// ``Assertion/verify(with:)``.
    ///
    /// - Parameters:
    ///   - response: What the client sent.
    ///   - isChallenge: Whether a challenge was issued for signing in. The caller checks that it was not used before.
    /// - Throws: ``WebAuthnRefusal`` with the first rule that is broken in this order: `format` of the client data,
    ///   `challenge`, `origin`, `relyingParty`, `userPresence`, `format` of all else.
    public func assertion(
        _ response: AuthenticationResponse, isChallenge: ([UInt8]) -> Bool
    ) throws(WebAuthnRefusal) -> Assertion {
        let client = try ClientData(response.clientDataJSON, type: "webauthn.get")
        let challenge = try client.verify(origins: origins, isChallenge)
        guard let bytes = Base64URL.decode(response.authenticatorData), let data = AuthenticatorData(bytes) else {
            throw WebAuthnRefusal(.format, challenge: challenge)
        }
        try verify(data, challenge: challenge)
        guard data.hasNoCredential(), let credentialID = response.credential.name,
            let signature = Base64URL.decode(response.signature)
        else { throw WebAuthnRefusal(.format, challenge: challenge) }
        var userHandle: [UInt8]?
        if let text = response.userHandle {
            userHandle = Base64URL.decode(text)
            // §5.4.3: 1 to 64 bytes.
            guard let userHandle, 1...64 ~= userHandle.count else {
                throw WebAuthnRefusal(.format, challenge: challenge)
            }
        }
        return Assertion(
            credentialID: credentialID, userHandle: userHandle, challenge: challenge, flags: data.flags,
            signCount: data.signCount, signedBytes: bytes + Array(SHA256.hash(data: client.bytes)), signature: signature
        )
    }
}
