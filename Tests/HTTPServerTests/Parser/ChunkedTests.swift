import Testing

@testable import HTTPServer

@Suite("Chunked transfer coding (RFC 9112 §7.1)")
struct ChunkedTests {
    private static let start = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func reads(_ name: String, _ chunks: String, _ body: String) -> ParserCase {
        .reads(name, start + chunks + next, "POST / @a" + (body.isEmpty ? "" : " =" + body), "GET /next @a")
    }

    private static func refuses(_ name: String, _ chunks: String, _ error: HTTPParseError) -> ParserCase {
        .refuses(name, start + chunks, error)
    }

    @Test("sizes and data (§7.1)", arguments: chunks)
    func chunk(_ parserCase: ParserCase) { parserCase.check() }

    static let chunks: [ParserCase] = [
        reads("nothing", "0\r\n\r\n", ""),
        reads("one", "5\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("several", "1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n", "abcdef"),
        reads("hexadecimal, both cases", "a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n", "01234567890123456789a"),
        reads("leading zeros", "0005\r\nhello\r\n000\r\n\r\n", "hello"),
        reads("16 digits", "0000000000000005\r\nhello\r\n0000000000000000\r\n\r\n", "hello"),
        reads("data may be CR LF", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"),
        reads("data may look like the end", "5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"),
        .reads("an unfinished chunk waits", start + "5\r\nhell"),
        .reads("an unfinished end waits", start + "0\r\n"),
        refuses("17 digits", "00000000000000005\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("overflow of 64 bits", "10000000000000005\r\nhello", .malformedChunkSize),
        refuses("overflow of the sign", "8000000000000000\r\nhello", .malformedChunkSize),
        refuses("all bits", "FFFFFFFFFFFFFFFF\r\nhello", .malformedChunkSize),
        refuses("no size", "\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a sign", "+5\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a minus", "-5\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("0x", "0x5\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("no hex", "g\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("an underscore", "1_0\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a dot", "5.0\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a comma", "5,5\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a blank before", " 5\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a tab before", "\t5\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a blank behind", "5 \r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a tab behind", "5\t\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a blank inside", "5 5\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a NUL", "5\0\r\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a bare LF behind the size", "5\nhello\r\n0\r\n\r\n", .malformedChunkSize),
        refuses("a bare CR behind the size", "5\rhello\r\n0\r\n\r\n", .bareLineEnd),
        refuses("CR CR LF behind the size", "5\r\r\nhello\r\n0\r\n\r\n", .bareLineEnd),
        refuses("data longer than its size", "4\r\nhello\r\n0\r\n\r\n", .unterminatedChunk),
        refuses("data shorter than its size", "6\r\nhello\r\n0\r\n\r\n", .unterminatedChunk),
        refuses("nothing behind the data", "5\r\nhello0\r\n\r\n", .unterminatedChunk),
        refuses("a bare LF behind the data", "5\r\nhello\n0\r\n\r\n", .unterminatedChunk),
        refuses("a bare CR behind the data", "5\r\nhello\r0\r\n\r\n", .unterminatedChunk),
        refuses("LF CR behind the data", "5\r\nhello\n\r0\r\n\r\n", .unterminatedChunk),
        refuses("a bare LF behind the last size", "0\n\r\n", .malformedChunkSize),
        refuses("a bare LF at the end", "0\r\n\n", .bareLineEnd),
        refuses("a bare CR at the end", "0\r\n\rx", .bareLineEnd),
    ]

    @Test("extensions are checked, bounded and dropped (§7.1.1)", arguments: extensions)
    func chunkExtension(_ parserCase: ParserCase) { parserCase.check() }

    static let extensions: [ParserCase] = [
        reads("a name", "5;a\r\nhello\r\n0;b\r\n\r\n", "hello"),
        reads("a name and a value", "5;a=b\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("several", "5;a=b;c;d=e\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("blanks around", "5 ; a = b ;\tc\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("blanks behind a name with another", "5;a ;b\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("a quoted value", "5;a=\"b c;d\"\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("an empty quoted value", "5;a=\"\"\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("a quoted quote", "5;a=\"b\\\"c\"\r\nhello\r\n0\r\n\r\n", "hello"),
        reads("a quoted value and another", "5;a=\"b\" ; c\r\nhello\r\n0\r\n\r\n", "hello"),
        refuses("no name", "5;\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a value without a name", "5;=b\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("no value", "5;a=\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("two semicolons", "5;;a\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("two values", "5;a=b=c\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a blank at the end", "5;a \r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a blank behind a value", "5;a=b \r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("two words", "5;a b\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("words behind a quoted value", "5;a=\"b\"c\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("no end of a quoted value", "5;a=\"b\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a LF in a quoted value", "5;a=\"b\nc\"\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a quoted CR", "5;a=\"b\\\r\n\"\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a bare LF ends it", "5;a\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("a bare CR in it", "5;a\rb\r\nhello\r\n0\r\n\r\n", .bareLineEnd),
        refuses("a NUL in it", "5;a\0\r\nhello\r\n0\r\n\r\n", .malformedChunkExtension),
        refuses("one name too long", "5;" + String(repeating: "a", count: 17000) + "\r\n", .chunkExtensionsTooLarge),
        refuses(
            "too many in all", String(repeating: "1;" + String(repeating: "a", count: 100) + "\r\nx\r\n", count: 200),
            .chunkExtensionsTooLarge),
    ]

    @Test("trailer fields are checked, bounded and dropped (§7.1.2)", arguments: trailers)
    func trailer(_ parserCase: ParserCase) { parserCase.check() }

    static let trailers: [ParserCase] = [
        reads("one", "5\r\nhello\r\n0\r\nX: 1\r\n\r\n", "hello"),
        reads("two", "0\r\nX: 1\r\nY:2\r\n\r\n", ""),
        reads(
            "framing fields change nothing (RFC 9110 §6.5.1)", "0\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\n\r\n",
            ""),
        reads("nor does Host", "0\r\nHost: b\r\nConnection: close\r\n\r\n", ""),
        refuses("a blank before the colon", "0\r\nX : 1\r\n\r\n", .blankBeforeColon),
        refuses("folded", "0\r\nX: 1\r\n 2\r\n\r\n", .foldedLine),
        refuses("no colon", "0\r\nGET / HTTP/1.1\r\n\r\n", .blankBeforeColon),
        refuses("no name", "0\r\n: 1\r\n\r\n", .malformedFieldName),
        refuses("a NUL", "0\r\nX: \0\r\n\r\n", .malformedFieldValue),
        refuses("a bare LF", "0\r\nX: 1\n\r\n", .bareLineEnd),
        refuses("too large", "0\r\nX: " + String(repeating: "x", count: 17000), .headTooLarge),
        refuses("too many", "0\r\n" + String(repeating: "X: 1\r\n", count: 101), .tooManyFields),
    ]

    @Test("trailer fields never become header fields (RFC 9110 §6.5.1)")
    func trailersAreDropped() throws {
        let request = try #require(try Reading.firstRequest(in: Self.start + "0\r\nX: 1\r\n\r\n"))
        #expect(request.headers["X"] == nil)
        #expect(request.headers.count == 2)
    }
}
