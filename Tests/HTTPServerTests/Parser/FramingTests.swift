import Testing

@testable import HTTPServer

@Suite("Message body length (RFC 9112 §6)")
struct FramingTests {
    private static let start = "POST / HTTP/1.1\r\nHost: a\r\n"
    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("Content-Length: digits, once (§6.3, RFC 9110 §8.6)", arguments: lengths)
    func contentLength(_ parserCase: ParserCase) { parserCase.check() }

    static let lengths: [ParserCase] =
        [
            "", " ", "+5", "-5", "-0", "5 5", "5,5", "5, 5", "5,6", "0x5", "5.0", "5e0", "five", "5;", "\"5\"", "5_0",
            "٥",
            "9223372036854775808", "18446744073709551616", "18446744073709551621", "99999999999999999999999999",
            "5\u{A0}",
            "1 ,", ",5", "5,",
        ].map {
            ParserCase.refuses(
                "\($0.debugDescription) is no length", start + "Content-Length: \($0)\r\n\r\nhello" + next,
                .malformedContentLength)
        } + [
            .reads(
                "a body and the next request", start + "Content-Length: 5\r\n\r\nhello" + next, "POST / @a =hello",
                "GET /next @a"),
            .reads("zero", start + "Content-Length: 0\r\n\r\n" + next, "POST / @a", "GET /next @a"),
            .reads("leading zeros", start + "Content-Length: 005\r\n\r\nhello", "POST / @a =hello"),
            .reads("no blank behind the colon", start + "Content-Length:5\r\n\r\nhello", "POST / @a =hello"),
            .reads("blanks around", start + "Content-Length: \t5 \r\n\r\nhello", "POST / @a =hello"),
            .reads("in any case", start + "CONTENT-LENGTH: 5\r\n\r\nhello", "POST / @a =hello"),
            .reads(
                "GET with a body", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx" + next, "GET / @a =x",
                "GET /next @a"),
            .reads("none: no body (§6.3 item 7)", start + "\r\n" + next, "POST / @a", "GET /next @a"),
            .reads("in 1.0", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab", "POST / @ 1.0 =ab"),
            .reads(
                "a body that looks like a request", start + "Content-Length: \(next.utf8.count)\r\n\r\n" + next,
                "POST / @a =" + next),
            .reads("an unfinished body waits", start + "Content-Length: 6\r\n\r\nhello"),
            .reads(
                "a length with an underscore is another field", start + "Content_Length: 5\r\n\r\n" + next, "POST / @a",
                "GET /next @a"),
            .refuses(
                "twice, different", start + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
                .repeatedContentLength),
            .refuses(
                "twice, equal", start + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", .repeatedContentLength),
            .refuses(
                "twice, in two cases", start + "Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello",
                .repeatedContentLength),
            .refuses("a blank before its colon", start + "Content-Length : 5\r\n\r\nhello", .blankBeforeColon),
            .refuses("folded", start + "Content-Length:\r\n 5\r\n\r\nhello", .foldedLine),
        ]

    @Test("Transfer-Encoding: ends in one chunked, in 1.1, without Content-Length (§6.1, §6.3)", arguments: codings)
    func transferEncoding(_ parserCase: ParserCase) { parserCase.check() }

    @Test("Transfer-Encoding: codings before chunked are not supported: 501 (§6.1)", arguments: unknown)
    func unknownCoding(_ parserCase: ParserCase) { parserCase.check() }

    static let unknown: [ParserCase] =
        [
            "gzip, chunked", "identity, chunked", "gzip,chunked", "GZIP \t, \tCHUNKED", "gzip, deflate, cow, chunked",
            "gzip, , chunked", "gzip, chunked,", "'chunked', chunked",
        ].map {
            ParserCase.refuses(
                "\($0.debugDescription)", start + "Transfer-Encoding: \($0)\r\n\r\n0\r\n\r\n" + next,
                .unsupportedTransferEncoding)
        } + [
            .refuses(
                "in 1.0 it is 400", "POST / HTTP/1.0\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                .transferEncodingInHTTP10),
            .refuses(
                "with Content-Length it is 400",
                start + "Transfer-Encoding: gzip, chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", .ambiguousLength),
            .refuses(
                "on two lines it is 400",
                start + "Transfer-Encoding: gzip, chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                .malformedTransferEncoding),
        ]

    static let codings: [ParserCase] =
        [
            "", "identity", "gzip", "chunked, gzip", "chunked, identity", "chunked, chunked", "chunked,", ",chunked",
            "xchunked", "chunkedx", "chunked;q=1", "\"chunked\"", "chunked\u{A0}", "chun ked", "'chunked'", "cow",
            "chunked x", "compress", "deflate", "gzip chunked", "gzip; chunked", "gzip, chunked;q=1",
            "gzip;q=1, chunked",
            "gzip, xchunked", "gzip, \"chunked\"", "\"gzip, chunked\"", "chunked, gzip, chunked",
            "gzip, chunked, chunked", "gzip, chunked, x",
        ].map {
            ParserCase.refuses(
                "\($0.debugDescription)", start + "Transfer-Encoding: \($0)\r\n\r\n0\r\n\r\n" + next,
                .malformedTransferEncoding)
        } + [
            .reads(
                "chunked", start + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + next, "POST / @a", "GET /next @a"),
            .reads("in any case", start + "Transfer-Encoding: cHuNkEd\r\n\r\n1\r\nx\r\n0\r\n\r\n", "POST / @a =x"),
            .reads("blanks and tabs around", start + "Transfer-Encoding:\t chunked \t\r\n\r\n0\r\n\r\n", "POST / @a"),
            .reads(
                "GET", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
                "GET / @a =x"),
            .refuses(
                "twice", start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                .malformedTransferEncoding),
            .refuses(
                "twice, one other",
                start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                .malformedTransferEncoding),
            .refuses(
                "a vertical tab before", start + "Transfer-Encoding: \u{0B}chunked\r\n\r\n0\r\n\r\n",
                .malformedFieldValue),
            .refuses(
                "a blank before its colon", start + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", .blankBeforeColon),
            .refuses("folded", start + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", .foldedLine),
            .refuses(
                "with Content-Length (§6.3 item 3)",
                start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .ambiguousLength),
            .refuses(
                "with Content-Length behind",
                start + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", .ambiguousLength),
            .refuses(
                "with Content-Length 0", start + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                .ambiguousLength),
            .refuses(
                "with a bad Content-Length", start + "Transfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n0\r\n\r\n",
                .malformedContentLength),
            .refuses(
                "in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .transferEncodingInHTTP10),
            .refuses(
                "in 1.0 with Content-Length",
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
                .transferEncodingInHTTP10),
            .reads(
                "with an underscore it is another field", start + "Transfer_Encoding: chunked\r\n\r\n" + next,
                "POST / @a", "GET /next @a"),
            .reads("TE is another field", start + "TE: chunked\r\n\r\n" + next, "POST / @a", "GET /next @a"),
        ]

    @Test("limit: 413 behind the last byte allowed (RFC 9110 §15.5.14)", arguments: sizes)
    func size(_ parserCase: ParserCase) { parserCase.check() }

    static let sizes: [ParserCase] = {
        let limits = ParserLimits(bodySize: 8)
        return [
            .reads(
                "8 of 8", start + "Content-Length: 8\r\n\r\n12345678" + next, "POST / @a =12345678", "GET /next @a",
                limits: limits),
            .refuses("9 of 8", start + "Content-Length: 9\r\n\r\n123456789", .bodyTooLarge, limits: limits),
            .reads("announced, but not yet there", start + "Content-Length: 9\r\n\r\n12345678", limits: limits),
            .reads(
                "chunks of 8", start + "Transfer-Encoding: chunked\r\n\r\n3\r\n123\r\n5\r\n45678\r\n0\r\n\r\n",
                "POST / @a =12345678", limits: limits),
            .refuses(
                "chunks of 9", start + "Transfer-Encoding: chunked\r\n\r\n3\r\n123\r\n6\r\n456789\r\n0\r\n\r\n",
                .bodyTooLarge, limits: limits),
            .refuses(
                "a chunk more", start + "Transfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n1\r\n9\r\n0\r\n\r\n",
                .bodyTooLarge, limits: limits),
        ]
    }()

    @Test("limit of a path: larger than elsewhere, never smaller", arguments: sizesByPath)
    func sizeByPath(_ parserCase: ParserCase) { parserCase.check() }

    static let sizesByPath: [ParserCase] = {
        let limits = ParserLimits(bodySize: 4, bodySizes: ["/": 8, "/less": 2])
        let less = "POST /less HTTP/1.1\r\nHost: a\r\n"
        return [
            .reads(
                "8 of 8, and the next as ever", start + "Content-Length: 8\r\n\r\n12345678" + next,
                "POST / @a =12345678",
                "GET /next @a", limits: limits),
            .refuses("9 of 8", start + "Content-Length: 9\r\n\r\n123456789", .bodyTooLarge, limits: limits),
            .reads(
                "chunks of 8", start + "Transfer-Encoding: chunked\r\n\r\n3\r\n123\r\n5\r\n45678\r\n0\r\n\r\n",
                "POST / @a =12345678", limits: limits),
            .refuses(
                "chunks of 9", start + "Transfer-Encoding: chunked\r\n\r\n3\r\n123\r\n6\r\n456789\r\n0\r\n\r\n",
                .bodyTooLarge, limits: limits),
            .reads("4 of 4", less + "Content-Length: 4\r\n\r\n1234", "POST /less @a =1234", limits: limits),
            .refuses("5 of 4", less + "Content-Length: 5\r\n\r\n12345", .bodyTooLarge, limits: limits),
            .refuses(
                "another path behind it on the connection",
                start + "Content-Length: 8\r\n\r\n12345678" + less + "Content-Length: 8\r\n\r\n12345678",
                .bodyTooLarge, after: "POST / @a =12345678", limits: limits),
        ]
    }()
}
