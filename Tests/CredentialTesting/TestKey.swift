import Crypto
import CryptoExtras
import Foundation

/// A credential's key pair.
package struct TestKey: Sendable {
    /// The public key as COSE_Key, in entries.
    package let entries: [(Int, [UInt8])]
    package let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// The public key as COSE_Key.
    package var cose: [UInt8] { Self.cose(entries) }

    package static func cose(_ entries: [(Int, [UInt8])]) -> [UInt8] {
        WrittenCBOR.map(entries.map { (WrittenCBOR.integer($0.0), $0.1) })
    }

    /// The same with another entry in the place of one; nil: without it.
    package func with(_ label: Int, _ value: [UInt8]?) -> [UInt8] {
        Self.cose(
            entries.compactMap { entry in
                guard entry.0 == label else { return entry }
                return value.map { (label, $0) }
            })
    }

    package static func es256() -> TestKey {
        let key = P256.Signing.PrivateKey()
        let point = [UInt8](key.publicKey.x963Representation)
        return TestKey(
            entries: [
                (1, [2]), (3, WrittenCBOR.integer(-7)), (-1, [1]), (-2, WrittenCBOR.string(Array(point[1..<33]))),
                (-3, WrittenCBOR.string(Array(point[33...]))),
            ]
        ) { Array(try key.signature(for: $0).derRepresentation) }
    }

    package static func edDSA() -> TestKey {
        let key = Curve25519.Signing.PrivateKey()
        return TestKey(
            entries: [
                (1, [1]), (3, WrittenCBOR.integer(-8)), (-1, [6]),
                (-2, WrittenCBOR.string([UInt8](key.publicKey.rawRepresentation))),
            ]
        ) { Array(try key.signature(for: $0)) }
    }

    package static func rs256(_ bits: Int = 2048) throws -> TestKey {
        let key = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: bits))
        let numbers = try key.publicKey.getKeyPrimitives()
        return TestKey(
            entries: [
                (1, [3]), (3, WrittenCBOR.integer(-257)), (-1, WrittenCBOR.string(Array(numbers.modulus))),
                (-2, WrittenCBOR.string(Array(numbers.publicExponent))),
            ]
        ) { Array(try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation) }
    }

    /// One of each algorithm, for tests that do not change them: RSA's take time to make.
    package static let all = Result { [es256(), edDSA(), try rs256()] }
}
