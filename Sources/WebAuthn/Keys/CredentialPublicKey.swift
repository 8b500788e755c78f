import Crypto
import CryptoExtras
import StrictEncoding

/// The public key of a credential: a COSE_Key (RFC 9052 §7) of one of three algorithms.
public struct CredentialPublicKey: Sendable, Equatable {
    /// How a credential signs; the raw values are COSE's. In order of preference.
    public enum Algorithm: Int, Sendable, CaseIterable {
        /// ECDSA with SHA-256 on P-256 (RFC 9053 §2.1), the signature in DER (WebAuthn Level 3 §6.5.5).
        case es256 = -7
        /// Ed25519 (RFC 9053 §2.2).
        case edDSA = -8
        /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8812 §2), 2,048 to 4,096 bits.
        case rs256 = -257
    }

    /// How it signs.
    public let algorithm: Algorithm
    /// The COSE_Key as the authenticator wrote it, for storing.
    public let coseKey: [UInt8]
    private let key: Key

    private enum Key: Sendable {
        case es256(P256.Signing.PublicKey)
        case edDSA(Curve25519.Signing.PublicKey)
        case rs256(_RSA.Signing.PublicKey)
    }

    /// Reads a stored key; nil: it is not one that could be registered.
    public init?(coseKey: [UInt8]) {
        guard let item = try? CBORReader.item(coseKey) else { return nil }
        self.init(item, bytes: coseKey)
    }

    /// Reads a key; nil: it cannot verify, or has members that WebAuthn Level 3 §6.5.2 forbids (all that are not
    /// required).
    init?(_ item: CBOR, bytes: [UInt8]) {
        guard let entries = item.entries, let type = item[Label.keyType], let code = item[Label.algorithm],
            let algorithm = Algorithm.allCases.first(where: { .integer($0.rawValue) == code })
        else { return nil }
        switch algorithm {
        case .es256:
            // §5.8.5: P-256, and no compressed point.
            guard entries.count == 5, type == .unsigned(2), item[Label.first] == .unsigned(1),
                let x = item[Label.second]?.bytes, let y = item[Label.third]?.bytes, x.count == 32, y.count == 32,
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
            else { return nil }
            self.key = .es256(key)
        case .edDSA:
            guard entries.count == 4, type == .unsigned(1), item[Label.first] == .unsigned(6),
                let x = item[Label.second]?.bytes, Edwards25519.isPublicKey(x),
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
            else { return nil }
            self.key = .edDSA(key)
        case .rs256:
            // RFC 8230 §4: no zeros before a number.
            guard entries.count == 4, type == .unsigned(3), let modulus = item[Label.first]?.bytes,
                let exponent = item[Label.second]?.bytes, modulus.first ?? 0 != 0, exponent.first ?? 0 != 0,
                modulus.count <= 512, let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent),
                2048...4096 ~= key.keySizeInBits
            else { return nil }
            self.key = .rs256(key)
        }
        self.algorithm = algorithm
        coseKey = bytes
    }

    /// Labels of COSE_Key: those of every key, and those whose meaning depends on its type.
    private enum Label {
        static let keyType = CBOR.unsigned(1)
        static let algorithm = CBOR.unsigned(3)
        /// `crv`, or RSA's `n`.
        static let first = CBOR.integer(-1)
        /// `x`, or RSA's `e`.
        static let second = CBOR.integer(-2)
        /// `y`.
        static let third = CBOR.integer(-3)
    }

    /// Whether it has signed these bytes.
    func isValidSignature(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        switch key {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .edDSA(let key):
            return key.isValidSignature(signature, for: bytes)
        case .rs256(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(signature, for: bytes, padding: .insecurePKCS1v1_5)
        }
    }

    /// Whether two are written alike.
    public static func == (left: Self, right: Self) -> Bool { left.coseKey == right.coseKey }
}
