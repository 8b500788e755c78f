import EventLoop
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite("Middleware", .timeLimit(.minutes(1)))
struct MiddlewareTests {
    @Test("the first is outermost; each may look, change, or answer by itself")
    func order() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let outer: Middleware = { request, next in
            if request.path == "/shortcut" { return .text("outer") }
            var response = await next(request)
            response.headers.append("X-Order", "outer")
            return response
        }
        let inner: Middleware = { request, next in
            var request = request
            request.path += "!"
            var response = await next(request)
            response.headers.append("X-Order", "inner")
            return response
        }
        let server = HTTPServer(loops: [loop], middleware: [outer, inner]) { .text($0.path) }
        let client = try await HTTPTestClient.connect(to: try await server.start(), on: loop)
        await client.send(Raw.get("/a") + Raw.get("/shortcut"))
        let response = try await client.response()
        #expect(response.text == "/a!")
        #expect(response.headers.values(of: "X-Order") == ["inner", "outer"])
        #expect(try await client.response().text == "outer")
        await client.close()
        await server.shutdown()
    }
}
