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
                    path: "/v2/board", query: [QueryItem("day", "2026-03-01"), QueryItem("limit", "10")],
                    headers: [HeaderField("Accept", "application/json")]))
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
        #expect(empty?.code == .notModified)
    }

    /// Sends the tag of the copy that it has.
    struct FetchChangedBoard: Request {
        typealias Response = [String]?
        let path = "/v2/board"
        let tag: String
        var headers: [HeaderField] { [HeaderField("If-None-Match", tag)] }
    }

    @Test("an optional answer is nil when the copy still holds")
    func notModified() throws {
        #expect(try FetchChangedBoard.response(from: HTTPResponse(status: 304)) == .some(nil))
        let body = Array(#"["a"]"#.utf8)
        #expect(try FetchChangedBoard.response(from: HTTPResponse(status: 200, body: body)) == ["a"])
    }

    @Test("where only success matters nothing is decoded, but a web page is no success")
    func void() throws {
        try SendNote.response(from: HTTPResponse(status: 204))
        try SendNote.response(from: HTTPResponse(status: 200, body: Array("done".utf8)))
        let type = [HeaderField("content-type", "text/HTML; charset=utf-8")]
        let pages = [
            HTTPResponse(status: 200, body: Array("<html>".utf8)),
            HTTPResponse(status: 200, body: Array("\u{FEFF}\r\n <!doctype html>".utf8)),
            HTTPResponse(status: 200, headers: type, body: Array("Please log in".utf8)),
        ]
        for page in pages {
            let error = #expect(throws: ClientError.self) { try SendNote.response(from: page) }
            #expect(error?.code == .unexpectedContent)
        }
        try SendNote.response(from: HTTPResponse(status: 204, headers: type))
    }

    @Test("JSON is accepted unless the request says otherwise")
    func accept() throws {
        struct FetchText: Request {
            typealias Response = String
            let path = "/text"
            var accept: String? = "text/plain"
            var headers: [HeaderField] = []
            static func decode(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }
        }
        #expect(try FetchText().message().headers == [HeaderField("Accept", "text/plain")])
        #expect(try FetchText(accept: nil).message().headers.isEmpty)
        let own = [HeaderField("accept", "*/*")]
        #expect(try FetchText(headers: own).message().headers == own)
        let authorized = try FetchText().authorized(by: "t").message().headers
        #expect(authorized == [HeaderField("Accept", "text/plain"), HeaderField("Authorization", "Bearer t")])
    }

    @Test("a form is written like a query")
    func form() {
        let body = RequestBody.form(["name": "Zoë & co", "of": [1, 2], "gone": String?.none])
        #expect(String(decoding: body.bytes, as: UTF8.self) == "name=Zo%C3%AB%20%26%20co&of%5B%5D=1&of%5B%5D=2")
        #expect(body.contentType == "application/x-www-form-urlencoded")
    }

    @Test("a JSON body is the same bytes each time and says what it is")
    func body() throws {
        let message = try SendNote(note: SendNote.Note(text: "a/b", at: 1.5)).message()
        #expect(message.body.map { String(decoding: $0, as: UTF8.self) } == #"{"at":1.5,"text":"a/b"}"#)
        #expect(
            message.headers
                == [HeaderField("Accept", "application/json"), HeaderField("Content-Type", "application/json")])
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
