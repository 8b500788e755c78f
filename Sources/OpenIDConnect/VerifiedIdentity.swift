/// Somebody's identity at a provider: issuer and subject together (OpenID Connect Core 1.0 §5.7). Nothing else of a token is kept.
public struct VerifiedIdentity: Sendable, Hashable {
    /// The provider, one of ``IdentityProvider/issuers``.
    public let issuer: String
    /// The user there: 1 to 255 characters, the same for as long as the account is.
    public let subject: String
}
