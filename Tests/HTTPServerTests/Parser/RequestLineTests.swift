import Testing

@testable import HTTPServer

@Suite("Request line (RFC 9112 §3)")
struct RequestLineTests {
    private static let end = " HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("methods: a token, case-sensitive, one blank (§3.1)", arguments: methods)
    func method(_ parserCase: ParserCase) { parserCase.check() }

    static let methods: [ParserCase] = [
        .reads("GET", "GET /" + end, "GET / @a"),
        .reads("lower case is another method (RFC 9110 §9.1)", "get /" + end, "get / @a"),
        .reads("every tchar (RFC 9110 §5.6.2)", "!#$%&'*+-.^_`|~09AZaz /" + end, "!#$%&'*+-.^_`|~09AZaz / @a"),
        .refuses("none", " / HTTP/1.1\r\n\r\n", .malformedMethod),
        .refuses("only a line", "GET\r\n\r\n", .malformedMethod),
        .refuses("a tab behind it", "GET\t/" + end, .malformedMethod),
        .refuses("a colon in it", "GE:T /" + end, .malformedMethod),
        .refuses("a slash in it", "GET/ HTTP/1.1\r\n\r\n", .malformedMethod),
        .refuses("quotes", "\"GET\" /" + end, .malformedMethod),
        .refuses("parentheses", "GET() /" + end, .malformedMethod),
        .refuses("beyond ASCII", "GÉT /" + end, .malformedMethod),
        .refuses("a NUL in it", "GE\0T /" + end, .malformedMethod),
        .refuses("a tab before it", "\tGET /" + end, .malformedMethod),
        .refuses("a blank before it", " GET /" + end, .malformedMethod),
        .refuses("too long to exist: 501 (§3)", String(repeating: "A", count: 65) + " /" + end, .methodTooLong),
        .reads(
            "as long as can be", String(repeating: "A", count: 64) + " /" + end,
            String(repeating: "A", count: 64) + " / @a"),
        .refuses("TLS by mistake", bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01], .malformedMethod),
    ]

    @Test("versions: eight characters, 1.1 or 1.0 (§2.3)", arguments: versions)
    func version(_ parserCase: ParserCase) { parserCase.check() }

    static let versions: [ParserCase] = [
        .reads("1.1", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / @a"),
        .reads("1.0 needs no Host", "GET / HTTP/1.0\r\n\r\n", "GET / @ 1.0"),
        .reads("1.2 is served as 1.1 (RFC 9110 §2.5)", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET / @a"),
        .reads("1.9 is served as 1.1", "GET / HTTP/1.9\r\nHost: a\r\n\r\n", "GET / @a"),
        .refuses("1.2 needs a Host, as 1.1 does", "GET / HTTP/1.2\r\n\r\n", .missingHost),
        .refuses("2.0: 505", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", .unsupportedVersion),
        .refuses("3.0: 505", "GET / HTTP/3.0\r\nHost: a\r\n\r\n", .unsupportedVersion),
        .refuses("0.9 with a number: 505", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", .unsupportedVersion),
        .refuses("9.9: 505", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", .unsupportedVersion),
        .refuses("the preface of HTTP/2 (RFC 9113 §3.4)", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
        .refuses("0.9 without", "GET /\r\n", .malformedTarget),
        .refuses("none behind a blank", "GET / \r\n\r\n", .malformedVersion),
        .refuses("lower case", "GET / http/1.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("mixed case", "GET / HTTp/1.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("no minor", "GET / HTTP/1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("no dot", "GET / HTTP/11\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("empty minor", "GET / HTTP/1.\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("empty major", "GET / HTTP/.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("two digits minor", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("leading zero", "GET / HTTP/01.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("minor leading zero", "GET / HTTP/1.01\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a comma", "GET / HTTP/1,1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a sign", "GET / HTTP/+1.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a letter", "GET / HTTP/1.x\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a blank inside", "GET / HTTP/ 1.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a blank behind", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a tab behind", "GET / HTTP/1.1\t\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a word behind", "GET / HTTP/1.1 x\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("another protocol", "GET / ICE/1.0\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("HTTPS/1.1", "GET / HTTPS/1.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("NUL inside", "GET / HTTP/1\0.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("two blanks before", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", .malformedVersion),
    ]

    @Test("line ends: CR LF and nothing else (§2.2)", arguments: lineEnds)
    func lineEnd(_ parserCase: ParserCase) { parserCase.check() }

    static let lineEnds: [ParserCase] = [
        .refuses("a bare LF ends the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("a bare CR ends the request line", "GET / HTTP/1.1\rHost: a\r\n\r\n", .bareLineEnd),
        .refuses("CR CR LF", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", .bareLineEnd),
        .refuses("a CR in the target", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        .refuses("a LF in the target", "GET /\n HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
        .refuses("a LF in the method", "GE\nT / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedMethod),
        .reads("an empty line before is skipped", "\r\nGET /" + end, "GET / @a"),
        .reads("four are", "\r\n\r\n\r\n\r\nGET /" + end, "GET / @a"),
        .reads(
            "four before each request", "\r\n\r\n\r\n\r\nGET /" + end + "\r\n\r\n\r\n\r\nGET /b" + end, "GET / @a",
            "GET /b @a"),
        .reads("one before each request", "\r\nGET /" + end + "\r\nGET /b" + end, "GET / @a", "GET /b @a"),
        .refuses("five are too many", "\r\n\r\n\r\n\r\n\r\nGET /" + end, .malformedMethod),
        .refuses(
            "five behind a request", "GET /" + end + "\r\n\r\n\r\n\r\n\r\nGET /b" + end, .malformedMethod,
            after: "GET / @a"),
        .refuses("an empty line, then a bare LF", "\r\n\nGET /" + end, .bareLineEnd),
        .refuses("an empty line, then a bare CR", "\r\n\rGET /" + end, .bareLineEnd),
        .refuses("a CR more", "\r\r\nGET /" + end, .bareLineEnd),
        .refuses("a bare LF before", "\nGET /" + end, .bareLineEnd),
        .refuses("a bare CR before", "\rGET /" + end, .bareLineEnd),
        .refuses("a blank line with a blank", " \r\nGET /" + end, .malformedMethod),
    ]

    @Test("targets: four forms, told by the method (§3.2)", arguments: targets)
    func target(_ parserCase: ParserCase) { parserCase.check() }

    private static let behindTLS = ParserLimits(acceptsHTTPS: true)

    static let targets: [ParserCase] = [
        // origin-form, §3.2.1
        .reads("origin-form", "GET /a/b" + end, "GET /a/b @a"),
        .reads("with a query", "GET /a?b=c" + end, "GET /a?b=c @a"),
        .reads("with an empty query", "GET /a?" + end, "GET /a? @a"),
        .reads("a query may hold ? and /", "GET /a?b?c/d" + end, "GET /a?b?c/d @a"),
        .reads("every pchar", "GET /-._~!$&'()*+,;=:@%41" + end, "GET /-._~!$&'()*+,;=:@%41 @a"),
        .reads("empty segments", "GET //a//" + end, "GET //a// @a"),
        .reads("dot segments stand as they are", "GET /../a/./b" + end, "GET /../a/./b @a"),
        .reads("escapes stand as they are", "GET /%2e%2E/%00" + end, "GET /%2e%2E/%00 @a"),
        .reads("POST", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST /x @a"),
        .refuses("no slash", "GET a" + end, .malformedTarget),
        .refuses("a query alone", "GET ?a=b" + end, .malformedTarget),
        .refuses("a fragment (RFC 9110 §4.2)", "GET /a#b" + end, .malformedTarget),
        .refuses("a blank inside", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", .malformedVersion),
        .refuses("two blanks before", "GET  /" + end, .malformedTarget),
        .refuses("a tab inside", "GET /a\tb" + end, .malformedTarget),
        .refuses("a NUL", "GET /a\0b" + end, .malformedTarget),
        .refuses("DEL", "GET /a\u{7F}b" + end, .malformedTarget),
        .refuses("beyond ASCII", "GET /ä" + end, .malformedTarget),
        .refuses("Latin-1", bytes: Array("GET /".utf8) + [0xE4] + Array(end.utf8), .malformedTarget),
        .refuses("half an escape", "GET /%4" + end, .malformedTarget),
        .refuses("an escape cut off", "GET /%" + end, .malformedTarget),
        .refuses("an escape of no hex", "GET /%zz" + end, .malformedTarget),
        .refuses("an escape of half a hex", "GET /%4g" + end, .malformedTarget),
        .refuses("%%", "GET /%%20" + end, .malformedTarget),
        .refuses("a bad escape in the query", "GET /?%zz" + end, .malformedTarget),
        .refuses("%u escapes", "GET /%u0041" + end, .malformedTarget),
        .refuses("a quote", "GET /a\"b" + end, .malformedTarget),
        .refuses("angle brackets", "GET /<a>" + end, .malformedTarget),
        .refuses("a backslash", "GET /a\\b" + end, .malformedTarget),
        .refuses("a caret", "GET /a^b" + end, .malformedTarget),
        .refuses("a backtick", "GET /a`b" + end, .malformedTarget),
        .refuses("braces", "GET /{a}" + end, .malformedTarget),
        .refuses("a bar", "GET /a|b" + end, .malformedTarget),
        .refuses("brackets in a path", "GET /[a]" + end, .malformedTarget),
        .refuses("brackets in a query", "GET /?a[]=b" + end, .malformedTarget),
        // absolute-form, §3.2.2
        .reads("absolute-form", "GET http://b/c?d" + end, "GET /c?d @b"),
        .reads("its authority overrides Host", "GET http://b:81/" + end, "GET / @b:81"),
        .reads("https behind a proxy that ended TLS", "GET https://b/c" + end, "GET /c @b", limits: behindTLS),
        .refuses("https on a connection in the clear: 421 (RFC 9110 §7.4)", "GET https://b/" + end, .misdirected),
        .refuses("https in any case", "GET HttpS://b/" + end, .misdirected),
        .refuses("https with user information", "GET https://u@b/" + end, .userInformation),
        .refuses("https, malformed", "GET https://b/[c]" + end, .malformedTarget, limits: behindTLS),
        .reads("the scheme in any case (RFC 3986 §3.1)", "GET HTTP://b/" + end, "GET / @b"),
        .reads("without a path (RFC 9110 §4.2.3)", "GET http://b" + end, "GET / @b"),
        .reads("a query without a path", "GET http://b?c" + end, "GET /?c @b"),
        .reads("an IPv6 host", "GET http://[::1]:80/a" + end, "GET /a @[::1]:80"),
        .refuses("without a host (RFC 9110 §4.2.1)", "GET http:///a" + end, .malformedTarget),
        .refuses("with a port alone", "GET http://:80/a" + end, .malformedTarget),
        .refuses("user information (RFC 9110 §4.2.4)", "GET http://u@b/" + end, .userInformation),
        .refuses("user and password", "GET http://u:p@b/" + end, .userInformation),
        .reads("an @ in the path is a pchar", "GET http://b/@c" + end, "GET /@c @b"),
        .refuses("another scheme", "GET ftp://b/" + end, .malformedTarget),
        .refuses("a scheme without slashes", "GET http:b/" + end, .malformedTarget),
        .refuses("a scheme with one slash", "GET http:/b/" + end, .malformedTarget),
        .refuses("nothing behind the scheme", "GET http://" + end, .malformedTarget),
        .refuses("a bad port", "GET http://b:x/" + end, .malformedTarget),
        .refuses("two ports", "GET http://b:1:2/" + end, .malformedTarget),
        .refuses("a port too large", "GET http://b:65536/" + end, .malformedTarget),
        .refuses("an open bracket", "GET http://[::1/" + end, .malformedTarget),
        .refuses("a fragment", "GET http://b/#c" + end, .malformedTarget),
        .refuses("brackets in the path", "GET http://b/[c]" + end, .malformedTarget),
        .refuses("Host is needed nevertheless (§3.2)", "GET http://b/ HTTP/1.1\r\n\r\n", .missingHost),
        .refuses("Host is checked nevertheless", "GET http://b/ HTTP/1.1\r\nHost: a:b\r\n\r\n", .malformedHost),
        // authority-form, §3.2.3
        .reads("authority-form", "CONNECT b:443" + end, "CONNECT  @b:443"),
        .reads("authority-form, IPv6", "CONNECT [::1]:443" + end, "CONNECT  @[::1]:443"),
        .refuses("CONNECT without a port", "CONNECT b" + end, .malformedTarget),
        .refuses("CONNECT with an empty port", "CONNECT b:" + end, .malformedTarget),
        .refuses("CONNECT without a host", "CONNECT :443" + end, .malformedTarget),
        .refuses("CONNECT to a path", "CONNECT /a" + end, .malformedTarget),
        .refuses("CONNECT to a URL", "CONNECT http://b:443/" + end, .malformedTarget),
        .refuses("CONNECT with user information", "CONNECT u@b:443" + end, .malformedTarget),
        .refuses("CONNECT *", "CONNECT *" + end, .malformedTarget),
        .refuses("authority-form for GET", "GET b:443" + end, .malformedTarget),
        // asterisk-form, §3.2.4
        .reads("asterisk-form", "OPTIONS *" + end, "OPTIONS * @a"),
        .reads("OPTIONS of a path", "OPTIONS /a" + end, "OPTIONS /a @a"),
        .reads("OPTIONS of a host is that of *", "OPTIONS http://b" + end, "OPTIONS * @b"),
        .refuses("GET *", "GET *" + end, .malformedTarget),
        .refuses("two asterisks", "OPTIONS **" + end, .malformedTarget),
        .refuses("an asterisk with a query", "OPTIONS *?a" + end, .malformedTarget),
    ]

    @Test("limits: 414 behind the last byte allowed (§3)", arguments: lengths)
    func length(_ parserCase: ParserCase) { parserCase.check() }

    static let lengths: [ParserCase] = {
        let limits = ParserLimits(requestLineSize: 64)
        func line(_ count: Int) -> String {
            "GET /" + String(repeating: "a", count: count - 14) + " HTTP/1.1"
        }
        return [
            .reads(
                "64 of 64", line(64) + "\r\nHost: a\r\n\r\n", "GET /" + String(repeating: "a", count: 50) + " @a",
                limits: limits),
            .refuses("65 of 64", line(65) + "\r\nHost: a\r\n\r\n", .requestLineTooLong, limits: limits),
            .refuses(
                "the target alone", "GET /" + String(repeating: "a", count: 200), .requestLineTooLong, limits: limits),
            .refuses(
                "nothing behind the limit is looked at", "GET /" + String(repeating: "a", count: 60) + "\0",
                .requestLineTooLong, limits: limits),
            .reads(
                "an empty line before does not count", "\r\n" + line(64) + "\r\nHost: a\r\n\r\n",
                "GET /" + String(repeating: "a", count: 50) + " @a", limits: limits),
            .reads(
                "8000 fit by default", line(8000) + "\r\nHost: a\r\n\r\n",
                "GET /" + String(repeating: "a", count: 7986) + " @a"),
            .refuses("8193 do not", line(8193) + "\r\nHost: a\r\n\r\n", .requestLineTooLong),
        ]
    }()
}
