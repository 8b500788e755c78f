/// Why a key of a set cannot be used here. The raw values are for logs: they never change.
public enum JSONWebKeyFlaw: String, Error, Sendable, CaseIterable {
    /// `kty` is neither `RSA` nor `EC`, or `crv` is not `P-256`.
    case type
    /// `use` is not `sig`, or `key_ops` has no `verify`.
    case use
    /// `alg` is not `RS256`, or `ES256`.
    case algorithm
    /// `kid` is no text.
    case keyID
    /// RSA of less than 2,048 bits, or of more than 8,192.
    case size
    /// Its numbers are missing, not written as RFC 7518 §6 says, or no key.
    case malformed
}
