import CredentialTesting
import Crypto
import Foundation
import StrictEncoding
import Testing
import WebAuthn

@Suite("Documentation")
struct DocumentationTests {
    @Test("the example of the first page is this one")
    func example() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: here.appending(path: "../../../Sources/WebAuthn/WebAuthn.docc/WebAuthn.md"), encoding: .utf8)
        let source = try String(contentsOf: here.appending(path: "FirstPage.swift"), encoding: .utf8)
        let code = try #require(source.firstMatch(of: #/    // begin\n((?s).*)    // end/#)).1
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }
        #expect(page.contains("import WebAuthn\n\n" + lines.joined(separator: "\n") + "```"))
    }

    @Test("its registration is one, and its assertion another's")
    func runs() throws {
        let signer = try ChallengeSigner(key: Array(repeating: 1, count: 32))
        let now = Duration.seconds(1_800_000_000)
        let authenticator = SoftwareAuthenticator(.es256())
        let player = SoftwareAuthenticator.userHandle
        let made = authenticator.registration {
            $0.client.challenge = signer.challenge(for: .registration(of: player), now: now).bytes
        }
        var got = authenticator.assertion()
        got.client.challenge = signer.challenge(for: .authentication, now: now).bytes
        let name = Base64URL.encode(authenticator.credentialID)
        func json(_ response: String) -> [UInt8] {
            Array(#"{"id":"\#(name)","rawId":"\#(name)","type":"public-key","response":{\#(response)}}"#.utf8)
        }
        let registration = json(
            #""clientDataJSON":"\#(Base64URL.encode(made.client.json))","#
                + #""attestationObject":"\#(Base64URL.encode(made.attestation))""#)
        let signature = try Base64URL.encode(
            authenticator.key.sign(got.said.bytes + Array(SHA256.hash(data: got.client.json))))
        let authentication = json(
            #""clientDataJSON":"\#(Base64URL.encode(got.client.json))","#
                + #""authenticatorData":"\#(Base64URL.encode(got.said.bytes))","signature":"\#(signature)","#
                + #""userHandle":"\#(Base64URL.encode(player))""#)
        let record = try firstPage(
            signer: signer, player: player, now: now, registrationJSON: registration, authenticationJSON: authentication
        )
        #expect(record.publicKey.coseKey == authenticator.key.cose)
        #expect(throws: WebAuthnRefusal.self) {
            try firstPage(
                signer: signer, player: [1], now: now, registrationJSON: registration,
                authenticationJSON: authentication)
        }
    }
}
