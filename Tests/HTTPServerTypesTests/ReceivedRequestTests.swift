import EventLoop
import HTTPServer
import HTTPServerTesting
import HTTPServerTypes
import HTTPTypes
import Testing

@Suite("Requests as clients send them", .timeLimit(.minutes(1)))
struct ReceivedRequestTests {
    /// Sends bytes to a handler that keeps the head it gets.
    private static func received(
        _ bytes: [UInt8], _ change: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) async throws -> (head: HTTPRequest?, status: Int) {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        var configuration = HTTPServerConfiguration()
        change(&configuration)
        let kept = Locked<HTTPRequest?>(nil)
        let client = await HTTPTestClient.inProcess(
            configuration: configuration, on: loop,
            handler: httpTypesHandler { head, _ in
                kept.withLock { $0 = head }
                return (HTTPResponse(status: .ok), .none)
            })
        await client.send(bytes)
        let status = try await client.response().status
        await client.close()
        return (kept.withLock { $0 }, status)
    }

    private static func head(_ text: String) async throws -> HTTPRequest {
        let (head, status) = try await received(Array(text.utf8)) { $0.isBehindTLSProxy = true }
        #expect(status == 200)
        return try #require(head)
    }

    @Test(
        "the target's path and query are the path, its authority or Host the authority",
        arguments: [
            ("GET /a/%62?x=%20&y HTTP/1.1\r\nHost: a.example:8080", "a.example:8080", "/a/%62?x=%20&y"),
            ("GET /? HTTP/1.1\r\nhOST: a", "a", "/?"),
            ("GET http://a.example/x?y HTTP/1.1\r\nHost: other", "a.example", "/x?y"),
            ("GET https://a.example HTTP/1.1\r\nHost: other", "a.example", "/"),
            ("GET http://a.example?y HTTP/1.1\r\nHost: other", "a.example", "/?y"),
            ("OPTIONS * HTTP/1.1\r\nHost: a", "a", "*"),
            ("OPTIONS http://a.example HTTP/1.1\r\nHost: other", "a.example", "*"),
            ("GET /old HTTP/1.0", nil, "/old"),
            ("GET /old HTTP/1.0\r\nHost: a", "a", "/old"),
        ])
    func targets(lines: String, authority: String?, path: String) async throws {
        let head = try await Self.head(lines + "\r\nAccept: b\r\n\r\n")
        #expect(head.authority == authority)
        #expect(head.path == path)
        #expect(head.scheme == "http")
        #expect(head.headerFields.map(\.description) == ["Accept: b"])
    }

    @Test("several lines of one name stay several, and those about the framing are there")
    func lines() async throws {
        let head = try await Self.head(
            "POST / HTTP/1.1\r\nHost: a\r\nX-a:  1\t\r\nCookie: a=1; b=2\r\nx-A: 2\r\nX-Empty:\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        )
        #expect(
            head.headerFields.map(\.description) == [
                "X-a: 1", "Cookie: a=1; b=2", "x-A: 2", "X-Empty: ", "Transfer-Encoding: chunked",
            ])
        let name = try #require(HTTPField.Name("x-a"))
        #expect(head.headerFields[values: name] == ["1", "2"])
        #expect(head.headerFields[name] == "1, 2")
    }

    @Test("bytes that are no UTF-8 are there as they came")
    func bytes() async throws {
        let start = Array("GET / HTTP/1.1\r\nHost: a\r\nX-A: caf".utf8)
        let (head, _) = try await Self.received(start + [0xE9] + Array("\r\nX-B: café\r\n\r\n".utf8))
        let fields = try #require(head).headerFields
        #expect(fields[0].withUnsafeBytesOfValue { Array($0) } == Array("caf".utf8) + [0xE9])
        #expect(fields[0].value == "caf\u{FFFD}")
        #expect(fields[1].value == "café")
    }

    @Test(
        "what the server refuses comes to no handler",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\n:path: /b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nA: \u{1}\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 501),
        ])
    func refused(text: String, status: Int) async throws {
        let answer = try await Self.received(Array(text.utf8))
        #expect(answer.head == nil)
        #expect(answer.status == status)
    }

    @Test("as many lines as HTTPFields can count are served, more are 431", arguments: [65_534, 65_535])
    func manyLines(count: Int) async throws {
        let text = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A:\r\n", count: count - 1) + "\r\n"
        let (head, status) = try await Self.received(Array(text.utf8)) {
            $0.maximumHeaderCount = 100_000
            $0.maximumHeadSize = 1 << 20
        }
        #expect(status == (count == 65_534 ? 200 : 431))
        #expect(head?.headerFields.count == (count == 65_534 ? count - 1 : nil))
    }
}
