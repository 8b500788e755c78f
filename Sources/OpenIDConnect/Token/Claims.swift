import StrictEncoding

/// The claims of an ID token (OpenID Connect Core 1.0 §2) that are used. Nothing in it is verified yet.
struct Claims {
    /// `sub`, 1 to 255 characters.
    let subject: ExactText
    /// `iss`; nil: it is no text.
    let issuer: ExactText?
    /// `aud`, and `azp` if it is there: the client that requested the token. nil: `aud` is no text and no list of at least
    /// one text, or `azp` is no text.
    let recipients: Set<ExactText>?
    /// `nonce`; nil: it is no text.
    let nonce: ExactText?
    /// `exp`, seconds since 1970, as all dates.
    private let expiry: Double
    private let issued: Double
    private let notBefore: Double?

    /// Reads it.
    ///
    /// - Throws: `format`.
    init(_ json: [UInt8]) throws(IdentityRefusal) {
        guard let claims = JSON(json)?.members, let subject = claims["sub"]?.text,
            1...255 ~= subject.string.unicodeScalars.count, let expiry = claims["exp"]?.number,
            let issued = claims["iat"]?.number, claims["nbf"] == nil || claims["nbf"]?.number != nil
        else { throw .format }
        self.subject = subject
        self.expiry = expiry
        self.issued = issued
        notBefore = claims["nbf"]?.number
        issuer = claims["iss"]?.text
        recipients = Self.recipients(claims)
        nonce = claims["nonce"]?.text
    }

    /// Whether `exp` is not after a time.
    func ends(by latest: Double) -> Bool { expiry <= latest }

    /// Whether it is valid now: not expired, not issued in the future, and not before its `nbf`, each with the skew.
    func isValid(at now: Double, skew: Double) -> Bool {
        expiry + skew > now && issued - skew <= now && (notBefore ?? issued) - skew <= now
    }

    private static func recipients(_ claims: [ExactText: JSON]) -> Set<ExactText>? {
        guard let audience = claims["aud"], audience.elements?.isEmpty != true else { return nil }
        let values = (audience.elements ?? [audience]) + (claims["azp"].map { [$0] } ?? [])
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? Set(texts) : nil
    }
}
