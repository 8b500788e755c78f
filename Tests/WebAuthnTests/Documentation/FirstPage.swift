import WebAuthn

/// The example of the documentation's first page; `DocumentationTests` sees to it that both are the same.
func firstPage(
    signer: ChallengeSigner, player: [UInt8], now: Duration, registrationJSON: [UInt8], authenticationJSON: [UInt8]
) throws -> CredentialRecord {
    // begin
    let party = RelyingParty(id: "juliet.example", name: "Juliet", origins: ["https://juliet.example"])

    // A new passkey: the client gets options.json, and sends back what its authenticator answers.
    let purpose = ChallengeSigner.Purpose.registration(of: player)
    let challenge = signer.challenge(for: purpose, now: now)
    let options = CreationOptions(
        relyingParty: party, userID: player, userName: "Ada", challenge: challenge.bytes)
    print(options.json)
    let registration = try party.registration(RegistrationResponse(json: registrationJSON)) {
        signer.challenge($0, for: purpose, now: now) != nil
    }
    // In one transaction: note registration.challenge as used, refuse one that was, keep the credential.
    let record = CredentialRecord(
        publicKey: registration.publicKey, userHandle: player, signCount: registration.signCount,
        isBackupEligible: registration.isBackupEligible)

    // Somebody signs in.
    let assertion = try party.assertion(AuthenticationResponse(json: authenticationJSON)) {
        signer.challenge($0, for: .authentication, now: now) != nil
    }
    // Note assertion.challenge as used, look the record up by assertion.credentialID.
    let verified = try assertion.verify(with: record)
    print("\(assertion.credentialID) has signed \(verified.signCount) times")
    // end
    return record
}
