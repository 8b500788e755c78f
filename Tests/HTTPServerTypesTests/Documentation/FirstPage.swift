import EventLoop
import HTTPServer
import HTTPServerTypes
import HTTPTypes

// The example of the module's first page; `DocumentationTests` sees to it that both are the same, and runs it.

// begin
/// A server whose handlers and middleware are written against swift-http-types.
func greeting(on loop: EventLoop) -> HTTPServer {
    let knownOnly = httpTypesMiddleware { head, request, next in
        guard head.headerFields[.authorization] == "Bearer example" else {
            return (HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: "Bearer"]), .none)
        }
        var (response, body) = try await next(head, request)
        response.headerFields[.cacheControl] = "no-store"
        return (response, body)
    }
    var router = Router()
    router.on(.get, "/hello/{name}") { head, request in
        let text =
            "Hello, \(request.parameters["name"] ?? "")! You asked \(head.authority ?? "somebody") for \(head.path ?? "").\n"
        return (HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), .bytes(Array(text.utf8)))
    }
    router.group("/files", middleware: [knownOnly]) { group in
        group.on(.put, "/{name}", streamingUpTo: 1 << 30) { _, request in
            var size = 0
            for try await piece in request.content { size += piece.count }
            return (HTTPResponse(status: .created), .bytes(Array("\(size) bytes\n".utf8)))
        }
    }
    return HTTPServer(configuration: HTTPServerConfiguration(host: "127.0.0.1"), loops: [loop], router: router)
}
// end
