import EventLoop
import HTTPServer

/// The example of the documentation's first page; `DocumentationTests` sees to it that both are the same, and runs it.
func firstPage(_ listening: @escaping @Sendable (SocketAddress) -> Void) async throws {
    // begin
    let loop = try EventLoop(label: "http")

    var router = Router()
    router.on(.get, "/hello") { request in
        .text("Hello, \(request.query ?? "world")!\n")
    }
    router.on(.post, "/echo") { request in
        Response(headers: ["Content-Type": "application/octet-stream"], body: .bytes(request.body))
    }
    router.on(.get, "/count") { _ in
        Response(
            body: .stream { writer in
                for number in 1...3 { try await writer.write("\(number)\n") }
            })
    }

    let server = HTTPServer(configuration: HTTPServerConfiguration(host: "127.0.0.1"), loops: [loop], router: router)
    let address = try await server.start()
    print("Try: curl http://\(address)/hello?you")
    // end
    listening(address)
    try await server.run()
    loop.shutdown()
}
