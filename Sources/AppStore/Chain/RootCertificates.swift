import SwiftASN1
import X509

/// The certificates that end every chain, by their bytes.
struct RootCertificates {
    private let certificates: [[UInt8]: Certificate]

    /// Reads files of one DER certificate, or of one or more in PEM.
    init(_ files: [[UInt8]]) throws(AppStoreVerifier.ConfigurationError) {
        guard !files.isEmpty else { throw .noRootCertificate }
        var certificates: [[UInt8]: Certificate] = [:]
        for (index, file) in files.enumerated() {
            do {
                for bytes in try Self.certificates(in: file) {
                    certificates[bytes] = try Certificate(derEncoded: bytes)
                }
            } catch {
                throw .badRootCertificate(index: index)
            }
        }
        self.certificates = certificates
    }

    /// The one with exactly these bytes. One with the same name, or even the same key, is another.
    subscript(bytes: [UInt8]) -> Certificate? { certificates[bytes] }

    private static func certificates(in file: [UInt8]) throws -> [[UInt8]] {
        // A SEQUENCE; text never begins so.
        guard file.first != 0x30 else { return [file] }
        let documents = try PEMDocument.parseMultiple(pemString: String(decoding: file, as: UTF8.self))
        guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == Certificate.defaultPEMDiscriminator })
        else { throw AppStoreVerifier.ConfigurationError.noRootCertificate }
        return documents.map(\.derBytes)
    }
}
