/// A new credential, as an authenticator made it for this relying party. The caller stores it.
public struct VerifiedRegistration: Sendable, Equatable {
    /// The credential's name: 1 to 1,023 bytes.
    public let credentialID: [UInt8]
    /// The public key that verifies its signatures.
    public let publicKey: CredentialPublicKey
    /// The authenticator's signature count; always 0 if it does not count.
    public let signCount: UInt32
    /// The authenticator's model, 16 bytes, often zeros. It is not verified.
    public let aaguid: [UInt8]
    /// Whether the authenticator verified the user, by a PIN or a fingerprint (UV).
    public let isUserVerified: Bool
    /// Whether it may be on several devices (BE). It never changes.
    public let isBackupEligible: Bool
    /// Whether it was when it was made (BS).
    public let isBackedUp: Bool
    /// The challenge that was answered, which is used up.
    public let challenge: [UInt8]
}
