import EventLoop
import Testing

@testable import HTTPServer
@testable import HTTPServerTesting

@Suite("Start and shutdown", .serialized, .timeLimit(.minutes(1)))
struct ShutdownTests {
    @Test("a port in use is an error that says so")
    func portInUse() async throws {
        try await Fixture.run { fixture in
            let second = HTTPServer(
                configuration: HTTPServerConfiguration(port: fixture.address.port), loops: [fixture.loop],
                handler: Fixture.routes)
            let error = await #expect(throws: HTTPServerError.self) { try await second.start() }
            #expect(error?.description == "port \(fixture.address.port) on 127.0.0.1 is in use by another process")
        }
    }

    @Test(
        "a host that is not an address of this machine is an error that says so",
        arguments: ["192.0.2.1", "no.such.host.invalid"])
    func unknownHost(_ host: String) async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(host: host), loops: [loop], handler: Fixture.routes)
        let error = await #expect(throws: HTTPServerError.self) { try await server.start() }
        #expect(error?.description == "\(host) is not an address of this machine")
    }

    @Test("starting twice is an error")
    func startedTwice() async throws {
        try await Fixture.run { fixture in
            let error = await #expect(throws: HTTPServerError.self) { try await fixture.server.start() }
            #expect(error?.description == "the server was started or shut down before")
        }
    }

    @Test("IPv6 and all interfaces are served", arguments: ["::1", "::", "0.0.0.0", "localhost"])
    func hosts(_ host: String) async throws {
        try await Fixture.run(.socket, { $0.host = host }) { fixture in
            let address =
                host == "::1"
                ? fixture.address : SocketAddress(127, 0, 0, 1, port: fixture.address.port)
            let client = try await HTTPTestClient.connect(to: address, on: fixture.loop)
            await client.send(Raw.get("/health"))
            #expect(try await client.response().status == 200)
            await client.close()
        }
    }

    @Test("requests under way are answered with Connection: close")
    func underWay() async throws {
        let (began, finish) = (Counter(), Gate())
        let handler: Handler = { _ in
            began.increment()
            await finish.wait()
            return .text("done")
        }
        try await Fixture.run(loops: 2, handler: handler) { fixture in
            var clients: [HTTPTestClient] = []
            for _ in 0..<8 {
                let client = try await fixture.client()
                await client.send(Raw.get("/"))
                clients.append(client)
            }
            #expect(await eventually { began.value == 8 })
            async let shutdown: Void = fixture.server.shutdown()
            #expect(await eventually { await fixture.isRefusing })
            finish.open()
            for client in clients {
                let response = try await client.response()
                #expect(response.text == "done")
                #expect(response.headers["Connection"] == "close")
                #expect(await client.rest() == [])
                await client.close()
            }
            await shutdown
        }
    }

    @Test("pipelined requests that have come are all answered, the last with Connection: close")
    func pipelined() async throws {
        let (began, finish) = (Counter(), Gate())
        let handler: Handler = { request in
            began.increment()
            await finish.wait()
            return .text(request.path)
        }
        try await Fixture.run(handler: handler) { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/1") + Raw.get("/2") + Raw.get("/3"))
            #expect(await eventually { began.value == 1 })
            async let shutdown: Void = fixture.server.shutdown()
            #expect(await eventually { await fixture.isRefusing })
            finish.open()
            for path in ["/1", "/2", "/3"] {
                let response = try await client.response()
                #expect(response.text == path)
                #expect(response.headers["Connection"] == (path == "/3" ? "close" : nil))
            }
            #expect(await client.rest() == [])
            await client.close()
            await shutdown
        }
    }

    @Test("half a request may still become whole")
    func halfRequest() async throws {
        try await Fixture.run { fixture in
            let client = try await fixture.client()
            await client.send("GET /health HTTP/1.1\r\n")
            #expect(await eventually { fixture.server.connectionCount == 1 })
            try await Task.sleep(for: .milliseconds(20))
            async let shutdown: Void = fixture.server.shutdown()
            #expect(await eventually { await fixture.isRefusing })
            try await Task.sleep(for: .milliseconds(100))
            await client.send("Host: a\r\n\r\n")
            let response = try await client.response()
            #expect(response.text == "ok")
            #expect(response.headers["Connection"] == "close")
            await client.close()
            await shutdown
        }
    }

    @Test("idle connections have a moment for a request on its way, then they close")
    func idle() async throws {
        try await Fixture.run(.socket, { $0.shutdownGrace = .seconds(2) }) { fixture in
            let quick = try await fixture.client()
            let idle = try await fixture.client()
            #expect(await eventually { fixture.server.connectionCount == 2 })
            async let shutdown: Void = fixture.server.shutdown()
            #expect(await eventually { await fixture.isRefusing })
            await quick.send(Raw.get("/health"))
            #expect(try await quick.response().headers["Connection"] == "close")
            #expect(await idle.rest() == [])
            #expect(await !idle.wasReset)
            await quick.close()
            await idle.close()
            await shutdown
        }
    }

    @Test("no connection is accepted any more; those that had connected before are served")
    func backlog() async throws {
        try await Fixture.run { fixture in
            let request = Array(Raw.get("/health").utf8)
            // The loop is kept busy, so that these connections wait in the kernel.
            let gate = Gate()
            async let busy: Void = fixture.loop.run {
                var descriptors: [Int32] = []
                for _ in 0..<20 {
                    descriptors.append(try ClientSocket.connect(to: fixture.address, receiveBuffer: nil))
                }
                for descriptor in descriptors {
                    _ = request.withUnsafeBytes { systemSend(descriptor, $0, more: false) }
                }
                gate.open()
                for descriptor in descriptors { Sockets.close(descriptor) }
            }
            await gate.wait()
            try await busy
            await fixture.server.shutdown()
            await #expect(throws: SystemError.self) { try await fixture.client() }
        }
    }

    @Test("the deadline cuts off what is left")
    func deadline() async throws {
        try await Fixture.run { fixture in
            let client = try await fixture.client()
            await client.send(Raw.get("/endless"))
            #expect(await eventually { fixture.server.connectionCount == 1 })
            let start = ContinuousClock.now
            await fixture.server.shutdown(deadline: .milliseconds(200))
            #expect((.milliseconds(190)..<(.seconds(30))).contains(ContinuousClock.now - start))
            #expect(fixture.server.connectionCount == 0)
            _ = await client.rest()
            await client.close()
        }
    }

    @Test("run serves until its task is cancelled; shutting down twice is as good as once")
    func run() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let server = HTTPServer(loops: [loop], handler: Fixture.routes)
        let address = try await server.start()
        let serving = Task { try await server.run() }
        let client = try await HTTPTestClient.connect(to: address, on: loop)
        await client.send(Raw.get("/health", "Connection: close\r\n"))
        #expect(try await client.response().status == 200)
        await client.close()
        serving.cancel()
        try await serving.value
        await server.shutdown()
        #expect(server.isShuttingDown)
        #expect(server.connectionCount == 0)
    }

    @Test("a server that never started shuts down at once")
    func neverStarted() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let server = HTTPServer(loops: [loop], handler: Fixture.routes)
        await server.shutdown()
        await #expect(throws: HTTPServerError.self) { try await server.start() }
    }
}
