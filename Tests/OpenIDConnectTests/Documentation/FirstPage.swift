import OpenIDConnect

/// The example of the documentation's first page; `DocumentationTests` sees to it that both are the same.
func firstPage(jwksJSON: [UInt8], idToken: String, nonce: String, now: Duration) throws -> VerifiedIdentity {
    // begin
    let apple = IdentityProvider(issuers: ["https://appleid.apple.com"], audiences: ["com.example.juliet"])
    let keys = try JSONWebKeySet(json: jwksJSON)

    // The app got the nonce before, and the token from the provider.
    let identity = try apple.verify(idToken, nonce: nonce, keys: keys, now: now)
    print("\(identity.subject) at \(identity.issuer)")
    // end
    return identity
}
