import Testing

@testable import HTTPServer

@Suite("Field lines (RFC 9112 §5)")
struct FieldLineTests {
    private static let start = "GET / HTTP/1.1\r\nHost: a\r\n"

    @Test("names, values and line ends (§5, §5.1, §5.2; RFC 9110 §5.1, §5.5)", arguments: lines)
    func line(_ parserCase: ParserCase) { parserCase.check() }

    static let lines: [ParserCase] = [
        .reads("no blank behind the colon", start + "X:1\r\n\r\n", "GET / @a"),
        .reads("blanks and tabs around a value", start + "X: \t 1 \t \r\n\r\n", "GET / @a"),
        .reads("an empty value", start + "X:\r\n\r\n", "GET / @a"),
        .reads("a value of blanks", start + "X:  \t \r\n\r\n", "GET / @a"),
        .reads(
            "obs-text in a value", bytes: Array((start + "X: ").utf8) + [0xFF, 0x80] + Array("\r\n\r\n".utf8),
            "GET / @a"),
        .reads("a colon in a value", start + "X: a:b\r\n\r\n", "GET / @a"),
        .reads("every tchar in a name", start + "!#$%&'*+-.^_`|~09Az: 1\r\n\r\n", "GET / @a"),
        .reads("the same name twice", start + "X: 1\r\nX: 2\r\n\r\n", "GET / @a"),
        .refuses("a blank before the colon (§5.1)", start + "X : 1\r\n\r\n", .blankBeforeColon),
        .refuses("a tab before the colon (§5.1)", start + "X\t: 1\r\n\r\n", .blankBeforeColon),
        .refuses("a blank in a name", start + "X Y: 1\r\n\r\n", .blankBeforeColon),
        .refuses("no name", start + ": 1\r\n\r\n", .malformedFieldName),
        .refuses("no colon", start + "X\r\n\r\n", .malformedFieldName),
        .refuses("a line of words", start + "hello world\r\n\r\n", .blankBeforeColon),
        .refuses("a folded line (§5.2)", start + "X: 1\r\n 2\r\n\r\n", .foldedLine),
        .refuses("a line folded by a tab (§5.2)", start + "X: 1\r\n\t2\r\n\r\n", .foldedLine),
        .refuses("a blank before the first name (§2.2)", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedLine),
        .refuses("a line of a blank", start + " \r\n\r\n", .foldedLine),
        .refuses("a parenthesis in a name", start + "X(: 1\r\n\r\n", .malformedFieldName),
        .refuses("a slash in a name", start + "X/Y: 1\r\n\r\n", .malformedFieldName),
        .refuses("an at in a name", start + "X@: 1\r\n\r\n", .malformedFieldName),
        .refuses("a quote in a name", start + "\"X\": 1\r\n\r\n", .malformedFieldName),
        .refuses("a bracket in a name", start + "X[]: 1\r\n\r\n", .malformedFieldName),
        .refuses("a NUL in a name", start + "X\0: 1\r\n\r\n", .malformedFieldName),
        .refuses("beyond ASCII in a name", start + "Ä: 1\r\n\r\n", .malformedFieldName),
        .refuses("a vertical tab behind a name", start + "X\u{0B}: 1\r\n\r\n", .malformedFieldName),
        .refuses("a NUL in a value", start + "X: a\0b\r\n\r\n", .malformedFieldValue),
        .refuses("a control character in a value", start + "X: a\u{01}b\r\n\r\n", .malformedFieldValue),
        .refuses("an escape character in a value", start + "X: \u{1B}[0m\r\n\r\n", .malformedFieldValue),
        .refuses("a form feed in a value", start + "X: a\u{0C}\r\n\r\n", .malformedFieldValue),
        .refuses("a vertical tab in a value", start + "X:\u{0B}a\r\n\r\n", .malformedFieldValue),
        .refuses("DEL in a value", start + "X: a\u{7F}\r\n\r\n", .malformedFieldValue),
        .refuses("a bare LF ends a line", start + "X: 1\nY: 2\r\n\r\n", .bareLineEnd),
        .refuses("a bare CR in a value", start + "X: 1\rY: 2\r\n\r\n", .bareLineEnd),
        .refuses("CR CR LF", start + "X: 1\r\r\n\r\n", .bareLineEnd),
        .refuses("a bare CR in a name", start + "X\rY: 1\r\n\r\n", .malformedFieldName),
        .refuses("a LF in a name", start + "X\nY: 1\r\n\r\n", .malformedFieldName),
        .refuses("LF for the empty line", start + "X: 1\r\n\n", .bareLineEnd),
        .refuses("CR for the empty line", start + "X: 1\r\n\rGET", .bareLineEnd),
        .refuses("LF LF", "GET / HTTP/1.1\r\nHost: a\n\n", .bareLineEnd),
        .reads("an unfinished head waits", start + "X: 1\r\n"),
        .reads("no fields in 1.0", "GET / HTTP/1.0\r\n\r\n", "GET / @ 1.0"),
    ]

    @Test("limits: 431 for size and number (RFC 6585 §5)", arguments: limits)
    func limit(_ parserCase: ParserCase) { parserCase.check() }

    static let limits: [ParserCase] = {
        let size = ParserLimits(headSize: 60)
        let count = ParserLimits(fieldCount: 3)
        // "Host: a\r\n" is 9 bytes, the empty line 2, "X: \r\n" 5.
        func fields(_ total: Int) -> String {
            "Host: a\r\nX: " + String(repeating: "x", count: total - 16) + "\r\n\r\n"
        }
        return [
            .reads("60 bytes of 60", "GET / HTTP/1.1\r\n" + fields(60), "GET / @a", limits: size),
            .refuses("61 bytes of 60", "GET / HTTP/1.1\r\n" + fields(61), .headTooLarge, limits: size),
            .refuses(
                "a name alone", "GET / HTTP/1.1\r\n" + String(repeating: "x", count: 99), .headTooLarge, limits: size),
            .refuses(
                "blanks alone", "GET / HTTP/1.1\r\nX:" + String(repeating: " ", count: 99), .headTooLarge, limits: size),
            .refuses(
                "a value alone", "GET / HTTP/1.1\r\nX:" + String(repeating: "x", count: 99), .headTooLarge, limits: size
            ),
            .refuses(
                "nothing behind the limit is looked at",
                "GET / HTTP/1.1\r\nX:" + String(repeating: "x", count: 59) + "\0", .headTooLarge, limits: size),
            .reads("3 fields of 3", start + "X: 1\r\nY: 2\r\n\r\n", "GET / @a", limits: count),
            .refuses("4 fields of 3", start + "X: 1\r\nY: 2\r\nZ: 3\r\n\r\n", .tooManyFields, limits: count),
            .refuses("101 fields", start + String(repeating: "X: 1\r\n", count: 100), .tooManyFields),
            .reads("100 fields", start + String(repeating: "X: 1\r\n", count: 99) + "\r\n", "GET / @a"),
        ]
    }()

    @Test("values are trimmed, names match in any case, lines of one name are joined (RFC 9110 §5.3)")
    func values() throws {
        let text = "GET / HTTP/1.1\r\nhOST:a\r\nX-Y: \t one two \t\r\nx-y:three\r\nEmpty:\r\n\r\n"
        let request = try #require(try Reading.firstRequest(in: text))
        #expect(request.headers["Host"] == "a")
        #expect(request.headers["X-Y"] == "one two, three")
        #expect(request.headers.values(of: "x-Y") == ["one two", "three"])
        #expect(request.headers["empty"] == "")
        #expect(request.headers["absent"] == nil)
        #expect(request.headers.map(\.name) == ["hOST", "X-Y", "x-y", "Empty"])
    }

    @Test("Host: one, a host and at most one port (§3.2, RFC 9110 §7.2)", arguments: hosts)
    func host(_ parserCase: ParserCase) { parserCase.check() }

    static let hosts: [ParserCase] =
        [
            "a", "example.com", "example.com.", "EXAMPLE.com", "127.0.0.1", "127.0.0.1:8080", "a:80", "a:0", "a:65535",
            "a:00080", "a:", "xn--mnchen-3ya.de", "a_b", "a~b", "!$&'()*+,;=", "%41", "[::1]", "[::1]:80", "[::]",
            "[2001:db8::1]", "[1:2:3:4:5:6:7:8]", "[1::]", "[1::8]", "[::ffff:192.0.2.1]", "[1:2:3:4:5:6:1.2.3.4]",
            "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]", "[64:ff9b::192.0.2.33]:443", "999.999.999.999",
        ].map { ParserCase.reads("\($0) is valid", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n", "GET / @\($0)") }
        + [
            "", "a:b", "a:80:81", "a:-1", "a:+80", "a:65536", "a:99999999999999999999", "a: 80", "a :80", ":80", "a b",
            "a,b c", "a/b", "/", "http://a", "a?b", "a#b", "u@a", "u:p@a", "%zz", "%4", "a%", "a\\b", "a\"b", "<a>",
            "a|b",
            "{a}", "a^b", "[::1", "::1", "[::1]]", "[::1]a", "[::1]80", "[]", "[:]", "[:::]", "[1]", "[1:2:3:4:5:6:7]",
            "[1:2:3:4:5:6:7:8:9]", "[1::2::3]", "[12345::]", "[g::]", "[::1%eth0]", "[::1%25eth0]", "[v1.a]", "[:1]",
            "[1:]", "[::1.2.3]", "[::1.2.3.4.5]", "[::1.2.3.256]", "[::01.2.3.4]", "[::1.2.3.4:5]", "[1.2.3.4]",
            "[1:2:3:4:5:6:7:1.2.3.4]", "[1:2:3:4:5:6:7:8::]", "[::1]:", "münchen.de", "[::1]:x", "[::1]:1:2", "a;b:c",
        ].filter { $0 != "[::1]:" }.map {
            ParserCase.refuses("\($0) is not", "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n", .malformedHost)
        } + [
            .reads("blanks around it", "GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n", "GET / @a"),
            .reads("the name in any case", "GET / HTTP/1.1\r\nhoST: a\r\n\r\n", "GET / @a"),
            .reads("an empty port with IPv6", "GET / HTTP/1.1\r\nHost: [::1]:\r\n\r\n", "GET / @[::1]:"),
            .reads("last of all fields", "GET / HTTP/1.1\r\nA: 1\r\nB: 2\r\nHost: a\r\n\r\n", "GET / @a"),
            .refuses("none in 1.1", "GET / HTTP/1.1\r\n\r\n", .missingHost),
            .refuses("two", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .repeatedHost),
            .refuses("two that are equal", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .repeatedHost),
            .refuses("two, the second empty", "GET / HTTP/1.1\r\nHost: a\r\nHost:\r\n\r\n", .repeatedHost),
            .refuses("two, in two cases", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", .repeatedHost),
            .refuses("a list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", .malformedHost),
            .reads("one in 1.0", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET / @a 1.0"),
            .refuses("two in 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", .repeatedHost),
            .refuses("a bad one in 1.0", "GET / HTTP/1.0\r\nHost: a:b\r\n\r\n", .malformedHost),
            .refuses("only something like it", "GET / HTTP/1.1\r\nHos: a\r\nHostt: b\r\n\r\n", .missingHost),
        ]

    @Test("persistence: Connection is a list of case-insensitive options (§9.3)", arguments: connections)
    func connection(_ parserCase: ParserCase) { parserCase.check() }

    static let connections: [ParserCase] =
        [
            ("close", " close"), ("Close", " close"), ("CLOSE", " close"), ("keep-alive", ""),
            ("Keep-Alive, close", " close"),
            ("close, keep-alive", " close"), ("x, y ,\tclose", " close"), (",,close,", " close"), ("closed", ""),
            ("xclose", ""), ("upgrade", ""), ("", ""), (",", ""), ("keep-alive\r\nConnection: close", " close"),
        ].map { value, persistence in
            ParserCase.reads(
                "1.1, \(value.debugDescription)", start + "Connection: \(value)\r\n\r\n", "GET / @a" + persistence)
        }
        + [
            ("close", ""), ("keep-alive", " keep"), ("KEEP-ALIVE", " keep"), ("keep-alive, close", ""), ("x", ""),
            ("", ""),
        ]
        .map { value, persistence in
            ParserCase.reads(
                "1.0, \(value.debugDescription)", "GET / HTTP/1.0\r\nConnection: \(value)\r\n\r\n",
                "GET / @ 1.0" + persistence)
        }

    @Test("Expect: 100-continue in any case, nothing else (RFC 9110 §10.1.1)", arguments: expectations)
    func expectation(_ parserCase: ParserCase) { parserCase.check() }

    static let expectations: [ParserCase] = [
        .reads("100-continue", start + "Expect: 100-continue\r\n\r\n", "GET / @a"),
        .reads("100-Continue", start + "Expect: 100-Continue\r\nContent-Length: 1\r\n\r\nx", "GET / @a =x"),
        .reads("twice", start + "Expect: 100-continue\r\nExpect: 100-continue\r\n\r\n", "GET / @a"),
        .refuses("another", start + "Expect: 200-ok\r\n\r\n", .unknownExpectation),
        .refuses("another in a list", start + "Expect: 100-continue, x\r\n\r\n", .unknownExpectation),
        .refuses("with a parameter", start + "Expect: 100-continue;a=b\r\n\r\n", .unknownExpectation),
        .refuses("quoted", start + "Expect: \"100-continue\"\r\n\r\n", .unknownExpectation),
        .refuses("empty", start + "Expect:\r\n\r\n", .unknownExpectation),
        .reads("in 1.0 it is ignored", "GET / HTTP/1.0\r\nExpect: x\r\n\r\n", "GET / @ 1.0"),
    ]
}
