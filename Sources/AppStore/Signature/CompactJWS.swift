#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        guard parts.count == 3, let json = Base64.decodeURL(parts[0]) else { throw .malformed }
        let header: Header
        do { header = try JSONDecoder().decode(Header.self, from: Data(json)) } catch { throw .malformed }
        guard header.alg == "ES256" else { throw .algorithm }
        guard let payload = Base64.decodeURL(parts[1]), let signature = Base64.decodeURL(parts[2]) else {
            throw .malformed
        }
        guard header.x5c.count == 3 else { throw .chain }
        certificates = header.x5c.compactMap(Base64.decode)
        guard certificates.count == 3 else { throw .malformed }
        self.payload = payload
        self.signature = signature
        signedBytes = Array(bytes[..<parts[1].endIndex])
    }

    /// The members of the header that are read; others are ignored.
    private struct Header: Decodable {
        let alg: String
        let x5c: [String]

        private enum CodingKeys: CodingKey { case alg, x5c, crit }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            // RFC 7515 §4.1.11: extensions listed there must be understood. None is supported.
            guard !members.contains(.crit) else {
                throw DecodingError.dataCorruptedError(forKey: .crit, in: members, debugDescription: "crit")
            }
            alg = try members.decodeIfPresent(String.self, forKey: .alg) ?? ""
            x5c = try members.decodeIfPresent([String].self, forKey: .x5c) ?? []
        }
    }
}
