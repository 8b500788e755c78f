import StrictEncoding

/// The claims of an ID token (OpenID Connect Core 1.0 §2) that are used. Nothing in it is verified yet.
struct Claims {
    /// `sub`, 1 to 255 characters.
    let subject: ExactText
    /// `iss`; nil: it is no text.
    let issuer: ExactText?
    /// `aud`; nil: it is no text and no list of texts.
    let audiences: Set<ExactText>?
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
        audiences = claims["aud"].flatMap(Self.audiences)
        nonce = claims["nonce"]?.text
    }

    /// Whether it is valid now: not expired, not issued in the future, and not before its `nbf`, each with the skew.
    func isValid(at now: Double, skew: Double) -> Bool {
        expiry + skew > now && issued - skew <= now && (notBefore ?? issued) - skew <= now
    }

    private static func audiences(_ value: JSON) -> Set<ExactText>? {
        if let text = value.text { return [text] }
        guard let elements = value.elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? Set(texts) : nil
    }
}
