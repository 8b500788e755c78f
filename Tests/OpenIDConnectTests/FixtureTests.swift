import Foundation
import Testing

@testable import OpenIDConnect

/// What PyPI's `PyJWT` signed and took, in `Fixtures/tokens.json`, made by `Fixtures/make.py`.
@Suite("Fixtures")
struct FixtureTests {
    private struct Fixture: Decodable {
        struct Token: Decodable {
            let kid: String
            let token: String
            let subject: String
        }

        let issuer: String
        let audience: String
        let nonce: String
        let now: Int
        let tokens: [Token]
    }

    @Test("of another library are taken, and read as it reads them")
    func agree() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/tokens.json")
        let data = try Data(contentsOf: file)
        let fixture = try JSONDecoder().decode(Fixture.self, from: data)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let keys = try JSONWebKeySet(
            json: [UInt8](try JSONSerialization.data(withJSONObject: try #require(object["keys"]))))
        #expect(keys.keyIDs == ["ec", "rsa-2048", "rsa-3072", "rsa-4096"] && keys.skipped.isEmpty)
        let provider = IdentityProvider(issuers: [fixture.issuer], audiences: [fixture.audience])
        #expect(fixture.tokens.count == 7)
        for token in fixture.tokens {
            let found = try provider.verify(token.token, nonce: fixture.nonce, keys: keys, now: .seconds(fixture.now))
            #expect(found == VerifiedIdentity(issuer: fixture.issuer, subject: token.subject), "\(token.kid)")
        }
    }
}
