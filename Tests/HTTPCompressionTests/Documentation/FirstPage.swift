import EventLoop
import HTTPCompression
import HTTPServer

// The example of the module's first page; `DocumentationTests` sees to it that both are the same, and runs it.

// begin
/// A server that compresses what is the same for everybody, and nothing else.
func compressing(on loop: EventLoop) -> HTTPServer {
    var router = Router()
    // Everything in the group, for clients that take gzip.
    router.group("/words", middleware: [gzip(from: 200)]) { group in
        group.on(.get, "/all") { _ in
            .text(String(repeating: "canoe\n", count: 1000))
        }
        // Compressed as it is written: each piece can be read when it comes.
        group.on(.get, "/news") { _ in
            Response(
                headers: ["Content-Type": "text/plain"],
                body: .stream { writer in
                    for number in 1...3 { try await writer.write("word \(number)\n") }
                })
        }
    }
    // One answer.
    router.on(.get, "/rules") { request in
        await Response.text(String(repeating: "Guess the word.\n", count: 100)).gzipped(for: request)
    }
    // Left as it is: it holds a secret.
    router.on(.get, "/session") { _ in .text("token\n") }
    return HTTPServer(configuration: HTTPServerConfiguration(host: "127.0.0.1"), loops: [loop], router: router)
}
// end
