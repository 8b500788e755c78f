import StrictEncoding
import Testing

@Suite("JSON")
struct JSONTests {
    private func read(_ text: String) -> JSON? { JSON(Array(text.utf8)) }

    @Test("is read whole")
    func values() {
        let text = #" { "a" : [ 1, -2.5e+3, true, false, null, "x" ], "b" : { } , "c":[]} "#
        let expected: JSON = .object([
            "a": .array([.number("1"), .number("-2.5e+3"), .boolean(true), .boolean(false), .null, .string("x")]),
            "b": .object([:]), "c": .array([]),
        ])
        #expect(read(text) == expected)
        #expect(read("5")?.number == 5)
        #expect(read("1e400")?.number == .infinity)
        #expect(read("-1.5")?.number == -1.5)
    }

    @Test(
        "has whole numbers, however they are spelled",
        arguments: [
            ("0", 0), ("-0", 0), ("5", 5), ("5.0", 5), ("-50e-1", -5), ("1e3", 1000), ("5.5", nil), ("1e400", nil),
            ("9007199254740993", 9_007_199_254_740_993), ("9007199254740992.0", 9_007_199_254_740_992),
            ("9007199254740994.0", nil), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("\"5\"", nil), ("true", nil), ("[5]", nil),
        ] as [(String, Int?)])
    func integers(text: String, value: Int?) { #expect(read(text)?.integer == value) }

    @Test("has strings with every escape")
    func strings() {
        #expect(read(#""\"\\\/\b\f\n\r\t\u0041\ud83d\udd11é🔑""#)?.text == ExactText("\"\\/\u{8}\u{C}\n\r\tA🔑é🔑"))
        #expect(read("\"\u{7F}\"")?.text == "\u{7F}")
    }

    @Test("compares names and texts by their bytes")
    func exact() {
        #expect(ExactText("K") != ExactText("\u{212A}"))
        #expect(ExactText("é") != ExactText("e\u{301}"))
        #expect(read("{\"\u{212A}\":1,\"K\":2}")?.members?["K"] == .number("2"))
        #expect(read("{\"é\":1,\"e\u{301}\":2}")?.members?.count == 2)
    }

    @Test(
        "is refused when it is not JSON, or could be read in two ways",
        arguments: [
            "", " ", "x", "tru", "truex", "True", "nul", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "1 2", "NaN",
            "Infinity", "{", "}", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1",
            "{\"a\":1,}",
            "{,}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\":1}}", "{\"a\":1} x", "\"", "\"x", "\"\\\"", "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12G4\"", "\"\\U0041\"", "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\udc00\"",
            "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"\\ud800\\ud800\"", "\u{FEFF}{}", "{}\u{0}", "\u{A0}1",
            "{\"a\":1,\"a\":1}",
            "{\"a\":1,\"\\u0061\":2}", "{\"b\":{\"a\":1,\"a\":2}}", "[{\"a\":1,\"a\":2}]", "/**/1", "1//",
        ])
    func refused(text: String) { #expect(read(text) == nil) }

    @Test("is UTF-8, without long forms and surrogates")
    func utf8() {
        let bad: [[UInt8]] = [
            [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0x80],
            [0xF0, 0x9F, 0x94],
        ]
        for bytes in bad {
            #expect(JSON([0x22] + bytes + [0x22]) == nil)
            #expect(JSON([0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D]) == nil)
        }
    }

    @Test("is nested 32 deep and no deeper")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(read(nested(32)) != nil)
        #expect(read(nested(33)) == nil)
        #expect(read(String(repeating: "[", count: 100_000)) == nil)
        #expect(read(String(repeating: "{\"a\":", count: 33) + "1" + String(repeating: "}", count: 33)) == nil)
    }

    @Test("that is written is read back")
    func written() {
        let text = "\"\\/\u{1}\u{1F}\n é 🔑 \u{2028}"
        #expect(read(JSONText.string(text))?.text == ExactText(text))
        #expect(JSONText.string("a\"\\\n") == #""a\"\\\u000a""#)
        #expect(JSONText.object(["b": "1", "a": JSONText.array(["2", "3"])]) == #"{"b":1,"a":[2,3]}"#)
    }
}
