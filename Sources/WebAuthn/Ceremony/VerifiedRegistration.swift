/// A new credential, as an authenticator made it for this relying party; to be kept by the caller.
public struct VerifiedRegistration: Sendable, Equatable {
    /// The credential's name: 1 to 1,023 bytes.
    public let credentialID: [UInt8]
    /// What verifies its signatures.
    public let publicKey: CredentialPublicKey
    /// How many signatures the authenticator says it has made; 0 for good where it does not count.
    public let signCount: UInt32
    /// The authenticator's model, 16 bytes, often zeros. Nothing vouches for it.
    public let aaguid: [UInt8]
    /// Whether the authenticator made sure who was there, by a PIN or a finger (UV).
    public let isUserVerified: Bool
    /// Whether it may be on several devices (BE). It never changes.
    public let isBackupEligible: Bool
    /// Whether it was when it was made (BS).
    public let isBackedUp: Bool
    /// The challenge that was answered, which is used up.
    public let challenge: [UInt8]
}
