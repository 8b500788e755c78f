import Crypto
import CryptoExtras
import StrictEncoding

/// A key that verifies ID tokens.
struct JSONWebKey: Sendable {
    /// `kid`; nil: it has none.
    let keyID: ExactText?
    /// The one `alg` it is for.
    let algorithm: ExactText
    private let key: Key

    private enum Key: Sendable {
        case rs256(_RSA.Signing.PublicKey)
        case es256(P256.Signing.PublicKey)
    }

    /// Reads a key.
    ///
    /// - Throws: Why it is of no use.
    init(_ members: [ExactText: JSON]) throws(JSONWebKeyFlaw) {
        let members = try KeyMembers(members)
        do {
            switch members.numbers {
            case .rsa(let modulus, let exponent):
                key = .rs256(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
            case .p256(let x, let y):
                key = .es256(try P256.Signing.PublicKey(x963Representation: [4] + x + y))
            }
        } catch {
            throw .malformed
        }
        keyID = members.keyID
        algorithm = members.algorithm
    }

    /// Whether it has signed these bytes: RFC 7518 §3.3, or §3.4 with a signature of 64 bytes and not the DER of
    /// certificates.
    func isValidSignature(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        switch key {
        case .rs256(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(signature, for: bytes, padding: .insecurePKCS1v1_5)
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        }
    }
}
