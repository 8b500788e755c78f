import JulietAPI
import Testing

/// RFC 8259, case by case: each value stands as a parameter we do not know, which is ignored but must be valid JSON.
@Suite("JSON grammar")
struct JSONGrammarTests {
    @Test("valid values are taken", arguments: JSONValues.valid)
    func valid(value: String) throws {
        let body = #"{"requestType":"fetchUserWins","x":\#(value),"userID":"u"}"#
        #expect(try decode(body, at: .userSessionManager) == .fetchUserWins(userID: "u"))
    }

    @Test("invalid values are refused, the request type still told", arguments: JSONValues.invalid)
    func invalid(value: String) {
        let body = #"{"requestType":"fetchUserWins","x":\#(value),"userID":"u"}"#
        let failure = failure(of: body, at: .userSessionManager)
        #expect(failure?.code.status == 400)
        #expect(failure?.type == .fetchUserWins)
    }

    @Test("invalid values before the request type are refused, its type still told", arguments: JSONValues.invalid)
    func invalidFirst(value: String) {
        let body = #"{"x":\#(value),"userID":"u","requestType":"fetchUserWins"}"#
        let failure = failure(of: body, at: .userSessionManager)
        #expect(failure?.code.status == 400)
        #expect(failure?.type == .fetchUserWins)
    }

    @Test("bytes that are not UTF-8 are refused in values and names", arguments: JSONValues.invalidUTF8)
    func invalidUTF8(sequence: [UInt8]) {
        let value = Array(#"{"requestType":"fetchUserWins","x":"a"#.utf8) + sequence + Array(#"b","userID":"u"}"#.utf8)
        let name = Array(#"{"requestType":"fetchUserWins","x"#.utf8) + sequence + Array(#"":1,"userID":"u"}"#.utf8)
        let bare = Array(#"{"requestType":"fetchUserWins","userID":"u""#.utf8) + sequence + Array("}".utf8)
        for body in [value, name, bare] {
            let failure = failure(of: body, at: .userSessionManager)
            #expect(failure?.code == .jsonMalformed)
            #expect(failure?.type == .fetchUserWins)
        }
    }

    @Test(
        "the outermost value must be an object, alone",
        arguments: [
            ("", "request.json.malformed", "The body is not valid JSON: it is empty, at byte 0."),
            (" \t\r\n", "request.json.malformed", "The body is not valid JSON: it is empty, at byte 4."),
            (
                "\u{FEFF}{}", "request.json.malformed",
                "The body is not valid JSON: it starts with a byte order mark, at byte 0."
            ),
            ("{", "request.json.malformed", "The body is not valid JSON: it ends too early, at byte 1."),
            ("{}}", "request.json.malformed", "The body is not valid JSON: something follows the value, at byte 2."),
            ("{}{}", "request.json.malformed", "The body is not valid JSON: something follows the value, at byte 2."),
            ("{} x", "request.json.malformed", "The body is not valid JSON: something follows the value, at byte 3."),
            (
                "{}\u{0}", "request.json.malformed",
                "The body is not valid JSON: something follows the value, at byte 2."
            ),
            ("{},", "request.json.malformed", "The body is not valid JSON: something follows the value, at byte 2."),
            ("{}/**/", "request.json.malformed", "The body is not valid JSON: something follows the value, at byte 2."),
            ("{}#", "request.json.malformed", "The body is not valid JSON: something follows the value, at byte 2."),
            ("}", "request.json.malformed", "The body is not valid JSON: unexpected character, at byte 0."),
            ("]", "request.json.malformed", "The body is not valid JSON: unexpected character, at byte 0."),
            ("\u{A0}{}", "request.json.malformed", "The body is not valid JSON: unexpected character, at byte 0."),
            ("\u{0B}{}", "request.json.malformed", "The body is not valid JSON: unexpected character, at byte 0."),
            ("\u{2060}{}", "request.json.malformed", "The body is not valid JSON: unexpected character, at byte 0."),
            ("{1:1}", "request.json.malformed", "The body is not valid JSON: unexpected character, at byte 1."),
            ("{,}", "request.json.malformed", "The body is not valid JSON: unexpected character, at byte 1."),
            ("[", "request.json.malformed", "The body is not valid JSON: it ends too early, at byte 1."),
            ("[1,", "request.json.malformed", "The body is not valid JSON: it ends too early, at byte 3."),
            (
                "requestType=fetchUserWins", "request.json.malformed",
                "The body is not valid JSON: unexpected character, at byte 0."
            ),
            ("\"\\x\"", "request.json.malformed", "The body is not valid JSON: unknown escape in a string, at byte 1."),
            (
                "\"\n\"", "request.json.malformed",
                "The body is not valid JSON: control character in a string, at byte 1."
            ),
            ("\"\\u0000\"", "request.json.malformed", "The body is not valid JSON: U+0000 in a string, at byte 1."),
            (
                "\"\\ud800\"", "request.json.malformed",
                "The body is not valid JSON: half of a surrogate pair in a string, at byte 1."
            ),
            ("[]", "request.json.notAnObject", "The body is JSON, but not an object."),
            ("[{}]", "request.json.notAnObject", "The body is JSON, but not an object."),
            ("\"{}\"", "request.json.notAnObject", "The body is JSON, but not an object."),
            (" 5 ", "request.json.notAnObject", "The body is JSON, but not an object."),
            ("null", "request.json.notAnObject", "The body is JSON, but not an object."),
            ("true", "request.json.notAnObject", "The body is JSON, but not an object."),
            ("{}", "request.type.missing", "The body has no \"requestType\"."),
            (" {} ", "request.type.missing", "The body has no \"requestType\"."),
            ("\r\n\t {\r\n\t }\r\n\t ", "request.type.missing", "The body has no \"requestType\"."),
            ("{\"\":0}", "request.type.missing", "The body has no \"requestType\"."),
            ("{\"a\":1,\"a\":1}", "request.json.duplicateName", "An object of the body holds the same name twice."),
        ])
    func outermost(body: String, code: String, message: String) {
        let failure = failure(of: body, at: .userSessionManager)
        #expect(failure?.code.rawValue == code)
        #expect(failure?.message == message)
        #expect(failure?.type == nil)
    }

    @Test("UTF-16 and UTF-32 are not UTF-8")
    func otherEncodings() {
        let body = #"{"requestType":"fetchUserWins","userID":"u"}"#
        let utf16LittleEndian = body.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let utf16BigEndian = body.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let utf32 = body.unicodeScalars.flatMap { [UInt8($0.value & 0xFF), 0, 0, 0] }
        for bytes in [utf16LittleEndian, utf16BigEndian, [0xFF, 0xFE] + utf16LittleEndian, utf32] {
            #expect(failure(of: bytes, at: .userSessionManager)?.code == .jsonMalformed)
        }
    }

    @Test("32 levels are taken, one more is refused", arguments: [("[", "]"), ("{\"a\":", "}")])
    func depth(opening: String, closing: String) {
        func body(levels: Int) -> String {
            let inner = String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)
            return #"{"requestType":"fetchUserWins","userID":"u","x":\#(inner)}"#
        }
        #expect(failure(of: body(levels: 31), at: .userSessionManager) == nil)
        #expect(failure(of: body(levels: 32), at: .userSessionManager)?.code == .jsonTooDeep)
        #expect(failure(of: body(levels: 100_000), at: .userSessionManager)?.code == .jsonTooDeep)
        #expect(failure(of: body(levels: 32), at: .userSessionManager)?.type == .fetchUserWins)
    }

    @Test("many arrays side by side are not deep")
    func width() {
        let inner = String(repeating: "[[{}]],", count: 1_000) + "0"
        #expect(
            failure(of: #"{"requestType":"fetchUserWins","userID":"u","x":[\#(inner)]}"#, at: .userSessionManager)
                == nil)
    }

    @Test(
        "a name twice in one object is refused, wherever and however it is spelled",
        arguments: [
            #""userID":"v""#, #""user\u0049D":"u""#, #""\u0075\u0073\u0065\u0072\u0049\u0044":null"#,
            #""requestType":"fetchUserWins""#, #""requestType":"updateUserWins""#, #""requestT\u0079pe":1"#,
            #""x":1,"x":1"#, #""x":1,"\u0078":2"#, #""é":1,"\u00e9":1"#, #""x":{"a":1,"a":2}"#,
            #""x":[{"a":{"b":1,"\u0062":2}}]"#, #""":1,"":2"#, #""vendorID":"a","vendorID":"b""#, #""\/":1,"/":2"#,
        ])
    func duplicateNames(members: String) {
        let failure = failure(
            of: #"{"requestType":"fetchUserWins","userID":"u",\#(members)}"#, at: .userSessionManager)
        #expect(failure?.code == .jsonDuplicateName)
        #expect(failure?.type == .fetchUserWins)
    }

    @Test(
        "names that differ in a byte are different names",
        arguments: [
            #""userid":"v""#, #""userID ":"v""#, #""x":1,"X":1"#, #""x":{"a":1},"y":{"a":1}"#,
            #""é":1,"e\u0301":1"#, #""vendorID":5"#,
        ])
    func differentNames(members: String) {
        #expect(
            failure(of: #"{"requestType":"fetchUserWins","userID":"u",\#(members)}"#, at: .userSessionManager) == nil)
    }

    @Test("ten thousand unknown names cost no more than their length")
    func manyNames() {
        let members = (0..<10_000).map { #""n\#($0)":\#($0)"# }.joined(separator: ",")
        #expect(
            failure(of: #"{"requestType":"fetchUserWins","userID":"u",\#(members)}"#, at: .userSessionManager) == nil)
    }

    @Test("every prefix of a request is refused as broken JSON")
    func prefixes() {
        let body = Array(
            #" {"requestType" : "handleEnergyPurchase" , "userID":"\u00fcé","x":[1.5e3,{"y":null}] } "#.utf8)
        for length in 0..<body.count - 2 {
            #expect(failure(of: Array(body[..<length]), at: .iapManager)?.code == .jsonMalformed, "\(length) bytes")
        }
    }
}
