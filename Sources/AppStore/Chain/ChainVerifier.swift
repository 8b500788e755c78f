import Crypto
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Verifies that certificates are the App Store's.
struct ChainVerifier: Sendable {
    /// Apple's marker extensions, without which any certificate of Apple would be accepted (Apple's certificate practice statements).
    private static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    private static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    private let roots: RootCertificates
    /// The cache of verified chains.
    let cache = ChainCache()

    /// A verifier with these root certificates.
    init(roots: RootCertificates) { self.roots = roots }

    /// Checks leaf, intermediate and root: their identity, purpose and signatures. About time it checks only that there was a
    /// moment at which all were valid.
    ///
    /// - Throws: `chain`. Only valid chains are cached, so nobody can displace the App Store's own.
    func verify(_ certificates: [[UInt8]]) async throws(AppStoreRefusal) -> VerifiedChain {
        let key = ChainCache.Key(certificates)
        if let chain = cache[key] { return chain }
        guard certificates.count == 3, let root = roots[certificates[2]],
            let leaf = try? Certificate(derEncoded: certificates[0]),
            let intermediate = try? Certificate(derEncoded: certificates[1]),
            leaf.extensions[oid: Self.leafMarker] != nil,
            intermediate.extensions[oid: Self.intermediateMarker] != nil,
            Self.mayBeUsed(leaf, intermediate),
            let publicKey = P256.Signing.PublicKey(leaf.publicKey)
        else { throw .chain }
        let all = [leaf, intermediate, root]
        let start = all.map(\.notValidBefore).reduce(.distantPast, max)
        let end = all.map(\.notValidAfter).reduce(.distantFuture, min)
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            // When the last of them became valid: a moment at which all were valid, if there was one.
            RFC5280Policy(fixedExpiryValidationTime: start)
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate]))
        guard case .validCertificate(let found) = result, Array(found) == all, start <= end else { throw .chain }
        let chain = VerifiedChain(
            key: publicKey,
            validity: Int64(start.timeIntervalSince1970)...Int64(end.timeIntervalSince1970))
        cache[key] = chain
        return chain
    }

    /// Whether the leaf may sign and the intermediate may issue, if they have a key usage (RFC 5280 §4.2.1.3, which the
    /// library's policy leaves out).
    private static func mayBeUsed(_ leaf: Certificate, _ intermediate: Certificate) -> Bool {
        do {
            return try leaf.extensions.keyUsage?.digitalSignature ?? true
                && intermediate.extensions.keyUsage?.keyCertSign ?? true
        } catch {
            return false
        }
    }
}
