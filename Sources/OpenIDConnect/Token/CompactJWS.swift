import StrictEncoding

/// A parsed signed text (RFC 7515 §7.1). Nothing in it is verified yet.
///
/// Of the header only `alg`, `kid` and `crit` are used: the sender can put any keys into `jku`, `jwk`, `x5u` and `x5c`
/// (RFC 8725 §3.10).
struct CompactJWS {
    /// The algorithm it names; nil: none.
    let algorithm: ExactText?
    /// The id of the key it names; nil: none.
    let keyID: ExactText?
    /// What was signed.
    let payload: [UInt8]
    /// The bytes the signature is of: header and payload as they were sent.
    let signedBytes: [UInt8]
    /// The signature, as `alg` writes it.
    let signature: [UInt8]

    /// Bytes of a text. A token takes some 1,000.
    static let maximumSize = 65_536

    /// Parses a text.
    ///
    /// - Throws: `format`.
    init(_ text: String) throws(IdentityRefusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumSize else { throw .format }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let json = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let header = JSON(json)?.members
        else { throw .format }
        // RFC 7515 §4.1.11: extensions listed there must be understood. None is supported.
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
