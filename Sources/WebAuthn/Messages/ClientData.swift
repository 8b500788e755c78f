import StrictEncoding

/// The client data of a ceremony (WebAuthn Level 3 §5.8.1), read from its JSON.
struct ClientData {
    /// The JSON as it was sent: authenticators sign its SHA-256.
    let bytes: [UInt8]
    private let challenge: ExactText
    private let origin: ExactText
    private let isCrossOrigin: Bool
    private let hasTopOrigin: Bool

    /// Reads it.
    ///
    /// Unknown members are ignored: §5.8.1 says that there will be some. §7.1 step 5 would strip a byte order mark and
    /// repair bad UTF-8. No client writes either, and ambiguous texts are refused.
    ///
    /// - Parameters:
    ///   - text: The base64url of the JSON.
    ///   - type: What it must be for.
    /// - Throws: `format`.
    init(_ text: String, type: ExactText) throws(WebAuthnRefusal) {
        guard let bytes = Base64URL.decode(text), let members = JSON(bytes)?.members,
            members["type"]?.text == type, let challenge = members["challenge"]?.text,
            let origin = members["origin"]?.text
        else { throw WebAuthnRefusal(.format) }
        let crossOrigin = members["crossOrigin"]
        let topOrigin = members["topOrigin"]
        guard crossOrigin == nil || crossOrigin?.boolean != nil, topOrigin == nil || topOrigin?.text != nil else {
            throw WebAuthnRefusal(.format)
        }
        self.bytes = bytes
        self.challenge = challenge
        self.origin = origin
        isCrossOrigin = crossOrigin?.boolean == true
        hasTopOrigin = topOrigin != nil
    }

    /// Verifies its members (§7.1 steps 8 to 11, §7.2 steps 11 to 14): no frame within another page is expected.
    ///
    /// - Returns: The challenge.
    /// - Throws: `challenge` or `origin`.
    func verify(origins: Set<String>, _ isChallenge: ([UInt8]) -> Bool) throws(WebAuthnRefusal) -> [UInt8] {
        guard let challenge = Base64URL.decode(challenge.utf8), isChallenge(challenge) else {
            throw WebAuthnRefusal(.challenge)
        }
        guard origins.contains(where: { ExactText($0) == origin }), !isCrossOrigin, !hasTopOrigin else {
            throw WebAuthnRefusal(.origin, challenge: challenge)
        }
        return challenge
    }
}
