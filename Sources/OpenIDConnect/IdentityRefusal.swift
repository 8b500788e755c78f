/// Why an ID token is not taken. The raw values are for clients, metrics and logs: they never change, and say nothing
/// of what was refused.
public enum IdentityRefusal: String, Error, Sendable, CaseIterable {
    /// No compact JWS of at most 64 KiB, header or payload no JSON object, `crit` in the header; `exp`, `iat` or `sub`
    /// missing, or not what they should be.
    case format
    /// Not signed by RS256 or ES256 with a key of the set that has the token's `kid`.
    case signature
    /// Another issuer.
    case issuer
    /// For somebody else, or for somebody else as well.
    case audience
    /// Over, or not yet.
    case expired
    /// Given for another nonce, or for none.
    case nonce
}
