import Foundation
import JulietAPI
import Testing

@Suite("/v2: access tokens")
struct V2AccessTokenTests {
    @Test("a token is its prefix and 43 characters of base64url, as Foundation writes it")
    func text() throws {
        for _ in 0..<1000 {
            let player = (high: UInt64.random(in: .min ... .max), low: UInt64.random(in: .min ... .max))
            let token = V2.AccessToken.random(of: player)
            #expect(token.player == player)
            #expect(V2.AccessToken(token.text)?.player ?? (0, 0) == player)
            let expected = Data(token.bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(token.text == "jt_" + expected)
            #expect(token.text.utf8.count == 46)
            #expect(V2.AccessToken(token.text) == token)
            #expect(V2.AccessToken(bytes: token.bytes) == token)
        }
        #expect(
            V2.AccessToken(bytes: [UInt8](repeating: 0, count: 32))?.text == "jt_" + String(repeating: "A", count: 43))
        #expect(
            V2.AccessToken(bytes: [UInt8](repeating: 255, count: 32))?.text
                == "jt_" + String(repeating: "_", count: 42) + "8")
    }

    @Test("each token has one spelling: of 64 last characters the 16 with no bits left over are read")
    func canonical() {
        let head = "jt_" + String(repeating: "A", count: 42)
        let characters = (UInt8.min...UInt8.max).map { String(Unicode.Scalar($0)) }
        #expect(characters.filter { V2.AccessToken(head + $0) != nil }.joined() == "048AEIMQUYcgkosw")
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "jt_", String(repeating: "A", count: 46), "jt_" + String(repeating: "A", count: 42),
            "jt_" + String(repeating: "A", count: 44), "JT_" + String(repeating: "A", count: 43),
            "jt-" + String(repeating: "A", count: 43), "jt_" + String(repeating: "A", count: 42) + "=",
            "jt_+" + String(repeating: "A", count: 42), "jt_/" + String(repeating: "A", count: 42),
            " jt_" + String(repeating: "A", count: 43), "jt_" + String(repeating: "A", count: 41) + "é",
            "jt_\u{301}" + String(repeating: "A", count: 41), "jt_" + String(repeating: "\u{0}", count: 43),
        ])
    func refused(text: String) {
        #expect(V2.AccessToken(text) == nil)
    }

    @Test("only 32 bytes are a token", arguments: [0, 31, 33])
    func bytes(count: Int) {
        #expect(V2.AccessToken(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    private static let token = "jt_" + String(repeating: "Q", count: 42) + "A"

    @Test(
        "it is read from Authorization, the scheme in any letter case",
        arguments: ["Bearer \(token)", "bearer \(token)", "BEARER \(token)", "bEaReR   \(token)"])
    func authorization(fieldValue: String) {
        #expect(V2.AccessToken(authorization: fieldValue)?.text == Self.token)
    }

    @Test(
        "another scheme, or more than a token, is none",
        arguments: [
            "", "Bearer", "Bearer ", token, "Basic \(token)", "Bearer\(token)", "Bearer\t\(token)", "Bearer: \(token)",
            "Bearer \(token) x", "Bearer \(token),", "Bearer \"\(token)\"", "Bearer token=\(token)",
            "Bearer Bearer \(token)", "Béarer \(token)", "Bearer \(token)=",
        ])
    func noAuthorization(fieldValue: String) {
        #expect(V2.AccessToken(authorization: fieldValue) == nil)
    }

    @Test("it does not show when it is printed")
    func printed() throws {
        let token = try #require(V2.AccessToken(Self.token))
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), "\([token])", "\(Optional(token) as Any)", dumped] {
            #expect(!text.contains("QQ"))
            #expect(!text.contains("4, 16"))
        }
    }
}
