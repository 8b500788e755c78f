import StrictEncoding

/// A signed text taken apart (RFC 7515 §7.1). Nothing in it is true yet.
///
/// Of the header only `alg`, `kid` and `crit` are looked at: what `jku`, `jwk`, `x5u` and `x5c` say of keys is whatever
/// the sender wants (RFC 8725 §3.10).
struct CompactJWS {
    /// How it says it is signed; nil: it does not.
    let algorithm: ExactText?
    /// The key it says signed it; nil: it names none.
    let keyID: ExactText?
    /// What was signed.
    let payload: [UInt8]
    /// The bytes the signature is of: header and payload as they were sent.
    let signedBytes: [UInt8]
    /// The signature, as `alg` writes it.
    let signature: [UInt8]

    /// Bytes of a text. A token takes some 1,000.
    static let maximumSize = 65_536

    /// Takes a text apart.
    ///
    /// - Throws: `format`.
    init(_ text: String) throws(IdentityRefusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumSize else { throw .format }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let json = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let header = (try? JSON(json))?.members
        else { throw .format }
        // RFC 7515 §4.1.11: what it lists must be understood. Nothing is.
        guard header["crit"] == nil else { throw .format }
        algorithm = try Self.text("alg", in: header)
        keyID = try Self.text("kid", in: header)
        self.payload = payload
        self.signature = signature
        signedBytes = Array(bytes[..<parts[1].endIndex])
    }

    private static func text(_ name: ExactText, in header: [ExactText: JSON]) throws(IdentityRefusal) -> ExactText? {
        guard let value = header[name] else { return nil }
        guard let text = value.text else { throw .format }
        return text
    }
}
