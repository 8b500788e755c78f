import StrictEncoding

extension CompactJWS {
    /// The header's `x5c` in DER: the signer's certificate first, then the issuer of each.
    ///
    /// - Throws: ``AppStoreRefusal``: `malformed`, `algorithm`, or `chain` for other than three certificates.
    func certificates() throws(AppStoreRefusal) -> [[UInt8]] {
        let header = SignedMembers(header)
        let (algorithm, chain) = (try header.optional("alg", \.text), try header.optional("x5c", Self.texts))
        guard algorithm == "ES256" else { throw .algorithm }
        guard let chain, chain.count == 3 else { throw .chain }
        let certificates = chain.compactMap { Base64.decode($0.string) }
        guard certificates.count == 3 else { throw .malformed }
        return certificates
    }

    /// The elements of an array of strings; nil for anything else.
    private static func texts(_ json: JSON) -> [ExactText]? {
        guard let elements = json.elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
