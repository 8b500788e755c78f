public import Crypto
public import Foundation
import SwiftASN1
public import X509

/// An App Store of its own: root, intermediate and leaf as Apple's are, made for a test, and what the leaf signs.
///
/// A service takes it when `purchases.rootCertificates` names a file with ``rootDER`` or ``rootPEM``.
public struct TestAuthority: Sendable {
    /// What is different from Apple's certificates.
    public struct Shape: Sendable {
        /// The root's name.
        public var rootName = "Test Root CA - G3"
        /// Whether the intermediate has its marker.
        public var hasIntermediateMarker = true
        /// Whether the leaf has its marker.
        public var hasLeafMarker = true
        /// Whether the intermediate is a certificate authority.
        public var intermediateIsAuthority = true
        /// Whether the intermediate may sign certificates.
        public var intermediateMaySign = true
        /// Whether the leaf may sign anything.
        public var leafMaySign = true
        /// A critical extension of the leaf that nobody understands.
        public var hasUnknownCriticalExtension = false
        /// From when to when the leaf is valid.
        public var leafValidity = TestAuthority.time(years: -1)...TestAuthority.time(years: 1)
        /// From when to when the intermediate is valid.
        public var intermediateValidity = TestAuthority.time(years: -5)...TestAuthority.time(years: 5)

        /// As Apple's are.
        public init() {}
    }

    /// Root, intermediate and leaf in DER, the root last.
    public let certificates: [[UInt8]]
    /// The leaf's key.
    public let leafKey: P256.Signing.PrivateKey
    private let rootKey: P384.Signing.PrivateKey
    private let intermediateKey: P384.Signing.PrivateKey
    private let shape: Shape

    /// Makes keys and certificates.
    public init(_ shape: Shape = Shape()) throws {
        try self.init(shape, rootKey: P384.Signing.PrivateKey(), intermediateKey: P384.Signing.PrivateKey())
    }

    private init(_ shape: Shape, rootKey: P384.Signing.PrivateKey, intermediateKey: P384.Signing.PrivateKey) throws {
        self.shape = shape
        self.rootKey = rootKey
        self.intermediateKey = intermediateKey
        leafKey = P256.Signing.PrivateKey()
        certificates = [
            try Self.leaf(shape, key: .init(leafKey.publicKey), issuer: Self.intermediateName, .init(intermediateKey)),
            try Self.intermediate(shape, key: .init(intermediateKey), issuerKey: .init(rootKey)),
            try Self.root(shape, key: .init(rootKey)),
        ]
    }

    /// The root's certificate: a file for `purchases.rootCertificates`.
    public var rootDER: [UInt8] { certificates[2] }

    /// The same as text.
    public var rootPEM: String { PEMDocument(type: "CERTIFICATE", derBytes: rootDER).pemString }

    /// Another leaf and intermediate under the same root.
    public func reissued(_ shape: Shape) throws -> TestAuthority {
        try TestAuthority(shape, rootKey: rootKey, intermediateKey: P384.Signing.PrivateKey())
    }

    /// A leaf that this authority's own leaf has signed, which is no authority: an attack.
    public func issuedByLeaf() throws -> [UInt8] {
        try Self.leaf(shape, key: .init(leafKey.publicKey), issuer: "Test Leaf", .init(leafKey))
    }

    /// A leaf of this authority that holds some key.
    public func leaf(holding key: Certificate.PublicKey) throws -> [UInt8] {
        try Self.leaf(shape, key: key, issuer: Self.intermediateName, .init(intermediateKey))
    }

    /// A moment some years from now, in whole seconds, as certificates have it.
    public static func time(years: Double) -> Date {
        Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + years * 365 * 86400).rounded())
    }
}

// MARK: - Certificates

extension TestAuthority {
    private static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    private static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    private static let intermediateName = "Test Intermediate"
    private static let null: ArraySlice<UInt8> = [5, 0]

    private static func name(_ text: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(text)
            OrganizationName("Test")
        }
    }

    private static func root(_ shape: Shape, key: Certificate.PrivateKey) throws -> [UInt8] {
        try certificate(
            name(shape.rootName), key.publicKey, time(years: -10)...time(years: 10), issuer: name(shape.rootName), key
        ) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        }
    }

    private static func intermediate(
        _ shape: Shape, key: Certificate.PrivateKey, issuerKey: Certificate.PrivateKey
    ) throws -> [UInt8] {
        try certificate(
            name(intermediateName), key.publicKey, shape.intermediateValidity, issuer: name(shape.rootName),
            issuerKey
        ) {
            if shape.intermediateIsAuthority {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            } else {
                Critical(BasicConstraints.notCertificateAuthority)
            }
            Critical(KeyUsage(digitalSignature: true, keyCertSign: shape.intermediateMaySign))
            if shape.hasIntermediateMarker {
                Certificate.Extension(oid: intermediateMarker, critical: false, value: null)
            }
        }
    }

    private static func leaf(
        _ shape: Shape, key: Certificate.PublicKey, issuer: String, _ issuerKey: Certificate.PrivateKey
    ) throws -> [UInt8] {
        try certificate(name("Test Leaf"), key, shape.leafValidity, issuer: name(issuer), issuerKey) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: shape.leafMaySign, keyAgreement: true))
            if shape.hasLeafMarker {
                Certificate.Extension(oid: leafMarker, critical: false, value: null)
            }
            if shape.hasUnknownCriticalExtension {
                Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: null)
            }
        }
    }

    private static func certificate(
        _ subject: DistinguishedName, _ key: Certificate.PublicKey, _ validity: ClosedRange<Date>,
        issuer: DistinguishedName, _ issuerKey: Certificate.PrivateKey,
        @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key,
            notValidBefore: validity.lowerBound, notValidAfter: validity.upperBound, issuer: issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA384, extensions: Certificate.Extensions(builder: extensions),
            issuerPrivateKey: issuerKey)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
