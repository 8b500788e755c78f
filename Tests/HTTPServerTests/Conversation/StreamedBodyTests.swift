import EventLoop
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Bodies that are handed over as they come", .serialized, .timeLimit(.minutes(1)))
struct StreamedBodyTests {
    /// What the handlers of a test did.
    private final class Heard: Sendable {
        let begun = Atomic(0)
        let bytes = Atomic(0)
        let error = Locked<RequestContentError?>(nil)
        let gate = Gate()
        var size: Int { bytes.load(ordering: .relaxed) }
        var begins: Int { begun.load(ordering: .relaxed) }
    }

    private static func router(_ heard: Heard) -> Router {
        var router = Router(errorRenderer: Fixture.errorRenderer)
        router.on(.post, "/echo") { request in .text("\(request.body.count)") }
        router.group("/in") { group in
            group.on(.post, "/size", streamingUpTo: 1 << 24) { request in
                heard.begun.add(1, ordering: .relaxed)
                do {
                    for try await piece in request.content { heard.bytes.add(piece.count, ordering: .relaxed) }
                } catch {
                    heard.error.withLock { $0 = error as? RequestContentError }
                    throw error
                }
                return .text("\(request.body.count) \(heard.size)")
            }
            group.on(.post, "/{name}/late", streamingUpTo: 1 << 24) { request in
                await heard.gate.wait()
                return .text("\(try await request.content.collect(upTo: 1 << 24).count)")
            }
            group.on(.post, "/never", streamingUpTo: 1 << 24) { _ in .text("enough") }
            group.on(.post, "/small", streamingUpTo: 5) { request in
                heard.begun.add(1, ordering: .relaxed)
                return .text(String(decoding: try await request.content.collect(upTo: 5), as: UTF8.self))
            }
            group.on(.post, "/both", streamingUpTo: 1 << 24) { request in
                Response(
                    body: .stream { writer in
                        for try await piece in request.content { try await writer.write(piece) }
                    })
            }
            group.on(.post, "/leaks", streamingUpTo: 1 << 24) { request in
                let content = request.content
                Task {
                    await heard.gate.wait()
                    do {
                        _ = try await content.collect(upTo: 100)
                    } catch {
                        heard.error.withLock { $0 = error as? RequestContentError }
                    }
                }
                return .text("enough")
            }
            group.on(.post, "/fails", streamingUpTo: 1 << 24) { _ in throw CancellationError() }
            group.on(.post, "/cancels", streamingUpTo: 1 << 24) { request in
                let reading = Task { try await request.content.collect(upTo: 100) }
                heard.begun.add(1, ordering: .relaxed)
                await heard.gate.wait()
                reading.cancel()
                let first = await reading.result
                heard.begun.add(1, ordering: .relaxed)
                let rest = try await request.content.collect(upTo: 100)
                return .text("\(first) \(String(decoding: rest, as: UTF8.self))")
            }
        }
        return router
    }

    private static func run(
        _ road: Road, bodyDeadline: Duration = .seconds(30),
        _ body: (Fixture, HTTPTestClient, Heard) async throws -> Void
    ) async throws {
        let heard = Heard()
        let router = router(heard)
        let handler: Handler = { await router.respond(to: $0) }
        try await Fixture.run(
            road,
            {
                $0.streamedBody = { router.streamedBodySize(of: $0) }
                $0.bodyDeadline = bodyDeadline
            }, handler: handler
        ) { fixture in
            let client = try await fixture.client(handler: handler)
            try await body(fixture, client, heard)
            await client.close()
        }
    }

    private static func head(_ path: String, _ size: Int, _ fields: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\(fields)\r\n"
    }

    private static func chunked(_ path: String, _ chunks: String...) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunks.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
    }

    @Test("the handler begins with the head, gets what comes, and the next request follows", arguments: Road.allCases)
    func comes(_ road: Road) async throws {
        try await Self.run(road) { (_, client, heard) async throws in
            await client.send(Self.head("/in/size", 10))
            #expect(await eventually { heard.begins == 1 })
            await client.send("12345")
            #expect(await eventually { heard.size == 5 })
            await client.send("67890" + Raw.post("/echo", "abc") + Self.chunked("/in/size", "abc", "def") + "0\r\n\r\n")
            #expect(try await client.response().text == "0 10")
            #expect(try await client.response().text == "3", "the others are gathered first")
            #expect(try await client.response().text == "0 16")
            await client.send(Raw.get("/in/size") + Raw.post("/in/size", ""))
            #expect(try await client.response().status == 405)
            #expect(try await client.response().text == "0 16")
        }
    }

    @Test("a body that the handler does not take is not read from the connection", arguments: Road.allCases)
    func backPressure(_ road: Road) async throws {
        try await Self.run(road) { (fixture, client, heard) async throws in
            await client.send(Self.head("/in/a/late", 8 << 20))
            let piece = [UInt8](repeating: 0x61, count: 1 << 20)
            for _ in 0..<8 { await client.send(piece) }
            if road == .socket {
                var received = 0
                let standsStill = await eventually {
                    let before = received
                    try? await Task.sleep(for: .milliseconds(100))
                    received = fixture.server.statistics.bytesReceived
                    return received > 65536 && received == before
                }
                #expect(standsStill && received < 65536 + 4 * 16384)
            }
            heard.gate.open()
            #expect(try await client.response().text == "\(8 << 20)")
            await client.send(Raw.post("/echo", "abc"))
            #expect(try await client.response().text == "3")
        }
    }

    @Test("100 Continue is said when the content is asked for, and never where it is not", arguments: Road.allCases)
    func expectations(_ road: Road) async throws {
        try await Self.run(road) { (_, client, heard) async throws in
            await client.send(Self.head("/in/a/late", 3, "Expect: 100-continue\r\n"))
            heard.gate.open()
            #expect(try await client.response().status == 100)
            await client.send("abc")
            #expect(try await client.response().text == "3")
            await client.send(Self.head("/in/never", 3, "Expect: 100-continue\r\n"))
            let response = try await client.response()
            #expect(response.text == "enough" && response.headers["Connection"] == "close")
            #expect(await client.rest() == [])
        }
    }

    @Test(
        "an answer before the end: a small rest is thrown away, a large or unknown one ends it",
        arguments: Road.allCases)
    func early(_ road: Road) async throws {
        try await Self.run(road) { (_, client, _) async throws in
            await client.send(Self.head("/in/never", 100_000))
            let response = try await client.response()
            #expect(response.text == "enough" && response.headers["Connection"] == nil)
            await client.send([UInt8](repeating: 0x61, count: 100_000))
            await client.send(Raw.post("/echo", "abc"))
            #expect(try await client.response().text == "3")
        }
        for text in [
            Self.head("/in/never", 1 << 20), Self.chunked("/in/never", "abc"), Self.head("/in/fails", 1 << 20),
        ] {
            try await Self.run(road) { (_, client, _) async throws in
                await client.send(text)
                let response = try await client.response()
                #expect(response.headers["Connection"] == "close")
                #expect(response.status == (text.contains("fails") ? 500 : 200))
                await client.send("a" + Raw.post("/echo", "abc"))
                #expect(await client.rest() == [])
                #expect(await !client.wasReset)
            }
        }
    }

    @Test(
        "limits: announced, it is refused before the handler is called; else where it is reached",
        arguments: Road.allCases)
    func limits(_ road: Road) async throws {
        try await Self.run(road) { (_, client, heard) async throws in
            await client.send(Raw.post("/in/small", "12345"))
            #expect(try await client.response().text == "12345")
            await client.send(Self.head("/in/small", 6))
            let refused = try await client.response()
            #expect(
                refused.status == 413 && refused.text == "http.body.tooLarge POST /in/small - =",
                "\(refused.status) \(refused.text)")
            #expect(await client.rest() == [])
            #expect(heard.begins == 1)
        }
        try await Self.run(road) { (_, client, _) async throws in
            await client.send(Self.chunked("/in/small", "123", "456") + "0\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 413 && response.headers["Connection"] == "close")
            #expect(await client.rest() == [])
        }
    }

    @Test("what breaks off: the handler hears it, its answer is the last", arguments: Road.allCases)
    func breaks(_ road: Road) async throws {
        for (rest, status, error) in [
            ("x\r\n", 400, RequestContentError.malformed), ("", 400, .connectionClosed), ("3\r\n", 408, .timedOut),
        ] {
            try await Self.run(road, bodyDeadline: .milliseconds(status == 408 ? 100 : 30_000)) {
                (_, client, heard) async throws in
                await client.send(Self.chunked("/in/size", "abc"))
                #expect(await eventually { heard.size == 3 })
                await client.send(rest)
                if rest.isEmpty { await client.endOutput() }
                let response = try await client.response()
                #expect(response.status == status && response.headers["Connection"] == "close")
                #expect(heard.error.withLock { $0 } == error)
                #expect(await client.rest() == [])
            }
        }
    }

    @Test("a client that goes away in the middle", arguments: Road.allCases)
    func goes(_ road: Road) async throws {
        try await Self.run(road) { (_, client, heard) async throws in
            await client.send(Self.head("/in/size", 100) + "abc")
            #expect(await eventually { heard.size == 3 })
            await client.close(abort: true)
            #expect(await eventually { heard.error.withLock { $0 } == .connectionClosed })
        }
    }

    @Test("in and out at the same time, and the connection goes on", arguments: Road.allCases)
    func both(_ road: Road) async throws {
        try await Self.run(road) { (_, client, _) async throws in
            let size = 3 << 20
            await client.send(Self.head("/in/both", size))
            for _ in 0..<48 { await client.send([UInt8](repeating: 0x62, count: 65536)) }
            #expect(try await client.response().body == [UInt8](repeating: 0x62, count: size))
            await client.send(Raw.post("/echo", "abc"))
            #expect(try await client.response().text == "3")
        }
    }

    @Test("a cancelled task stops waiting, and no bytes are lost", arguments: Road.allCases)
    func cancelled(_ road: Road) async throws {
        try await Self.run(road) { (_, client, heard) async throws in
            await client.send(Self.head("/in/cancels", 5))
            #expect(await eventually { heard.begins == 1 })
            heard.gate.open()
            #expect(await eventually { heard.begins == 2 })
            await client.send("hello")
            #expect(
                try await client.response().text == "failure(HTTPServer.RequestContentError.cancelled) hello")
        }
    }

    @Test("reading a body late gets nothing of the next request, and disturbs nothing", arguments: Road.allCases)
    func lateReader(_ road: Road) async throws {
        try await Self.run(road) { (_, client, heard) async throws in
            await client.send(Raw.post("/in/leaks", "abc"))
            #expect(try await client.response().text == "enough")
            await client.send(Self.head("/in/size", 10) + "12345")
            #expect(await eventually { heard.size == 5 })
            heard.gate.open()
            #expect(await eventually { heard.error.withLock { $0 } == .connectionClosed })
            await client.send("67890")
            #expect(try await client.response().text == "0 10")
        }
    }

    @Test("a server that answers by a router asks that")
    func server() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let heard = Heard()
        let server = HTTPServer(loops: [loop], router: Self.router(heard))
        let client = try await HTTPTestClient.connect(to: try await server.start(), on: loop)
        await client.send(Self.head("/in/size", 10) + "abc")
        #expect(await eventually { heard.size == 3 })
        await client.send("defghij")
        #expect(try await client.response().text == "0 10")
        await client.close()
        await server.shutdown()
    }

    @Test("content that is at hand, or a test's, is read alike")
    func values() async throws {
        var request = Request(method: .post, path: "/", body: [1, 2])
        #expect(try await request.content.collect(upTo: 2) == [1, 2])
        await #expect(throws: RequestContentError.tooLarge) { try await request.content.collect(upTo: 1) }
        let pieces = Locked<[[UInt8]]>([[3], [4, 5]])
        request.content = RequestContent { pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        #expect(request.body == [])
        #expect(try await request.content.collect(upTo: 9) == [3, 4, 5])
        request.content = RequestContent([6])
        #expect(request.body == [6])
    }
}
