import Crypto
import StrictEncoding

extension RelyingParty {
    /// Verifies a new credential (WebAuthn Level 3 §7.1, steps 5 to 20 and 25).
    ///
    /// The caller must check that the challenge was not used before and that the credential is not known yet (step
    /// 26), and store it (step 27). The attestation statement is ignored, as `attestation` `none` requires.
    ///
    /// - Parameters:
    ///   - response: What the client sent.
    ///   - isChallenge: Whether a challenge was issued for this registration.
    /// - Returns: The credential.
    /// - Throws: ``WebAuthnRefusal`` with the first rule that is broken in this order: `format` of the client data,
    ///   `challenge`, `origin`, `relyingParty`, `userPresence`, `format` of all else, `algorithm`.
    public func registration(
        _ response: RegistrationResponse, isChallenge: ([UInt8]) -> Bool
    ) throws(WebAuthnRefusal) -> VerifiedRegistration {
        let client = try ClientData(response.clientDataJSON, type: "webauthn.create")
        let challenge = try client.verify(origins: origins, isChallenge)
        guard let attestation = Base64URL.decode(response.attestationObject),
            let data = AttestationObject.authenticatorData(attestation)
        else { throw WebAuthnRefusal(.format, challenge: challenge) }
        try verify(data, challenge: challenge)
        guard let credential = data.attestedCredential(), response.credential.isNamed(credential.id) else {
            throw WebAuthnRefusal(.format, challenge: challenge)
        }
        guard let key = CredentialPublicKey(credential.key, bytes: credential.keyBytes) else {
            throw WebAuthnRefusal(.algorithm, challenge: challenge)
        }
        return VerifiedRegistration(
            credentialID: credential.id, publicKey: key, signCount: data.signCount, aaguid: credential.aaguid,
            isUserVerified: data.flags.contains(.userVerified),
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp),
            challenge: challenge)
    }

    /// What registrations and assertions have in common: §7.1 steps 14, 15 and 17, §7.2 steps 15, 16 and 18.
    func verify(_ data: AuthenticatorData, challenge: [UInt8]) throws(WebAuthnRefusal) {
        guard data.relyingPartyHash == Array(SHA256.hash(data: Array(id.utf8))) else {
            throw WebAuthnRefusal(.relyingParty, challenge: challenge)
        }
        guard data.flags.contains(.userPresent) else { throw WebAuthnRefusal(.userPresence, challenge: challenge) }
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else {
            throw WebAuthnRefusal(.format, challenge: challenge)
        }
    }
}
