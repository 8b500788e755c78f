import JulietClient
import Testing

@Suite("Requests")
struct RequestTests {
    /// A developer's own endpoint.
    struct FetchBoard: Request {
        typealias Response = [String]
        let day: String?
        let path = "/v2/board"
        var query: RequestQuery { ["day": day, "limit": 10] }
    }

    struct SendNote: Request {
        struct Note: Codable, Equatable, Sendable {
            var text: String
            var at: Double
        }

        typealias Response = Void
        let method = HTTPMethod.put
        let path = "/note"
        let note: Note
        var body: RequestBody? { get throws { try .json(note) } }
    }

    @Test("an endpoint of five lines is a GET with a query, no body and the default options")
    func defaults() throws {
        let message = try FetchBoard(day: "2026-03-01").message()
        #expect(
            message
                == RequestMessage(
                    path: "/v2/board", query: [QueryItem("day", "2026-03-01"), QueryItem("limit", "10")]))
        #expect(try FetchBoard(day: nil).message().query == [QueryItem("limit", "10")])
    }

    @Test("its answer is decoded from JSON, and a fault in it is an error with the path to it")
    func decoding() throws {
        #expect(
            try FetchBoard.response(from: HTTPResponse(status: 200, body: Array(#"["a","b"]"#.utf8))) == ["a", "b"])
        let error = #expect(throws: ClientError.self) {
            try FetchBoard.response(from: HTTPResponse(status: 200, body: Array(#"["a",5]"#.utf8)))
        }
        #expect(error?.code == .decoding)
        #expect(error?.codingPath == ["1"])
        let empty = #expect(throws: ClientError.self) { try FetchBoard.response(from: HTTPResponse(status: 304)) }
        #expect(empty?.code == .decoding)
    }

    @Test("where only success matters nothing is decoded")
    func void() throws {
        try SendNote.response(from: HTTPResponse(status: 204))
        try SendNote.response(from: HTTPResponse(status: 200, body: Array("<html>".utf8)))
    }

    @Test("a JSON body is the same bytes each time and says what it is")
    func body() throws {
        let message = try SendNote(note: SendNote.Note(text: "a/b", at: 1.5)).message()
        #expect(message.body.map { String(decoding: $0, as: UTF8.self) } == #"{"at":1.5,"text":"a/b"}"#)
        #expect(message.headers == [HeaderField("Content-Type", "application/json")])
        #expect(message.method == .put)
    }

    @Test("a body that cannot be made is an error of its own, nothing sent")
    func encoding() {
        let error = #expect(throws: ClientError.self) {
            try SendNote(note: SendNote.Note(text: "", at: .infinity)).message()
        }
        #expect(error?.code == .encoding)
        #expect(error?.isUnsent == true)
    }

    @Test(
        "what could be read as another header field or request is refused",
        arguments: [
            RequestMessage(path: "/", headers: [HeaderField("X", "a\r\nAuthToken: b")]),
            RequestMessage(path: "/", headers: [HeaderField("X", "a\nb")]),
            RequestMessage(path: "/", headers: [HeaderField("X", "a\u{0}b")]),
            RequestMessage(path: "/", headers: [HeaderField("X", "a\u{7F}")]),
            RequestMessage(path: "/", headers: [HeaderField("X: y\r\nZ", "a")]),
            RequestMessage(path: "/", headers: [HeaderField("", "a")]),
            RequestMessage(path: "/", headers: [HeaderField("X ", "a")]),
            RequestMessage(path: "/", headers: [HeaderField("Ä", "a")]),
            RequestMessage(method: HTTPMethod(rawValue: "GET / HTTP/1.1\r\n"), path: "/"),
            RequestMessage(method: HTTPMethod(rawValue: ""), path: "/"),
            RequestMessage(path: "/", body: [1]), RequestMessage(method: .head, path: "/", body: []),
        ])
    func grammar(message: RequestMessage) {
        let error = #expect(throws: ClientError.self) { try message.checkGrammar() }
        #expect(error?.code == .invalidRequest)
    }

    @Test("ordinary fields are taken")
    func ordinary() throws {
        try RequestMessage(
            method: .post, path: "/", headers: [HeaderField("X-a_b~1", "a\tb ü"), HeaderField("Y", "")], body: []
        ).checkGrammar()
    }

    @Test("a message is the same after it was kept as JSON-like bytes and read back")
    func hashable() throws {
        let message = try StartGame(player: "me").message()
        #expect(
            Set([message, try StartGame(player: "me").message(), try StartGame(player: "you").message()]).count == 2)
    }

    @Test("a key is given once, and to nothing that only reads unless asked")
    func keys() throws {
        let message = try StartGame(player: "me").message()
        let key = try #require(message.named(nil).idempotencyKey)
        #expect(key.utf8.count == 36)
        #expect(message.named(nil).idempotencyKey != key)
        #expect(message.named("tap-1").named("tap-2").idempotencyKey == "tap-1")
        #expect(RequestMessage(path: "/").named(nil).idempotencyKey == nil)
        #expect(RequestMessage(path: "/").named("tap-1").idempotencyKey == "tap-1")
    }
}
