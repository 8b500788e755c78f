/// An answer of an authenticator to somebody who signs in. It proves nothing before ``verify(with:)``.
public struct Assertion: Sendable {
    /// The id of the credential that claims to have signed.
    public let credentialID: [UInt8]
    /// The user that it names; nil: none.
    public let userHandle: [UInt8]?
    /// The challenge that was answered, which is used up in any case.
    public let challenge: [UInt8]

    let flags: AuthenticatorData.Flags
    let signCount: UInt32
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// Verifies it with the credential of that name (WebAuthn Level 3 §7.2, steps 6 and 19 to 22). The last two reasons are
    /// only for the credential's own signature, so a caller may tell them to whoever sent it.
    ///
    /// - Parameter record: The stored credential. Read it and, if this succeeds, change it in one
    ///   transaction: of two assertions with the same count, one must be refused.
    /// - Returns: The data to store.
    /// - Throws: ``WebAuthnRefusal`` with the first rule that is broken in this order: `userHandle` (it must be there),
    ///   `signature`, `backupEligibility`, `signCount` (greater than the one before, unless both are 0).
    public func verify(with record: CredentialRecord) throws(WebAuthnRefusal) -> VerifiedAssertion {
        guard userHandle == record.userHandle else { throw refusal(.userHandle) }
        guard record.publicKey.isValidSignature(signature, for: signedBytes) else { throw refusal(.signature) }
        guard flags.contains(.backupEligible) == record.isBackupEligible else { throw refusal(.backupEligibility) }
        guard signCount > record.signCount || signCount == 0 && record.signCount == 0 else {
            throw refusal(.signCount)
        }
        return VerifiedAssertion(
            signCount: signCount, isUserVerified: flags.contains(.userVerified), isBackedUp: flags.contains(.backedUp))
    }

    private func refusal(_ reason: WebAuthnRefusal.Reason) -> WebAuthnRefusal {
        WebAuthnRefusal(reason, challenge: challenge)
    }
}

/// A stored credential, as of its registration and last use.
public struct CredentialRecord: Sendable, Equatable {
    /// The public key that verifies its signatures.
    public let publicKey: CredentialPublicKey
    /// The user it was made for: the `user.id` of the options.
    public let userHandle: [UInt8]
    /// The last signature count.
    public let signCount: UInt32
    /// Whether it may be on several devices (BE).
    public let isBackupEligible: Bool

    /// A credential.
    public init(publicKey: CredentialPublicKey, userHandle: [UInt8], signCount: UInt32, isBackupEligible: Bool) {
        self.publicKey = publicKey
        self.userHandle = userHandle
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
    }
}

/// The result of signing in with a credential, and the data to store.
public struct VerifiedAssertion: Sendable, Equatable {
    /// The count of signatures from now on.
    public let signCount: UInt32
    /// Whether the authenticator verified the user, by a PIN or a fingerprint (UV).
    public let isUserVerified: Bool
    /// Whether the credential is on several devices now (BS).
    public let isBackedUp: Bool
}
