import StrictEncoding

/// A parsed signed text (RFC 7515 §7.1). Nothing in it is verified yet.
struct CompactJWS {
    /// The header's `x5c` in DER: the signer's certificate first, then the issuer of each.
    let certificates: [[UInt8]]
    /// What was signed.
    let payload: [UInt8]
    /// The bytes the signature is of: header and payload as they were sent.
    let signedBytes: [UInt8]
    /// The signature, as `alg` writes it.
    let signature: [UInt8]

    /// Bytes of a text. A transaction takes some 4,000, a notification around it some 10,000.
    static let maximumSize = 65_536

    /// Parses a text.
    ///
    /// - Throws: ``AppStoreRefusal``: `malformed`, `algorithm`, or `chain` for other than three certificates.
    init(_ text: String) throws(AppStoreRefusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumSize else { throw .malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // RFC 7515 §4.1.11: extensions listed in `crit` must be understood. None is supported.
        guard parts.count == 3,
            let header = Base64URL.decode(parts[0]).flatMap({ JSON($0) }).flatMap(SignedMembers.init),
            !header.has("crit")
        else { throw .malformed }
        let (algorithm, chain) = (try header.optional("alg", \.text), try header.optional("x5c", Self.texts))
        guard algorithm == "ES256" else { throw .algorithm }
        guard let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]) else {
            throw .malformed
        }
        guard let chain, chain.count == 3 else { throw .chain }
        certificates = chain.compactMap { Base64.decode($0.string) }
        guard certificates.count == 3 else { throw .malformed }
        self.payload = payload
        self.signature = signature
        signedBytes = Array(bytes[..<parts[1].endIndex])
    }

    /// The elements of an array of strings; nil for anything else.
    private static func texts(_ json: JSON) -> [ExactText]? {
        guard let elements = json.elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
