import StrictEncoding

/// The members of a key (RFC 7517 §4, RFC 7518 §6). Whether its numbers are a valid key is not checked yet.
struct KeyMembers: Equatable {
    /// What a key is made of.
    enum Numbers: Equatable {
        /// RSA's modulus and exponent, without zeros before them.
        case rsa(modulus: [UInt8], exponent: [UInt8])
        /// The coordinates of a point of P-256, 32 bytes each.
        case p256(x: [UInt8], y: [UInt8])
    }

    /// `kid`; nil: it has none.
    let keyID: ExactText?
    /// The one `alg` it is for.
    let algorithm: ExactText
    let numbers: Numbers

    /// Bits of a usable RSA key.
    static let sizes = 2048...8192

    /// Reads a key.
    ///
    /// - Throws: Why it is of no use.
    init(_ members: [ExactText: JSON]) throws(JSONWebKeyFlaw) {
        let algorithm: ExactText
        switch members["kty"]?.text {
        case "RSA": algorithm = "RS256"
        case "EC" where members["crv"]?.text == "P-256": algorithm = "ES256"
        default: throw .type
        }
        guard members["use"] == nil || members["use"]?.text == "sig" else { throw .use }
        if let operations = members["key_ops"] {
            guard operations.elements?.contains(.string("verify")) == true else { throw .use }
        }
        guard members["alg"] == nil || members["alg"]?.text == algorithm else { throw .algorithm }
        guard members["kid"] == nil || members["kid"]?.text != nil else { throw .keyID }
        numbers = algorithm == "RS256" ? try Self.rsa(members) : try Self.p256(members)
        keyID = members["kid"]?.text
        self.algorithm = algorithm
    }

    /// RFC 7518 §6.3.1.
    private static func rsa(_ members: [ExactText: JSON]) throws(JSONWebKeyFlaw) -> Numbers {
        guard let modulus = number("n", members), let exponent = number("e", members),
            modulus.first ?? 0 != 0, exponent.first ?? 0 != 0
        else { throw .malformed }
        guard sizes.contains(modulus.count * 8 - modulus[0].leadingZeroBitCount) else { throw .size }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    /// RFC 7518 §6.2.1.
    private static func p256(_ members: [ExactText: JSON]) throws(JSONWebKeyFlaw) -> Numbers {
        guard let x = number("x", members), let y = number("y", members), x.count == 32, y.count == 32 else {
            throw .malformed
        }
        return .p256(x: x, y: y)
    }

    private static func number(_ name: ExactText, _ members: [ExactText: JSON]) -> [UInt8]? {
        (members[name]?.text).flatMap { Base64URL.decode($0.utf8) }
    }
}
