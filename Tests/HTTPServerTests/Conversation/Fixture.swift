import EventLoop
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

/// How a case is driven.
enum Road: String, CaseIterable, CustomTestStringConvertible {
    case inProcess
    case socket

    var testDescription: String { self == .inProcess ? "in process" : "over a socket" }
}

/// A server with a few routes, and clients to it, by either road.
struct Fixture: Sendable {
    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let road: Road
    let address: SocketAddress
    let server: HTTPServer

    /// Runs the body against a running server and shuts it down.
    static func run(
        _ road: Road = .socket,
        loops: Int = 1,
        mechanism: PollingMechanism = .platformDefault,
        _ change: (inout HTTPServerConfiguration) -> Void = { _ in },
        handler: Handler? = nil,
        _ body: (Fixture) async throws -> Void
    ) async throws {
        var configuration = HTTPServerConfiguration()
        configuration.shutdownGrace = .milliseconds(20)
        change(&configuration)
        let loops = try (0..<loops).map { try EventLoop(label: "test.\($0)", mechanism: mechanism) }
        defer { for loop in loops { loop.shutdown() } }
        let server = HTTPServer(
            configuration: configuration, loops: loops, errorRenderer: errorRenderer, handler: handler ?? routes)
        let address = try await server.start()
        let fixture = Fixture(
            loop: loops[0], configuration: configuration, road: road, address: address, server: server)
        do {
            try await body(fixture)
        } catch {
            await server.shutdown(deadline: .zero)
            throw error
        }
        await server.shutdown(deadline: .seconds(1))
    }

    /// A new connection.
    func client(receiveBuffer: Int? = nil, handler: Handler? = nil) async throws -> HTTPTestClient {
        switch road {
        case .socket: try await HTTPTestClient.connect(to: address, receiveBuffer: receiveBuffer, on: loop)
        case .inProcess:
            await HTTPTestClient.inProcess(
                configuration: configuration, errorRenderer: Self.errorRenderer, window: receiveBuffer ?? .max,
                on: loop,
                handler: handler ?? Self.routes)
        }
    }

    /// Whether the server has stopped listening and all its loops know.
    var isRefusing: Bool {
        get async {
            guard server.isShuttingDown else { return false }
            do {
                let client = try await HTTPTestClient.connect(to: address, on: loop)
                await client.close()
                return false
            } catch {
                try? await Task.sleep(for: .milliseconds(50))
                return true
            }
        }
    }

    /// Tells the failure's code, method, path and body, so that tests see what the renderer was given.
    static let errorRenderer: ErrorRenderer = { failure in
        let known = [failure.method?.rawValue, failure.path, failure.query].map { $0 ?? "-" }.joined(separator: " ")
        return Response(
            status: failure.status, headers: ["Content-Type": "text/failure"],
            body: .bytes(Array("\(failure.code) \(known) =".utf8) + failure.body))
    }

    static let routes: Handler = {
        var router = Router(errorRenderer: errorRenderer)
        router.on(.get, "/health") { _ in .text("ok") }
        router.on(.get, "/path") { request in .text("\(request.path)?\(request.query ?? "")") }
        router.on(.post, "/echo", aliases: ["/echo2"]) { request in Response(body: .bytes(request.body)) }
        router.on(.get, "/slow") { _ in
            try? await Task.sleep(for: .milliseconds(100))
            return .text("slow")
        }
        router.on(.get, "/close") { _ in Response(headers: ["Connection": "close"], body: .bytes([0x78])) }
        router.on(.get, "/big") { _ in Response(body: .bytes([UInt8](repeating: 0x61, count: 8 << 20))) }
        router.on(.get, "/none") { _ in Response() }
        router.on(.get, "/204") { _ in Response(status: 204, body: .bytes([0x78])) }
        router.on(.get, "/205") { _ in Response(status: 205, body: .bytes([0x78])) }
        router.on(.get, "/304") { _ in Response(status: 304, headers: ["ETag": "\"a\""], body: .bytes([0x78])) }
        router.on(.get, "/100") { _ in Response(status: 100) }
        router.on(.get, "/lies") { _ in
            Response(
                headers: ["Content-Length": "99", "Transfer-Encoding": "chunked", "Date": "now", "X": "a\r\nY: b"],
                body: .bytes([0x78]))
        }
        router.on(.get, "/stream") { _ in
            Response(
                body: .stream { writer in
                    for word in ["one", "", "two", "three"] { try await writer.write(word) }
                })
        }
        router.on(.get, "/broken") { _ in
            Response(
                body: .stream { writer in
                    try await writer.write("half")
                    throw CancellationError()
                })
        }
        router.on(.get, "/endless") { _ in
            Response(
                body: .stream { writer in
                    let piece = [UInt8](repeating: 0x61, count: 65536)
                    while true { try await writer.write(piece) }
                })
        }
        let finished = router
        return { await finished.respond(to: $0) }
    }()
}

/// Requests as text.
enum Raw {
    static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    static func post(_ path: String, _ body: String, _ fields: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }
}

/// Counts events of several threads.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() {
        count.add(1, ordering: .relaxed)
    }
}
