/// Why an ID token is refused. The raw values are for clients, metrics and logs: they never change, and reveal
/// nothing about the refused text.
public enum IdentityRefusal: String, Error, Sendable, CaseIterable {
    /// No compact JWS of at most 64 KiB, header or payload no JSON object, `crit` in the header, an access token (`typ`
    /// `at+jwt`); `exp`, `iat` or `sub` missing, or not what they should be; `exp` more than a year ahead.
    case format
    /// Not signed by RS256 or ES256 with a key of the set that has the token's `kid`; without `kid`, with the only key
    /// of the set that fits.
    case signature
    /// Another issuer.
    case issuer
    /// For another audience, or for another audience as well, or requested by another client (`azp`).
    case audience
    /// Expired, or not valid yet.
    case expired
    /// For another nonce, or for none.
    case nonce
}
