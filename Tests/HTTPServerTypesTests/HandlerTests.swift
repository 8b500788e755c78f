import EventLoop
import HTTPCompression
import HTTPServer
import HTTPServerTesting
import HTTPServerTypes
import HTTPTypes
import Testing

@Suite("Handlers and middleware", .timeLimit(.minutes(1)))
struct HandlerTests {
    /// Tells the failure's code, so that tests see which one the renderer was given.
    private static let errorRenderer: ErrorRenderer = { .text($0.code.rawValue, status: $0.status) }

    private struct Broken: Error {}

    /// Runs the body with a client of a server that has these routes.
    private static func serve(
        middleware: [Middleware] = [], _ routes: (inout Router) -> Void, _ body: (HTTPTestClient) async throws -> Void
    ) async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        var router = Router(errorRenderer: errorRenderer)
        routes(&router)
        let server = HTTPServer(loops: [loop], middleware: middleware, router: router)
        let client = try await HTTPTestClient.connect(to: try await server.start(), on: loop)
        do {
            try await body(client)
        } catch {
            await server.shutdown(deadline: .zero)
            throw error
        }
        await client.close()
        await server.shutdown(deadline: .seconds(1))
    }

    @Test("a handler gets the head, and the parameters, the body and the peer beside it")
    func handler() async throws {
        try await Self.serve({ router in
            router.on(.post, "/games/{id}", aliases: ["/g/{id}"]) { head, request in
                let text =
                    "\(head.path ?? "") \(request.parameters["id"] ?? "") \(request.body) \(request.remoteAddress.host)"
                return (
                    HTTPResponse(status: .accepted, headerFields: [.contentType: "text/x"]), .bytes(Array(text.utf8))
                )
            }
        }) { client in
            for path in ["/games/7%20", "/g/7%20"] {
                await client.send("POST \(path)?a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\u{1}\u{2}")
                let response = try await client.response()
                #expect(response.status == 202)
                #expect(response.reason == "Accepted")
                #expect(response.headers["Content-Type"] == "text/x")
                #expect(response.text == "\(path)?a 7  [1, 2] 127.0.0.1")
            }
        }
    }

    @Test("a handler of GET serves HEAD, and sees which it is")
    func head() async throws {
        try await Self.serve({ router in
            router.on(.get, "/") { head, _ in
                (HTTPResponse(status: .ok), .bytes(Array(head.method.rawValue.utf8)))
            }
        }) { client in
            await client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.response(to: .head)
            #expect(response.headers["Content-Length"] == "4")
            #expect(response.body.isEmpty)
        }
    }

    @Test("what a handler throws is answered by the router's renderer, and the connection goes on")
    func errors() async throws {
        try await Self.serve({ router in
            router.on(.get, "/broken") { _, _ in throw Broken() }
            router.on(.get, "/interim") { _, _ in (HTTPResponse(status: .switchingProtocols), .none) }
            router.on(.get, "/none") { _, _ in (HTTPResponse(status: .init(code: 0)), .none) }
        }) { client in
            for path in ["/broken", "/interim", "/none"] {
                await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try await client.response()
                #expect(response.status == 500)
                #expect(response.text == "http.internalError")
            }
        }
    }

    @Test("a streaming handler reads the content as it comes")
    func streaming() async throws {
        try await Self.serve({ router in
            router.on(.put, "/", streamingUpTo: 10) { _, request in
                #expect(request.body.isEmpty)
                var bytes: [UInt8] = []
                for try await piece in request.content { bytes += piece }
                return (HTTPResponse(status: .created), .bytes(bytes))
            }
        }) { client in
            await client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n")
            await client.send("6\r\nefghij\r\n0\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 201)
            #expect(response.text == "abcdefghij")
        }
    }

    @Test("what the content throws is answered, with a router and without one")
    func contentErrors() async throws {
        let reading: HTTPTypesHandler = { _, request in
            _ = try await request.content.collect(upTo: 5)
            return (HTTPResponse(status: .ok), .none)
        }
        let bare = httpTypesHandler(errorRenderer: Self.errorRenderer, reading)
        try await Self.serve({ router in
            router.on(.put, "/", streamingUpTo: 100, handler: reading)
            router.on(.put, "/bare", streamingUpTo: 100) { request in await bare(request) }
        }) { client in
            for path in ["/", "/bare"] {
                await client.send("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabcdef")
                let refusal = try await client.response()
                #expect(refusal.status == 413)
                #expect(refusal.text == "http.body.tooLarge")
            }
        }
    }

    @Test("two layers of middleware, HEAD, several cookies, the scheme, and lines of one name")
    func layers() async throws {
        let outer = httpTypesMiddleware(scheme: "https") { head, request, next in
            var head = head
            #expect(head.scheme == "https")
            head.headerFields[.cookie] = "a=1; b=2; c=3"
            var (response, body) = try await next(head, request)
            response.headerFields.append(HTTPField(name: .setCookie, value: "outer=1"))
            return (response, body)
        }
        let inner = httpTypesMiddleware { head, request, next in
            #expect(head.scheme == "http")
            return try await next(head, request)
        }
        try await Self.serve(
            middleware: [outer, inner],
            { router in
                router.on(.get, "/", scheme: "https") { head, request in
                    #expect(head.scheme == "https")
                    let fields: HTTPFields = [.setCookie: "x=1", .contentType: "text/plain"]
                    return (
                        HTTPResponse(status: .ok, headerFields: fields),
                        .bytes(Array((request.headers["Cookie"] ?? "").utf8))
                    )
                }
            }
        ) { client in
            await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.response()
            #expect(response.text == "a=1; b=2; c=3")
            await client.send("HEAD / HTTP/1.0\r\nConnection: close\r\n\r\n")
            let text = String(decoding: await client.rest(), as: UTF8.self)
            #expect(text.contains("Content-Length: 13\r\n"))
            #expect(
                text.contains("Set-Cookie: x=1\r\nSet-Cookie: outer=1\r\n")
                    || text.contains("Set-Cookie: x=1\r\nContent-Type: text/plain\r\nSet-Cookie: outer=1\r\n"))
            #expect(text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test("middleware changes the head for a handler of the server's own types, and the response")
    func middleware() async throws {
        let middleware = httpTypesMiddleware { head, request, next in
            if head.headerFields[.authorization] == nil {
                return (HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: "Bearer"]), .none)
            }
            var head = head
            head.path = "/b?\(head.path ?? "")"
            head.headerFields[.accept] = "text/x"
            var (response, content) = try await next(head, request)
            response.headerFields[.vary] = "Accept"
            return (response, content)
        }
        try await Self.serve(
            middleware: [middleware],
            { router in
                router.on(.post, "/b") { request in
                    let write: @Sendable (ResponseWriter) async throws -> Void = { writer in
                        try await writer.write("\(request.query ?? "") \(request.headers["Accept"] ?? "") ")
                        try await writer.write(request.body)
                    }
                    return Response(headers: ["X-Host": request.authority], body: .stream(write))
                }
            }
        ) { client in
            await client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            let refusal = try await client.response()
            #expect(refusal.status == 401)
            #expect(refusal.headers["WWW-Authenticate"] == "Bearer")
            await client.send(
                "POST http://b/a HTTP/1.1\r\nHost: a\r\nAuthorization: c\r\nContent-Length: 3\r\n\r\nxyz")
            let response = try await client.response()
            #expect(response.status == 200)
            #expect(response.text == "/a text/x xyz")
            #expect(response.headers["X-Host"] == "b")
            #expect(response.headers["Vary"] == "Accept")
        }
    }

    @Test("a streamed body and its pace pass through middleware; so does other middleware")
    func streamingMiddleware() async throws {
        let passing = httpTypesMiddleware { head, request, next in try await next(head, request) }
        try await Self.serve({ router in
            router.group("/group", middleware: [gzip(from: 0), passing]) { group in
                group.on(.put, "/{name}", streamingUpTo: 100) { head, request in
                    let bytes = try await request.content.collect(upTo: 100)
                    let text = "\(request.parameters["name"] ?? "") \(bytes.count)"
                    return (
                        HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), .bytes(Array(text.utf8))
                    )
                }
            }
        }) { client in
            await client.send(
                "PUT /group/a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.response().status == 100)
            await client.send("12345")
            let response = try await client.response()
            #expect(response.text == "a 5")
            #expect(response.headers["Vary"] == "Accept-Encoding")
        }
    }

    @Test(
        "a head that middleware spoils is 500, by its renderer",
        arguments: ["/a b", "no/slash", "/\r\nX: y", ""])
    func spoilt(path: String) async throws {
        let middleware = httpTypesMiddleware(errorRenderer: Self.errorRenderer) { head, request, next in
            var head = head
            head.path = path
            return try await next(head, request)
        }
        try await Self.serve(middleware: [middleware], { $0.on(.get, "/") { _ in .text("called") } }) { client in
            await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 500)
            #expect(response.text == "http.internalError")
        }
    }

    @Test("any bytes of a value go to a handler and back to the client as they are")
    func bytes() async throws {
        let line = Array("X-A: caf".utf8) + [0xE9, 0xC3, 0xA9, 0xFF]
        try await Self.serve({ router in
            router.on(.get, "/") { head, _ in
                (
                    HTTPResponse(
                        status: .ok, headerFields: HTTPFields(head.headerFields.filter { $0.name.rawName == "X-A" })),
                    .none
                )
            }
        }) { client in
            await client.send(
                Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n".utf8) + line + Array("\r\n\r\n".utf8))
            let answer = await client.rest()
            #expect(answer.firstRange(of: Array("\r\n".utf8) + line + Array("\r\n".utf8)) != nil)
        }
    }
}
