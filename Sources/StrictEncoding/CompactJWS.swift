/// A signed text: the compact form of a JSON Web Signature (RFC 7515 §7.1). Nothing in it is verified yet.
package struct CompactJWS {
    /// The members of the header. There is no `crit`: extensions listed there must be understood (RFC 7515 §4.1.11),
    /// and none is supported.
    package let header: [ExactText: JSON]
    /// What was signed.
    package let payload: [UInt8]
    /// The bytes the signature is of: header and payload as they were sent.
    package let signedBytes: [UInt8]
    /// The signature, as the header's `alg` writes it.
    package let signature: [UInt8]

    /// Bytes of a text. An ID token takes some 1,000, a transaction of the App Store 4,000, its notification 10,000.
    package static let maximumSize = 65_536

    /// Parses a text; nil: it is not one of three parts of base64url, of which the first is a JSON object.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumSize else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let json = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let header = JSON(json)?.members, header["crit"] == nil
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signedBytes = Array(bytes[..<parts[1].endIndex])
    }
}
