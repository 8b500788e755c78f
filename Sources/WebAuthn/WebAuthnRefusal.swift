/// Why an answer of an authenticator is refused.
public struct WebAuthnRefusal: Error, Sendable, Equatable {
    /// The rule that was broken. The raw values are for clients, metrics and logs: they never change, and reveal
    /// nothing about the refused text.
    public enum Reason: String, Sendable, CaseIterable {
        /// Client data that are no JSON object with the members of the standard, or of another ceremony; CBOR or
        /// authenticator data that are not written as the standard says; names of the credential that are not one.
        case format
        /// A challenge that was not issued for this.
        case challenge
        /// Another page or app, or a frame within one.
        case origin
        /// A credential of another relying party.
        case relyingParty
        /// The user was not present (UP).
        case userPresence
        /// A public key that cannot verify, or has an algorithm that was not requested.
        case algorithm
        /// Another user's credential, or no user's. Only of assertions, as all below.
        case userHandle
        /// The credential's key has not signed this.
        case signature
        /// A credential that may be backed up was registered as one that may not, or the other way round (BE).
        case backupEligibility
        /// The counter of signatures has not grown: there may be two copies of the private key.
        case signCount
    }

    /// The first rule that was broken.
    public let reason: Reason
    /// The challenge that was answered, if it was issued for this: it is used up. nil: it cannot be read, or
    /// was not issued here.
    public let challenge: [UInt8]?

    init(_ reason: Reason, challenge: [UInt8]? = nil) {
        self.reason = reason
        self.challenge = challenge
    }
}
