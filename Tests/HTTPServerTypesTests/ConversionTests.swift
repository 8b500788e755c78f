import HTTPServer
import HTTPServerTypes
import HTTPTypes
import Testing

@Suite("Messages made by hand")
struct ConversionTests {
    /// SplitMix64.
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// The bytes of the lines, which strings would hide.
    private static func lines(_ headers: Headers) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        headers.forEachLine { name, value in lines.append(Array("\(name): ".utf8) + value) }
        return lines
    }

    private static func lines(_ fields: HTTPFields) -> [[UInt8]] {
        fields.map { field in Array("\(field.name.rawName): ".utf8) + field.withUnsafeBytesOfValue { Array($0) } }
    }

    @Test("field lines keep their order, the case of their names, their number and every byte of their values")
    func anyLines() throws {
        var generator = SeededGenerator(state: 43)
        let names = ["Accept", "accept", "X-A", "x-a", "Cookie", "Set-Cookie", "!#$%&'*+-.^_`|~09AZaz", "Host", "Q"]
        let content = [0x09, 0x20] + Array(UInt8(0x21)...0x7E) + Array(0x80...0xFF)
        for _ in 0..<500 {
            var fields = HTTPFields()
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let name = try #require(HTTPField.Name(names.randomElement(using: &generator) ?? ""))
                let value = (0..<Int.random(in: 0...20, using: &generator))
                    .map { _ in content.randomElement(using: &generator) ?? 0 }
                // Blanks at the ends go here already.
                fields.append(HTTPField(name: name, value: value))
            }
            let headers = try Headers(fields)
            #expect(Self.lines(headers) == Self.lines(fields))
            let again = try HTTPFields(headers)
            #expect(Self.lines(again) == Self.lines(fields))
            #expect(again == fields)
        }
    }

    @Test("nothing in a value ends its line")
    func controlCharacters() throws {
        let name = try #require(HTTPField.Name("X-A"))
        let fields: HTTPFields = [name: "a\r\nSet-Cookie: b\u{0}"]
        #expect(Self.lines(try Headers(fields)) == [Array("X-A: a  Set-Cookie: b".utf8)])
        var lenient = HTTPFields()
        lenient.append(HTTPField(name: name, lenientValue: [0x61, 0x01, 0x7F, 0x0D, 0x0A, 0x62]))
        #expect(Self.lines(try Headers(lenient)) == [Array("X-A: a    b".utf8)])
    }

    @Test("blanks around a value made by hand go")
    func blanks() throws {
        #expect(
            Self.lines(try HTTPFields(["X-A": " a\t", "X-B": "  "])) == [Array("X-A: a".utf8), Array("X-B: ".utf8)])
    }

    @Test("a pseudo-header field among the others is refused, wherever it got in")
    func pseudoFields() throws {
        var fields: HTTPFields = [.accept: "a"]
        let status = try #require(HTTPField.Name(parsed: ":status"))
        fields[fields: .accept] = [HTTPField(name: status, value: "200")]
        #expect(throws: HTTPTypesError.pseudoField) { try Headers(fields) }
        #expect(throws: HTTPTypesError.pseudoField) { try Response(HTTPResponse(status: .ok, headerFields: fields)) }
        let request = HTTPRequest(method: .get, scheme: nil, authority: "a", path: "/", headerFields: fields)
        #expect(throws: HTTPTypesError.pseudoField) { try Request(request) }
    }

    @Test("more lines than HTTPFields can count are refused")
    func tooManyLines() throws {
        var headers = Headers()
        for _ in 0..<65_534 { headers.append("A", "") }
        #expect(try HTTPFields(headers).count == 65_534)
        headers.append("A", "")
        #expect(throws: HTTPTypesError.tooManyFields) { try HTTPFields(headers) }
        #expect(throws: HTTPTypesError.tooManyFields) {
            try HTTPRequest(Request(method: .get, path: "/", headers: headers))
        }
        #expect(throws: HTTPTypesError.tooManyFields) { try HTTPResponse(Response(headers: headers)) }
    }

    @Test(
        "a path is split at the first question mark",
        arguments: [
            ("/", "/", nil), ("/a/../%C3%A9?b?c=/", "/a/../%C3%A9", "b?c=/"), ("/?", "/", ""), ("//a", "//a", nil),
        ])
    func paths(target: String, path: String, query: String?) throws {
        let request = try Request(HTTPRequest(method: .get, scheme: "https", authority: "a", path: target))
        #expect(request.path == path)
        #expect(request.query == query)
        #expect(try HTTPRequest(request).path == target)
    }

    @Test(
        "a path that could not stand in a request line is refused",
        arguments: [
            nil, "", "a", "?a", "*", "http://a/", "/a b", "/a\r\nHost: b", "/#a", "/%", "/%4", "/%4g", "/[", "/é",
            "/\"", "/a\\b",
        ])
    func malformedPaths(target: String?) {
        #expect(throws: HTTPTypesError.malformedPath) {
            try Request(HTTPRequest(method: .get, scheme: "http", authority: "a", path: target))
        }
    }

    @Test("OPTIONS may ask for *")
    func asterisk() throws {
        let request = try Request(HTTPRequest(method: .options, scheme: "http", authority: "a", path: "*"))
        #expect(request.path == "*")
        #expect(try HTTPRequest(request).path == "*")
    }

    @Test("CONNECT has an authority with a port, and neither scheme nor path")
    func connect() throws {
        let request = try Request(HTTPRequest(method: .connect, scheme: nil, authority: "a:443", path: nil))
        #expect(request.method == .connect)
        #expect(request.path == "")
        #expect(request.authority == "a:443")
        let head = try HTTPRequest(request)
        #expect(head.path == nil)
        #expect(head.scheme == nil)
        #expect(head.authority == "a:443")
        for authority in [nil, "a", "a:"] {
            #expect(throws: HTTPTypesError.malformedAuthority) {
                try Request(HTTPRequest(method: .connect, scheme: nil, authority: authority, path: nil))
            }
        }
        #expect(throws: HTTPTypesError.malformedPath) {
            try Request(HTTPRequest(method: .connect, scheme: nil, authority: "a:443", path: "/"))
        }
        var extended = HTTPRequest(method: .connect, scheme: "https", authority: "a", path: "/")
        extended.extendedConnectProtocol = "websocket"
        #expect(throws: HTTPTypesError.extendedConnect) { try Request(extended) }
    }

    @Test("the authority becomes Host, the first line, and takes the place of one that says the same")
    func authority() throws {
        let host = try #require(HTTPField.Name("host"))
        func lines(_ authority: String?, _ fields: HTTPFields) throws -> [String] {
            let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/", headerFields: fields)
            let request = try Request(head)
            #expect(request.authority == authority ?? fields[host] ?? "")
            return request.headers.map { "\($0.name): \($0.value)" }
        }
        #expect(try lines("a:80", [.accept: "b"]) == ["Host: a:80", "Accept: b"])
        #expect(try lines("A", [.accept: "b", host: "a"]) == ["Host: A", "Accept: b"])
        #expect(try lines(nil, [.accept: "b", host: "[::1]:8080"]) == ["Host: [::1]:8080", "Accept: b"])
        #expect(try lines(nil, [:]) == [])
        let ambiguous: [(String?, HTTPFields)] = [
            ("a", [host: "b"]), ("a", [host: "a", host: "a"]), (nil, [host: "a", host: "a"]),
        ]
        for (authority, fields) in ambiguous {
            #expect(throws: HTTPTypesError.ambiguousAuthority) { try lines(authority, fields) }
        }
        for authority in ["", "a@b", "a/b", "a b", "a:65536", "a:b", "[::1", "é"] {
            #expect(throws: HTTPTypesError.malformedAuthority, "\(authority)") { try lines(authority, [:]) }
            #expect(throws: HTTPTypesError.malformedAuthority, "\(authority)") { try lines(nil, [host: authority]) }
        }
    }

    @Test("a request made by hand keeps what a head has no place for")
    func rest() throws {
        let received = Request(
            method: .post, path: "/a", version: .http10, headers: ["Host": "a", "X-A": "b"], body: [1, 2],
            isKeepAlive: false, remoteAddress: SocketAddress(10, 0, 0, 1, port: 7))
        var head = try HTTPRequest(received, scheme: "https")
        #expect(head.scheme == "https")
        head.path = "/c?d"
        head.method = .put
        let request = try Request(head, in: received)
        #expect(request.method == .put)
        #expect(request.path == "/c")
        #expect(request.query == "d")
        #expect(request.headers == received.headers)
        #expect(request.version == .http10)
        #expect(request.body == [1, 2])
        #expect(!request.isKeepAlive)
        #expect(request.remoteAddress == received.remoteAddress)
        let fresh = try Request(head, body: [3], remoteAddress: SocketAddress(10, 0, 0, 2, port: 8))
        #expect(fresh.version == .http11)
        #expect(fresh.body == [3])
        #expect(fresh.remoteAddress == SocketAddress(10, 0, 0, 2, port: 8))
    }

    @Test("methods are tokens, of whatever name")
    func methods() throws {
        for name in ["GET", "get", "QUERY", "M-SEARCH"] {
            let head = try HTTPRequest(Request(method: HTTPMethod(rawValue: name), path: "/"))
            #expect(head.method.rawValue == name)
            #expect(try Request(head).method.rawValue == name)
        }
        #expect(throws: HTTPTypesError.malformedMethod) {
            try HTTPRequest(Request(method: HTTPMethod(rawValue: "GET /"), path: "/"))
        }
    }

    @Test("a status keeps its code; its phrase is the server's")
    func statuses() throws {
        for code in [200, 204, 299, 404, 599, 600, 999] {
            let response = try Response(HTTPResponse(status: .init(code: code, reasonPhrase: "Mine")))
            #expect(response.status.code == code)
            #expect(try HTTPResponse(response).status.reasonPhrase == HTTPStatus(code).reasonPhrase)
        }
        for code in [0, 99, 100, 101, 199] {
            #expect(throws: HTTPTypesError.statusNotFinal) { try Response(HTTPResponse(status: .init(code: code))) }
        }
    }

    @Test("a response keeps its lines and its content")
    func responses() throws {
        let head = HTTPResponse(status: .created, headerFields: [.setCookie: "a=1", .setCookie: "b=2"])
        let response = try Response(head, body: .bytes([1]))
        #expect(response.headers == ["Set-Cookie": "a=1", "Set-Cookie": "b=2"])
        #expect(try HTTPResponse(response) == head)
        guard case .bytes([1]) = response.body else {
            Issue.record("other content")
            return
        }
    }
}
