import Crypto
import StrictEncoding

/// A verified chain of certificates: the leaf's key and the period of validity. Whether it is valid now is checked each time.
struct VerifiedChain: Sendable {
    /// The leaf's key.
    let key: P256.Signing.PublicKey
    /// Seconds since 1970 during which all three certificates are valid, as certificates count them (RFC 5280 §4.1.2.5).
    let validity: ClosedRange<Int64>

    /// Whether the leaf's key signed a text: ES256, whose signature is 64 bytes (RFC 7518 §3.4), and not the DER of
    /// certificates.
    func hasSigned(_ jws: CompactJWS) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature) else { return false }
        return key.isValidSignature(signature, for: jws.signedBytes)
    }

    /// Whether all three certificates were valid at a moment.
    func isValid(at date: AppStoreDate) -> Bool { validity.contains(date.milliseconds / 1000) }
}
