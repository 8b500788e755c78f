import AppStore
import AppStoreTesting
import Crypto
import Foundation
import StrictEncoding
import Testing

@Suite("Root certificates")
struct RootCertificateTests {
    private typealias Configuration = AppStoreVerifier.Configuration

    private static func refusal(_ files: [[UInt8]], of authority: TestAuthority) async throws -> AppStoreRefusal? {
        try await Shop(authority) { $0.rootCertificates = files }.refusal(of: TestTransaction())
    }

    @Test("Apple's is the default, and the one of config")
    func apple() throws {
        let root = Configuration.appleRootCertificate
        #expect(Configuration(bundleID: "a").rootCertificates == [root])
        let digest = Hexadecimal.encode(SHA256.hash(data: root))
        #expect(digest == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../config/AppleRootCA-G3.cer")
        #expect(try Array(Data(contentsOf: file)) == root)
        _ = try AppStoreVerifier(configuration: Configuration(bundleID: "a"))
    }

    @Test("are read as DER and as PEM, one or several to a file, and each of them ends chains")
    func forms() async throws {
        let (one, two, other) = (try TestAuthority(), try TestAuthority(), try TestAuthority())
        let pem = Array((one.rootPEM + "\n" + two.rootPEM).utf8)
        for files in [[one.rootDER, two.rootDER], [Array(one.rootPEM.utf8), two.rootDER], [pem]] {
            #expect(try await Self.refusal(files, of: one) == nil)
            #expect(try await Self.refusal(files, of: two) == nil)
            #expect(try await Self.refusal(files, of: other) == .chain)
        }
    }

    @Test("that cannot be read are named")
    func bad() throws {
        let authority = try TestAuthority()
        let key = authority.leafKey.pemRepresentation
        for bad in [
            [], Array("root".utf8), Array(authority.rootDER.dropLast()), authority.rootDER + [0], [0x30, 0],
            Array(key.utf8), Array((authority.rootPEM + key).utf8),
        ] {
            var configuration = Configuration(bundleID: "a")
            configuration.rootCertificates = [authority.rootDER, bad]
            #expect(throws: AppStoreVerifier.ConfigurationError.badRootCertificate(index: 1)) {
                try AppStoreVerifier(configuration: configuration)
            }
            configuration.rootCertificates = []
            #expect(throws: AppStoreVerifier.ConfigurationError.noRootCertificate) {
                try AppStoreVerifier(configuration: configuration)
            }
        }
    }
}
