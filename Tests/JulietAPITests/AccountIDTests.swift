import JulietAPI
import Testing

@Suite("Account ids")
struct AccountIDTests {
    @Test(
        "1 to 128 printable characters are taken as they are",
        arguments: [
            "6A1F0C1E-4B52-4C8E-9A55-0E2D7C0B1231", "a", "0", "-", "~!@#$%^&*()_+{}|:<>?`=[];',./", "\"quoted\"",
            "back\\slash",
            "a b", " a", "a ", "é", "e\u{301}", "ß", "Ünïcödé", "日本語", "Ω", "🎉", "𝄞", "א", "ع", "\u{A0}a", "\u{3000}a",
            "½", "€",
            String(repeating: "x", count: 128), String(repeating: "é", count: 128), String(repeating: "🎉", count: 128),
            String(repeating: "e\u{301}", count: 64), "null", "'; DROP TABLE users; --", "%00", "\\u0000", "<b>",
            "\u{AC00}",
        ])
    func accepted(id: String) throws {
        #expect(try decodedIDs(id) == [id, id])
    }

    @Test(
        "ids that are empty, too long, blank or not printable are refused",
        arguments: [
            "", " ", "   ", "\u{A0}", "\u{3000} \u{2003}", "\n", "a\n", "\ta", "a\u{7F}", "a\u{1}", "\u{1F}", "a\u{80}",
            "a\u{9F}", "a\u{85}",
            "a\u{AD}", "a\u{200B}", "a\u{200D}b", "a\u{202E}b", "a\u{2028}", "a\u{2029}", "\u{FEFF}a", "a\u{2060}",
            "a\u{E000}", "a\u{F8FF}",
            "a\u{FFFF}", "a\u{FFFE}", "a\u{1FFFE}", "a\u{10FFFF}", "a\u{E0001}", "a\u{378}",
            String(repeating: "x", count: 129), String(repeating: "é", count: 129), String(repeating: "🎉", count: 129),
            String(repeating: "e\u{301}", count: 65), String(repeating: "x", count: 100_000),
        ])
    func refused(id: String) {
        let escaped = escape(id)
        #expect(
            failure(of: #"{"requestType":"fetchUserWins","userID":"\#(escaped)"}"#, at: .userSessionManager)
                == RequestFailure(
                    .parameterInvalid, type: .fetchUserWins,
                    message: #""userID" of fetchUserWins must be a string of 1 to 128 printable characters."#))
        #expect(
            failure(of: #"{"requestType":"initialRegistration","vendorID":"\#(escaped)"}"#, at: .authenticateUser)
                == RequestFailure(
                    .parameterInvalid, type: .initialRegistration,
                    message: #""vendorID" of initialRegistration must be a string of 1 to 128 printable characters."#))
    }

    @Test(
        "ids of another type are refused",
        arguments: ["5", "null", "true", "[]", "[\"u\"]", "{}", "{\"id\":\"u\"}", "1e5"])
    func otherTypes(value: String) {
        let body = #"{"requestType":"fetchUserWins","userID":\#(value)}"#
        #expect(failure(of: body, at: .userSessionManager)?.code == .parameterInvalid)
    }

    @Test("escapes and raw characters spell the same id")
    func escapes() throws {
        let body = #"{"requestType":"fetchUserWins","userID":"\u00e9\uD83C\uDF89\/\"\\\u0041"}"#
        #expect(try decode(body, at: .userSessionManager).userID == "é🎉/\"\\A")
    }

    @Test("ids are not normalised: equal looks, different bytes")
    func normalisation() throws {
        let composed = try decode(#"{"requestType":"fetchUserWins","userID":"é"}"#, at: .userSessionManager).userID
        let decomposed = try decode(#"{"requestType":"fetchUserWins","userID":"e\u0301"}"#, at: .userSessionManager)
            .userID
        #expect(Array(composed.utf8) == [0xC3, 0xA9])
        #expect(Array(decomposed.utf8) == [0x65, 0xCC, 0x81])
    }

    /// The id read back from a body that spells it raw and from one that escapes every character.
    private func decodedIDs(_ id: String) throws -> [String] {
        let raw = id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return try [raw, escape(id)].map { spelling in
            let body = #"{"requestType":"fetchUserWins","userID":"\#(spelling)"}"#
            return try decode(body, at: .userSessionManager).userID
        }
    }

    private func escape(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
