import CredentialTesting
import Foundation
import OpenIDConnect
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("the example of the first page is this one")
    func example() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: here.appending(path: "../../../Sources/OpenIDConnect/OpenIDConnect.docc/OpenIDConnect.md"),
            encoding: .utf8)
        let source = try String(contentsOf: here.appending(path: "FirstPage.swift"), encoding: .utf8)
        let code = try #require(source.firstMatch(of: #/    // begin\n((?s).*)    // end/#)).1
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }
        #expect(page.contains("import OpenIDConnect\n\n" + lines.joined(separator: "\n") + "```"))
    }

    @Test("it takes a token of Apple's, and no other provider's")
    func runs() throws {
        let provider = try TestProvider.shared.get()
        let keys = Array("{\"keys\":[\(TestProvider.json(provider.p256Key))]}".utf8)
        let now = Duration.seconds(TestProvider.now)
        let token = try provider.token(["iss": "\"https://appleid.apple.com\""])
        let identity = try firstPage(jwksJSON: keys, idToken: token, nonce: TestProvider.nonce, now: now)
        #expect(identity.subject == "001234.abc")
        #expect(throws: IdentityRefusal.issuer) {
            try firstPage(jwksJSON: keys, idToken: provider.token([:]), nonce: TestProvider.nonce, now: now)
        }
    }
}
