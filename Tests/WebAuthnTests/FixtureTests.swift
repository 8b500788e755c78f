import Foundation
import StrictEncoding
import Testing
import WebAuthn

/// What PyPI's `webauthn` and `fido2` took and read, in `Fixtures/ceremonies.json`, made by `Fixtures/make.py`.
@Suite("Fixtures")
struct FixtureTests {
    private struct Fixture {
        let json: JSON

        subscript(name: String) -> Fixture {
            get throws { Fixture(json: try #require(json.members?[ExactText(name)], "\(name)")) }
        }

        var text: String { get throws { try #require(json.text).string } }
        var bytes: [UInt8] { get throws { try #require(try Base64URL.decode(text)) } }
        var flag: Bool { get throws { try #require(json.boolean as Bool?) } }
        var number: Int { get throws { try #require(json.number.flatMap { Int(exactly: $0) }) } }
        var written: [UInt8] { Self.written(json) }

        /// The same JSON, on one line.
        private static func written(_ json: JSON) -> [UInt8] { Array(text(of: json).utf8) }

        private static func text(of json: JSON) -> String {
            switch json {
            case .null: "null"
            case .boolean(let value): "\(value)"
            case .number(let text): text.string
            case .string(let text): JSONText.string(text.string)
            case .array(let elements): JSONText.array(elements.map(text(of:)))
            case .object(let members):
                "{" + members.map { JSONText.string($0.string) + ":" + text(of: $1) }.joined(separator: ",") + "}"
            }
        }
    }

    @Test("of other libraries are taken, and read as they read them")
    func agree() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/ceremonies.json")
        let fixture = Fixture(json: try #require(JSON([UInt8](try Data(contentsOf: file)))))
        let party = RelyingParty(
            id: try fixture["relyingParty"].text, name: "Juliet", origins: [try fixture["origin"].text])
        let ceremonies = try #require(try fixture["ceremonies"].json.elements)
        #expect(ceremonies.count == 16)
        for ceremony in ceremonies.map(Fixture.init) {
            let name = try ceremony["name"].text
            let made = try ceremony["registration"]
            let challenges = try (made["challenge"].bytes, ceremony["authentication"]["challenge"].bytes)
            let registration = try party.registration(RegistrationResponse(json: made["response"].written)) {
                $0 == challenges.0
            }
            #expect(try registration.credentialID == made["credentialID"].bytes, "\(name)")
            #expect(try registration.publicKey.coseKey == made["publicKey"].bytes, "\(name)")
            #expect(try registration.publicKey.algorithm.rawValue == made["algorithm"].number, "\(name)")
            #expect(try Hexadecimal.encode(registration.aaguid) == made["aaguid"].text, "\(name)")
            #expect(try Int(registration.signCount) == made["signCount"].number, "\(name)")
            #expect(try registration.isUserVerified == made["isUserVerified"].flag, "\(name)")
            #expect(try registration.isBackupEligible == made["isBackupEligible"].flag, "\(name)")
            #expect(try registration.isBackedUp == made["isBackedUp"].flag, "\(name)")
            let got = try ceremony["authentication"]
            let assertion = try party.assertion(AuthenticationResponse(json: got["response"].written)) {
                $0 == challenges.1
            }
            #expect(assertion.credentialID == registration.credentialID)
            let verified = try assertion.verify(
                with: CredentialRecord(
                    publicKey: try #require(CredentialPublicKey(coseKey: registration.publicKey.coseKey)),
                    userHandle: ceremony["userHandle"].bytes, signCount: registration.signCount,
                    isBackupEligible: registration.isBackupEligible))
            #expect(try Int(verified.signCount) == got["signCount"].number, "\(name)")
            #expect(try verified.isUserVerified == got["isUserVerified"].flag, "\(name)")
            #expect(try verified.isBackedUp == got["isBackedUp"].flag, "\(name)")
        }
    }
}
