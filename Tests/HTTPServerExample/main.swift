import EventLoop
import HTTPServer

// HTTPServerExample inherited|PATH|PORT: a small server; docs/http-server.md shows it.
let place = CommandLine.arguments.dropFirst().first ?? "8080"
var configuration = HTTPServerConfiguration()
configuration.listeners = [
    place == "inherited" ? .inherited() : UInt16(place).map { .tcp(port: $0) } ?? .unix(path: place)
]

let page = StaticContent(Array("<h1>Hello</h1>\n".utf8), type: "text/html; charset=utf-8")
let knownOnly: Middleware = { request, next in
    request.headers["Authorization"] == "Bearer example" ? await next(request) : .text("who?\n", status: 401)
}

var router = Router()
router.on(.get, "/") { request in page.response(to: request) }
router.on(.get, "/hello/{name}") { request in .text("Hello, \(request.parameters["name"] ?? "")!\n") }
router.group("/uploads", middleware: [knownOnly]) { group in
    group.on(.put, "/{name}", streamingUpTo: 1 << 30) { request in
        var size = 0
        for try await piece in request.content { size += piece.count }
        return .text("\(size) bytes of \(request.parameters["name"] ?? "")\n", status: .created)
    }
}

let server = HTTPServer(configuration: configuration, loops: [try EventLoop(label: "http")], router: router)
try await server.start()
print("listening on", server.addresses.map(\.description).joined(separator: ", "))
try await server.run()
