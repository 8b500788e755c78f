import Testing

@testable import HTTPServer
@testable import HTTPServerTesting

@Suite("Deadlines", .serialized, .timeLimit(.minutes(1)))
struct DeadlineTests {
    @Test("a head that does not end in time: 408 with what is known, then the end", arguments: Road.allCases)
    func head(_ road: Road) async throws {
        try await Fixture.run(road, { $0.headDeadline = .milliseconds(200) }) { fixture in
            let client = try await fixture.client()
            let start = ContinuousClock.now
            await client.send("GET /health?a HTTP/1.1\r\n")
            // A byte now and then buys no time.
            let trickle = Task {
                while !Task.isCancelled {
                    await client.send("X")
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let response = try await client.response()
            trickle.cancel()
            #expect(response.status == 408)
            #expect(response.text == "http.timeout GET /health a =")
            #expect(response.headers["Connection"] == "close")
            #expect((.milliseconds(190)..<(.seconds(30))).contains(ContinuousClock.now - start))
            #expect(await client.rest() == [])
            await client.close()
        }
    }

    @Test("a body that does not end in time: 408 with what came of it", arguments: Road.allCases)
    func body(_ road: Road) async throws {
        try await Fixture.run(road, { $0.bodyDeadline = .milliseconds(100) }) { fixture in
            let client = try await fixture.client()
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhel")
            let response = try await client.response()
            #expect(response.status == 408)
            #expect(response.text == "http.timeout POST /echo - =hel")
            #expect(await client.rest() == [])
            await client.close()
        }
    }

    @Test("a connection that never sends a byte is closed without a word", arguments: Road.allCases)
    func firstByte(_ road: Road) async throws {
        try await Fixture.run(road, { $0.firstByteDeadline = .milliseconds(200) }) { fixture in
            let start = ContinuousClock.now
            let silent = try await fixture.client()
            #expect(await silent.rest() == [])
            #expect((.milliseconds(190)..<(.seconds(30))).contains(ContinuousClock.now - start))
            await silent.close()
            let used = try await fixture.client()
            await used.send(Raw.get("/health"))
            #expect(try await used.response().status == 200)
            try await Task.sleep(for: .milliseconds(400))
            await used.send(Raw.get("/health"))
            #expect(try await used.response().status == 200, "the time between requests is another")
            await used.close()
        }
    }

    @Test("a connection without another request is closed without a word; each request starts the time anew")
    func idle() async throws {
        try await Fixture.run(.socket, { $0.keepAliveDeadline = .seconds(3) }) { fixture in
            let used = try await fixture.client()
            let start = ContinuousClock.now
            for _ in 0..<5 {
                await used.send(Raw.get("/health"))
                #expect(try await used.response().status == 200)
                try await Task.sleep(for: .milliseconds(700))
            }
            #expect(await used.rest() == [])
            #expect(ContinuousClock.now - start > .seconds(5.5))
            await used.close()
        }
    }

    @Test("a slow writer who is done within the deadline is served", arguments: Road.allCases)
    func slowWriter(_ road: Road) async throws {
        let deadlines = { (configuration: inout HTTPServerConfiguration) in
            configuration.headDeadline = .seconds(20)
            configuration.keepAliveDeadline = .seconds(1)
        }
        try await Fixture.run(road, deadlines) { fixture in
            let client = try await fixture.client()
            await client.send("P")
            for byte in Raw.post("/echo", "hello").utf8.dropFirst() {
                await client.send([byte])
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await client.response().text == "hello")
            await client.close()
        }
    }

    @Test("the time that a handler takes counts against no deadline", arguments: Road.allCases)
    func handler(_ road: Road) async throws {
        let deadlines = { (configuration: inout HTTPServerConfiguration) in
            configuration.headDeadline = .milliseconds(20)
            configuration.bodyDeadline = .milliseconds(20)
            configuration.writeDeadline = .milliseconds(20)
        }
        try await Fixture.run(road, deadlines) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/slow"))
            #expect(try await client.response().text == "slow")
            await client.close()
        }
    }

    @Test(
        "a peer that does not read is cut off, whatever it asked for", arguments: Road.allCases, ["/big", "/endless"])
    func noReader(_ road: Road, path: String) async throws {
        try await Fixture.run(road, { $0.writeDeadline = .milliseconds(200) }) { fixture in
            let client = try await fixture.client(receiveBuffer: 4096)
            await client.send(Raw.get(path))
            #expect(await eventually { await client.hasEnded })
            #expect(await client.wasReset)
            await client.close()
        }
    }

    @Test("a peer that lingers after the last response is cut off")
    func linger() async throws {
        try await Fixture.run(.socket, { $0.lingerDeadline = .milliseconds(300) }) { fixture in
            let client = try ClientSocket.connect(to: fixture.address, receiveBuffer: nil)
            defer { Sockets.close(client) }
            let start = ContinuousClock.now
            _ = Array(Raw.get("/close").utf8).withUnsafeBytes { systemSend(client, $0, more: false) }
            #expect(await eventually { fixture.server.connectionCount == 1 })
            #expect(await eventually { fixture.server.connectionCount == 0 })
            #expect(ContinuousClock.now - start >= .milliseconds(290))
        }
    }
}

/// Whether the condition comes true within some seconds.
func eventually(_ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return await condition()
}
