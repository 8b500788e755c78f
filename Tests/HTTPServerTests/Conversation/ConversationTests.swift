import EventLoop
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite("A conversation", .serialized, .timeLimit(.minutes(1)))
struct ConversationTests {
    @Test("a request gets its response, with Date and Content-Length (RFC 9110 §6.6.1, §8.6)", arguments: Road.allCases)
    func response(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/health"))
            let response = try await client.response()
            #expect(response.status == 200)
            #expect(response.reason == "OK")
            #expect(response.text == "ok")
            #expect(response.headers["Content-Length"] == "2")
            #expect(response.headers["Connection"] == nil)
            let date = try #require(response.headers["Date"])
            #expect(date.count == 29 && date.hasSuffix(" GMT"))
            await client.close()
        }
    }

    @Test("one request after the other on one connection (RFC 9112 §9.3)", arguments: Road.allCases)
    func keepAlive(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            for number in 0..<20 {
                await client.send(Raw.post("/echo", "number \(number)"))
                #expect(try await client.response().text == "number \(number)")
            }
            #expect(await !client.hasEnded)
            await client.close()
        }
    }

    @Test("a request arrives whole, in two pieces, or byte by byte", arguments: Road.allCases)
    func pieces(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            let bytes = Array(Raw.post("/echo", "hello").utf8)
            for index in stride(from: 1, to: bytes.count, by: 7) {
                await client.send(Array(bytes[..<index]))
                await client.send(Array(bytes[index...]))
                #expect(try await client.response().text == "hello")
            }
            for byte in bytes { await client.send([byte]) }
            #expect(try await client.response().text == "hello")
            await client.close()
        }
    }

    @Test("pipelined requests are answered in order (RFC 9112 §9.3.2)", arguments: Road.allCases)
    func pipelining(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            var text = Raw.get("/slow")
            for number in 0..<2000 { text += Raw.post("/echo", "\(number)") }
            await client.send(text)
            #expect(try await client.response().text == "slow")
            for number in 0..<2000 { #expect(try await client.response().text == "\(number)") }
            await client.close()
        }
    }

    @Test("Connection: close ends the connection behind the response (RFC 9112 §9.6)", arguments: Road.allCases)
    func close(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            for text in [
                Raw.get("/health", "Connection: close\r\n"), Raw.get("/close"), "GET /health HTTP/1.0\r\n\r\n",
            ] {
                let client = try await fixture.client()
                await client.send(text + Raw.get("/path"))
                let response = try await client.response()
                #expect(response.status == 200)
                #expect(response.headers["Connection"] == "close")
                #expect(await client.rest() == [], "the request behind it is not answered")
                #expect(await !client.wasReset)
                await client.close()
            }
        }
    }

    @Test("HTTP/1.0 keeps the connection when it asks for it (RFC 9112 §9.3)", arguments: Road.allCases)
    func keepAlive10(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            for _ in 0..<3 {
                await client.send("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let response = try await client.response()
                #expect(response.text == "ok")
                #expect(response.headers["Connection"] == "keep-alive")
            }
            await client.close()
        }
    }

    @Test("HEAD gets the fields of GET without the content (RFC 9110 §9.3.2)", arguments: Road.allCases)
    func head(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            for path in ["/health", "/stream", "/absent"] {
                await client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try await client.response(to: .head)
                #expect(response.headers["Content-Length"] == ["/health": "2", "/absent": "30"][path])
                #expect(response.body == [])
            }
            await client.send(Raw.get("/path"))
            #expect(try await client.response().text == "/path?")
            await client.close()
        }
    }

    @Test("HEAD is refused without content wherever the method is known (RFC 9110 §9.3.2)", arguments: Road.allCases)
    func refusedHead(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let cases: [(String, Int)] = [
                ("HEAD /" + String(repeating: "a", count: 9000), 414),
                ("HEAD /health#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
                ("HEAD /hea", 400),
                ("HEAD /health HTTP/1.1\r\n", 400),
                ("HEAD https://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 421),
            ]
            for (text, status) in cases {
                for pieces in [[Array(text.utf8)], text.utf8.map { [$0] }] {
                    let client = try await fixture.client()
                    for piece in pieces { await client.send(piece) }
                    await client.endOutput()
                    let bytes = await client.rest()
                    let response = String(decoding: bytes, as: UTF8.self)
                    #expect(response.hasPrefix("HTTP/1.1 \(status) "))
                    #expect(response.hasSuffix("\r\n\r\n"), "no content in \(pieces.count) pieces")
                    let headEnds = response.split(separator: "\r\n\r\n", omittingEmptySubsequences: false).count
                    #expect(headEnds == 2)
                    #expect(!response.contains("Content-Length: 0\r\n"), "the length is that of the content left out")
                    await client.close()
                }
            }
        }
    }

    @Test("https is served where a proxy ended TLS (RFC 9110 §7.4)", arguments: Road.allCases)
    func https(_ road: Road) async throws {
        try await Fixture.run(road, { $0.isBehindTLSProxy = true }) { fixture in
            let client = try await fixture.client()
            await client.send("GET https://a/path?b HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().text == "/path?b")
            await client.close()
        }
    }

    @Test("a few empty lines before a request are skipped, more are refused (RFC 9112 §2.2)", arguments: Road.allCases)
    func emptyLines(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            for _ in 0..<3 {
                await client.send("\r\n\r\n")
                await client.send("\r\n\r\n" + Raw.get("/health"))
                #expect(try await client.response().text == "ok")
            }
            await client.send("\r\n\r\n\r\n\r\n\r\n" + Raw.get("/health"))
            #expect(try await client.response().status == 400)
            #expect(await client.rest() == [])
            await client.close()
        }
    }

    @Test("204 and 304 have no content and no length (RFC 9110 §8.6, RFC 9112 §6.3)", arguments: Road.allCases)
    func noContent(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            for path in ["/204", "/304"] {
                await client.send(Raw.get(path))
                let response = try await client.response()
                #expect(response.headers["Content-Length"] == nil)
                #expect(response.headers["Transfer-Encoding"] == nil)
            }
            for path in ["/none", "/205"] {
                await client.send(Raw.get(path))
                #expect(try await client.response().headers["Content-Length"] == "0")
            }
            await client.close()
        }
    }

    @Test("OPTIONS lists the methods, 405 too, with Allow (RFC 9110 §9.3.7, §15.5.6)", arguments: Road.allCases)
    func allow(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send("OPTIONS /health HTTP/1.1\r\nHost: a\r\n\r\n")
            let options = try await client.response()
            #expect(options.status == 204)
            #expect(options.headers["Allow"] == "GET, HEAD, OPTIONS")
            await client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
            let all = try await client.response()
            #expect(all.status == 204)
            #expect(all.headers["Allow"] == "GET, HEAD, OPTIONS, POST")
            for method in ["PUT", "DELETE", "PATCH", "TRACE", "GET"] {
                await client.send("\(method) /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
                let response = try await client.response()
                #expect(response.status == 405)
                #expect(response.headers["Allow"] == "POST, OPTIONS")
                #expect(response.text == "http.methodNotAllowed \(method) /echo - =x")
            }
            await client.close()
        }
    }

    @Test("404 for unknown paths, 501 for unknown methods and CONNECT (RFC 9110 §15.6.2)", arguments: Road.allCases)
    func unknown(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            for path in ["/", "/HEALTH", "/health/", "//health", "/./health", "/%68ealth%00", "/healt"] {
                await client.send(Raw.get(path))
                #expect(try await client.response().status == 404, "\(path)")
            }
            await client.send(Raw.get("/%68ealth"))
            #expect(try await client.response().text == "ok", "an escaped letter is the letter (RFC 3986 §6.2.2.2)")
            for method in ["get", "FOO", "PROPFIND"] {
                await client.send("\(method) /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
                let response = try await client.response()
                #expect(response.status == 501)
                #expect(response.text == "http.method.unknown \(method) /health - =x")
            }
            await client.send("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 501)
            #expect(response.headers["Connection"] == "close")
            #expect(await client.rest() == [])
            await client.close()
        }
    }

    @Test("Expect: 100-continue gets 100 when the body has not come (RFC 9110 §10.1.1)", arguments: Road.allCases)
    func expectContinue(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            for framing in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
                let chunked = framing.hasPrefix("T")
                let head = "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n\(framing)\r\n\r\n"
                await client.send(head)
                #expect(try await client.response().status == 100)
                await client.send(chunked ? "5\r\nhello\r\n0\r\n\r\n" : "hello")
                #expect(try await client.response().text == "hello")
            }
            await client.send(Raw.post("/echo", "hello", "Expect: 100-continue\r\n"))
            #expect(try await client.response().status == 200, "no 100 when the body came with the head")
            await client.send(Raw.get("/health", "Expect: 100-continue\r\n"))
            #expect(try await client.response().status == 200, "no 100 when there is no body")
            await client.send("POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
            await client.send("x")
            #expect(try await client.response().status == 200, "no 100 to HTTP/1.0")
            await client.close()
        }
    }

    @Test("Expect: anything else gets 417, a body too large 413 at once (RFC 9110 §10.1.1)", arguments: Road.allCases)
    func refusedExpectation(_ road: Road) async throws {
        try await Fixture.run(road, { $0.maximumBodySize = 10 }) { fixture in
            var client = try await fixture.client()
            await client.send(Raw.post("/echo", "x", "Expect: miracle\r\n"))
            let refused = try await client.response()
            #expect(refused.status == 417)
            #expect(refused.text == "http.expectation.failed POST /echo - =x")
            #expect(await client.rest() == [])
            await client.close()
            client = try await fixture.client()
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n")
            #expect(try await client.response().status == 413, "no 100 before it")
            await client.close()
        }
    }

    @Test("415 for a content coding that is not decoded (RFC 9110 §15.5.16)", arguments: Road.allCases)
    func contentCoding(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.post("/echo", "x", "Content-Encoding: gzip\r\n"))
            let response = try await client.response()
            #expect(response.status == 415)
            #expect(response.headers["Accept-Encoding"] == "identity")
            for coding in ["identity", "Identity", ""] {
                await client.send(Raw.post("/echo", "x", "Content-Encoding: \(coding)\r\n"))
                #expect(try await client.response().text == "x")
            }
            await client.close()
        }
    }

    @Test("a broken request gets its answer, then the end, and nothing behind it is read", arguments: Road.allCases)
    func broken(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let cases: [(String, Int, String)] = [
                ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "http.malformed GET / - ="),
                ("GET /a?b=c HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n", 400, "http.malformed GET /a b=c ="),
                ("BAD\u{01} / HTTP/1.1\r\n\r\n", 400, "http.malformed - - - ="),
                ("GET / HTTP/3.0\r\n\r\n", 505, "http.version.unsupported GET / - ="),
                ("GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 421, "http.misdirected GET https://a/ - ="),
                (
                    "POST /e HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501,
                    "http.transferCoding.unsupported POST /e - ="
                ),
                ("GET /" + String(repeating: "a", count: 9000), 414, "http.target.tooLong GET /aaaa"),
                ("GET /p?" + String(repeating: "a", count: 9000), 414, "http.target.tooLong GET /p aaaa"),
                ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 17000), 431, "http.head.tooLarge GET / - ="),
                (
                    "POST /e HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nX", 400,
                    "http.malformed POST /e - =abc"
                ),
                (
                    "POST /e HTTP/1.1\r\nHost: a\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 400,
                    "http.malformed POST /e - =abc"
                ),
            ]
            for (text, status, body) in cases {
                let client = try await fixture.client()
                await client.send(text + Raw.get("/health"))
                let response = try await client.response()
                #expect(response.status == status)
                #expect(response.text.hasPrefix(body))
                #expect(response.headers["Connection"] == "close")
                #expect(response.headers["Content-Type"] == "text/failure")
                #expect(await client.rest() == [])
                #expect(await !client.wasReset)
                await client.close()
            }
        }
    }

    @Test("413 tells what came of the body, and ends without a reset", arguments: Road.allCases)
    func bodyTooLarge(_ road: Road) async throws {
        try await Fixture.run(road, { $0.maximumBodySize = 10 }) { fixture in
            let head = "POST /echo HTTP/1.1\r\nHost: a\r\n"
            let chunked = "Transfer-Encoding: chunked\r\n\r\n"
            for (first, second, body) in [
                ("Content-Length: 100000\r\n\r\n", String(repeating: "x", count: 100_000), "xxxxxxxxxx"),
                ("Content-Length: 11\r\n\r\n", "", ""),
                ("Content-Length: 11\r\n\r\n", "abc", "abc"),
                (chunked, "F\r\n123456789abcdef\r\n0\r\n\r\n", "123456789a"),
                (chunked, "8\r\n12345678\r\n3\r\nabc\r\n0\r\n\r\n", "12345678ab"),
                (chunked, "FFFFFFFFFF\r\n", ""),
            ] {
                let client = try await fixture.client()
                await client.send(head + first)
                await client.send(second)
                let response = try await client.response()
                #expect(response.status == 413)
                #expect(response.text == "http.body.tooLarge POST /echo - =" + body)
                #expect(await client.rest() == [])
                #expect(await !client.wasReset)
                await client.close()
            }
        }
    }

    @Test("a client that stops sending still gets its answers (RFC 9112 §9.6)", arguments: Road.allCases)
    func halfClosed(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            var client = try await fixture.client()
            await client.send(Raw.get("/slow") + Raw.get("/path"))
            await client.endOutput()
            #expect(try await client.response().text == "slow")
            #expect(try await client.response().text == "/path?")
            #expect(await client.rest() == [])
            await client.close()
            for half in [
                "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n",
                "POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe",
            ] {
                client = try await fixture.client()
                await client.send(half)
                await client.endOutput()
                #expect(try await client.response().status == 400, "half a request (RFC 9112 §8)")
                #expect(await client.rest() == [])
                await client.close()
            }
            for nothing in ["", "\r", "\r\n"] {
                client = try await fixture.client()
                await client.send(nothing)
                await client.endOutput()
                #expect(await client.rest() == [], "nothing is said to who said nothing")
                await client.close()
            }
        }
    }

    @Test("handlers cannot break the framing or split the head (RFC 9110 §5.5)", arguments: Road.allCases)
    func ownFields(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/lies"))
            let response = try await client.response()
            #expect(response.headers.values(of: "Content-Length") == ["1"])
            #expect(!response.headers.contains("Transfer-Encoding"))
            #expect(response.headers.values(of: "Date").count == 1)
            #expect(response.headers["X"] == "a  Y: b")
            #expect(!response.headers.contains("Y"))
            await client.send(Raw.get("/100"))
            #expect(try await client.response().status == 500, "interim responses are the server's business")
            await client.close()
        }
    }

    @Test("a stream comes in chunks (RFC 9112 §7.1), to 1.0 until the end", arguments: Road.allCases)
    func stream(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/stream") + Raw.get("/health") + "GET /stream HTTP/1.0\r\n\r\n")
            let chunked = try await client.response()
            #expect(chunked.text == "onetwothree")
            #expect(chunked.headers["Transfer-Encoding"] == "chunked")
            #expect(chunked.headers["Content-Length"] == nil)
            #expect(try await client.response().text == "ok")
            let whole = try await client.response()
            #expect(whole.text == "onetwothree")
            #expect(whole.headers["Transfer-Encoding"] == nil)
            #expect(whole.headers["Connection"] == "close")
            await client.close()
        }
    }

    @Test("a stream may be written by an actor and by tasks of their own", arguments: Road.allCases)
    func streamFromElsewhere(_ road: Road) async throws {
        actor Author {
            func write(to writer: ResponseWriter) async throws {
                try await writer.write("actor,")
                try await Task.detached { try await writer.write("task,") }.value
            }
        }
        let handler: Handler = { _ in
            Response(
                body: .stream { writer in
                    try await Author().write(to: writer)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<3 {
                            group.addTask { try await writer.write([UInt8](repeating: 0x61, count: 70_000)) }
                        }
                        try await group.waitForAll()
                    }
                })
        }
        try await Fixture.run(road, handler: handler) { fixture in
            let client = try await fixture.client(receiveBuffer: 8192, handler: handler)
            await client.send(Raw.get("/"))
            let text = try await client.response().text
            #expect(text.hasPrefix("actor,task,aaa"))
            #expect(text.utf8.count == 11 + 210_000)
            await client.close()
        }
    }

    @Test("a writer kept beyond its response writes into no other", arguments: Road.allCases)
    func keptWriter(_ road: Road) async throws {
        let kept = Locked<ResponseWriter?>(nil)
        let handler: Handler = { request in
            Response(
                body: .stream { writer in
                    guard let old = kept.withLock({ $0 }) else { return kept.withLock { $0 = writer } }
                    try await writer.write("new,")
                    await #expect(throws: ResponseStreamError.self) { try await old.write("old,") }
                    try await writer.write("new")
                })
        }
        try await Fixture.run(road, handler: handler) { fixture in
            let client = try await fixture.client(handler: handler)
            await client.send(Raw.get("/") + Raw.get("/"))
            #expect(try await client.response().text == "")
            #expect(try await client.response().text == "new,new")
            await client.close()
        }
    }

    @Test("a stream that fails ends without its last chunk (RFC 9112 §8)", arguments: Road.allCases)
    func brokenStream(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/broken"))
            let text = String(decoding: await client.rest(), as: UTF8.self)
            #expect(text.hasSuffix("\r\n\r\n4\r\nhalf\r\n"))
            await client.close()
        }
    }

    @Test(
        "a stream that waits for events learns that its peer has gone, and no other stream is disturbed",
        arguments: Road.allCases)
    func streamOfEvents(_ road: Road) async throws {
        let (begun, gone, ended) = (Counter(), Counter(), Counter())
        let handler: Handler = { _ in
            Response(
                body: .stream { writer in
                    let gate = Gate()
                    writer.whenPeerIsGone {
                        gone.increment()
                        gate.open()
                    }
                    try await writer.write("begun")
                    begun.increment()
                    await gate.wait()
                    ended.increment()
                    await #expect(throws: ResponseStreamError.self) { try await writer.write("to nobody") }
                })
        }
        try await Fixture.run(road, handler: handler) { fixture in
            let goodbyes: [(HTTPTestClient) async -> Void] = [
                { await $0.close() }, { await $0.close(abort: true) }, { await $0.endOutput() },
            ]
            let stays = try await fixture.client(handler: handler)
            await stays.send(Raw.get("/"))
            #expect(await eventually { begun.value == 1 })
            for (number, goodbye) in goodbyes.enumerated() {
                let client = try await fixture.client(handler: handler)
                await client.send(Raw.get("/"))
                #expect(await eventually { begun.value == number + 2 })
                await goodbye(client)
                #expect(await eventually { ended.value == number + 1 })
                await client.close()
            }
            #expect(gone.value == 3)
            if road == .socket { #expect(fixture.server.connectionCount == 1) }
            #expect(await !stays.hasEnded)
            await stays.close()
            #expect(await eventually { ended.value == 4 })
        }
    }

    @Test("a handler of the peer's going is called once, never after the end, and at once when it is set too late")
    func goneOnce() async throws {
        let (early, late) = (Counter(), Counter())
        let kept = Locked<ResponseWriter?>(nil)
        let handler: Handler = { request in
            Response(
                body: .stream { writer in
                    writer.whenPeerIsGone { early.increment() }
                    kept.withLock { $0 = writer }
                    try await writer.write(request.path)
                })
        }
        try await Fixture.run(.socket, handler: handler) { fixture in
            let client = try await fixture.client()
            // What is sent behind the request is answered in its turn.
            await client.send(Raw.get("/1") + Raw.get("/2"))
            #expect(try await client.response().text == "/1")
            #expect(try await client.response().text == "/2")
            kept.withLock { $0 }?.whenPeerIsGone { late.increment() }
            #expect(await eventually { late.value == 1 })
            await client.close()
            #expect(await eventually { fixture.server.connectionCount == 0 })
            #expect(early.value == 0)
        }
    }

    @Test("a peer that sends no more still gets the rest of a stream that does not ask", arguments: Road.allCases)
    func halfClosedStream(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/slow") + Raw.get("/stream"))
            await client.endOutput()
            #expect(try await client.response().text == "slow")
            #expect(try await client.response().text == "onetwothree")
            await client.close()
        }
    }

    @Test("a large response arrives whole however slowly it is read", arguments: Road.allCases)
    func large(_ road: Road) async throws {
        try await Fixture.run(road) { fixture in
            let client = try await fixture.client(receiveBuffer: road == .socket ? 65536 : 8192)
            await client.send(Raw.get("/big") + Raw.get("/health", "Connection: close\r\n"))
            #expect(try await client.response().body.count == 8 << 20)
            #expect(try await client.response().text == "ok")
            await client.close()
        }
    }

    @Test("limits and deadlines without bound have no effect", arguments: Road.allCases)
    func unlimited(_ road: Road) async throws {
        let change = { (configuration: inout HTTPServerConfiguration) in
            configuration.maximumRequestLineSize = .max
            configuration.maximumHeadSize = .max
            configuration.maximumHeaderCount = .max
            configuration.maximumBodySize = .max
            configuration.maximumConnections = .max
            for deadline in [
                \HTTPServerConfiguration.firstByteDeadline, \.headDeadline, \.bodyDeadline, \.keepAliveDeadline,
                \.writeDeadline, \.lingerDeadline,
            ] {
                configuration[keyPath: deadline] = .seconds(Int64.max)
            }
        }
        try await Fixture.run(road, change) { fixture in
            let client = try await fixture.client()
            let path = "/path?" + String(repeating: "a", count: 100_000)
            await client.send(Raw.get(path, "X: " + String(repeating: "b", count: 100_000) + "\r\n"))
            #expect(try await client.response().text == path)
            let body = String(repeating: "c", count: 300_000)
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\nConnection: close\r\n\r\n")
            await client.send(body)
            #expect(try await client.response().text == body)
            await client.close()
        }
    }

    @Test("both ways of the loop to learn of sockets serve alike", arguments: PollingMechanism.allCases)
    func mechanisms(_ mechanism: PollingMechanism) async throws {
        try await Fixture.run(mechanism: mechanism) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/slow") + Raw.post("/echo", "hello") + Raw.get("/stream") + Raw.get("/big"))
            #expect(try await client.response().text == "slow")
            #expect(try await client.response().text == "hello")
            #expect(try await client.response().text == "onetwothree")
            #expect(try await client.response().body.count == 8 << 20)
            await client.send(Raw.get("/health", "Connection: close\r\n"))
            #expect(try await client.response().text == "ok")
            #expect(await client.rest() == [])
            await client.close()
            #expect(await eventually { fixture.server.connectionCount == 0 })
        }
    }
}
