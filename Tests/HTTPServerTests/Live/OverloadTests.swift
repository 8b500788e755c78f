import EventLoop
import Testing

@testable import HTTPServer
@testable import HTTPServerTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("Overload", .serialized, .timeLimit(.minutes(1)))
struct OverloadTests {
    @Test(
        "a connection too many: its request is read, answered 503 with Retry-After, and the end",
        arguments: Road.allCases)
    func refused(_ road: Road) async throws {
        try await Fixture.run(
            road,
            {
                $0.maximumConnections = 2
                $0.retryAfterSeconds = 7
            }
        ) { fixture in
            var held: [HTTPTestClient] = []
            for _ in 0..<2 {
                let client = try await fixture.client()
                await client.send(Raw.get("/health"))
                #expect(try await client.response().status == 200)
                // The beginning of the next one: a connection without a request would give way.
                await client.send("GET /health HT")
                held.append(client)
            }
            let client =
                switch road {
                case .socket: try await fixture.client()
                case .inProcess:
                    await HTTPTestClient.inProcess(
                        configuration: fixture.configuration, errorRenderer: Fixture.errorRenderer, isOverload: true,
                        on: fixture.loop, handler: Fixture.routes)
                }
            // In one piece: a request over the limit has a second to come.
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
            let response = try await client.response()
            #expect(response.status == 503)
            #expect(response.headers["Retry-After"] == "7")
            #expect(response.headers["Connection"] == "close")
            #expect(response.text == "http.overloaded POST /echo - =hello")
            #expect(await client.rest() == [])
            #expect(await !client.wasReset)
            await client.close()
            for client in held { await client.close() }
            #expect(await eventually { fixture.server.connectionCount == 0 })
            let next = try await fixture.client()
            await next.send(Raw.get("/health"))
            #expect(try await next.response().status == 200, "there is room again")
            await next.close()
        }
    }

    @Test("where all places are taken, a connection without a request gives way, and one that sends a request does not")
    func givesWay() async throws {
        try await Fixture.run(.socket, { $0.maximumConnections = 3 }) { fixture in
            let (idle, silent, busy) = try await (fixture.client(), fixture.client(), fixture.client())
            for client in [idle, busy] {
                await client.send(Raw.get("/health"))
                #expect(try await client.response().status == 200)
            }
            await busy.send("GET /health HTTP/1.1\r\n")
            var newcomers: [HTTPTestClient] = []
            while newcomers.count < 2 {
                let client = try await fixture.client()
                await client.send("GET /health HTTP/1.1\r\n")
                await client.send("Host: a\r\n\r\n")
                if try await client.response().status == 200 {
                    // It has a request that does not end, so it does not give way in its turn.
                    await client.send("GET /health HTTP/1.1\r\n")
                    newcomers.append(client)
                } else {
                    await client.close()
                }
            }
            for client in [idle, silent] {
                #expect(await client.rest() == [])
                #expect(await !client.wasReset)
                await client.close()
            }
            await busy.send("Host: a\r\n\r\n")
            #expect(try await busy.response().status == 200)
            for client in newcomers + [busy] { await client.close() }
        }
    }

    @Test("a connection over the limit that sends nothing gets a 503 after a second")
    func silent() async throws {
        try await Fixture.run(.socket, { $0.maximumConnections = 0 }) { fixture in
            let client = try await fixture.client()
            #expect(try await client.response().status == 503)
            await client.close()
        }
    }

    @Test("a limit per client address")
    func perAddress() async throws {
        try await Fixture.run(.socket, { $0.maximumConnectionsPerAddress = 1 }) { fixture in
            let first = try await fixture.client()
            await first.send(Raw.get("/health"))
            #expect(try await first.response().status == 200)
            let second = try await fixture.client()
            await second.send(Raw.get("/health"))
            #expect(try await second.response().status == 503)
            await second.close()
            await first.send(Raw.get("/health"))
            #expect(try await first.response().status == 200)
            await first.close()
            #expect(await eventually { fixture.server.connectionCount == 0 })
            let third = try await fixture.client()
            await third.send(Raw.get("/health"))
            #expect(try await third.response().status == 200)
            await third.close()
        }
    }

    @Test("admission counts in all, per loop and per address, and evens out the loops")
    func admission() {
        let admission = Admission(loops: 2, limit: 3, limitPerAddress: 2, unlimited: [AddressRange("10.0.0.3")!])
        let (a, b, c) = (
            SocketAddress(10, 0, 0, 1, port: 1), SocketAddress(10, 0, 0, 2, port: 1),
            SocketAddress(10, 0, 0, 3, port: 1)
        )
        #expect(admission.admit(a) == .serve(loop: 0))
        #expect(admission.admit(a) == .serve(loop: 1))
        #expect(admission.admit(a) == .refuse(loop: 0))
        admission.release(a, on: 0)
        admission.release(a, on: 0)
        #expect(admission.admit(a) == .serve(loop: 0))
        #expect(admission.admit(b) == .serve(loop: 0))
        #expect(admission.admit(b) == .replace(loop: 1))
        #expect(admission.admit(b) == .refuse(loop: 0))
        for loop in [1, 0, 1] { #expect(admission.admit(c) == .replace(loop: loop)) }
        #expect(!admission.isFull)
        while !admission.isFull { _ = admission.admit(b) }
        #expect(admission.total == 3 + 256)
    }

    @Test("few connections keep one loop awake, and each so many more wake another one")
    func awakeLoops() {
        let admission = Admission(loops: 3, connectionsPerLoop: 2, limit: 100, limitPerAddress: nil)
        let address = SocketAddress(10, 0, 0, 1, port: 1)
        for loop in [0, 0, 1, 1, 2, 2, 0, 1, 2] { #expect(admission.admit(address) == .serve(loop: loop)) }
        for loop in [0, 0, 0, 1, 1, 2, 2, 2] { admission.release(address, on: loop) }
        // One is left, on the second: the first is awake, and takes the next one.
        #expect(admission.admit(address) == .serve(loop: 0))
    }

    @Test("all addresses of one /64 of IPv6 count as one")
    func network() {
        func address(_ high: UInt64, _ low: UInt64) -> SocketAddress {
            SocketAddress(ip: SocketAddress.IP(ipv6High: high, low: low), port: 1)
        }
        let admission = Admission(loops: 1, limit: 10, limitPerAddress: 2)
        let (home, other) = (UInt64(0x2001_0db8_0000_0001), UInt64(0x2001_0db8_0000_0002))
        #expect(admission.admit(address(home, 1)) == .serve(loop: 0))
        #expect(admission.admit(address(home, 2)) == .serve(loop: 0))
        #expect(admission.admit(address(home, 3)) == .refuse(loop: 0))
        #expect(admission.admit(address(other, 1)) == .serve(loop: 0))
        admission.release(address(home, 2), on: 0)
        admission.release(address(home, 3), on: 0)
        #expect(admission.admit(address(home, 4)) == .serve(loop: 0))
    }

    @Test("connections leave some of the descriptors to others", arguments: [(64, 28), (1024, 840), (20000, 18494)])
    func reserve(descriptors: Int, served: Int) {
        let admission = Admission(loops: 1, limit: .max, limitPerAddress: nil, descriptors: descriptors)
        let address = SocketAddress(10, 0, 0, 1, port: 1)
        for _ in 0..<served { #expect(admission.admit(address) == .serve(loop: 0)) }
        #expect(admission.admit(address) == .replace(loop: 0))
        while !admission.isFull { _ = admission.admit(address) }
        #expect(admission.total < descriptors)
    }

    @Test("a flood of connections leaves nothing behind")
    func flood() async throws {
        try await Fixture.run(.socket, loops: 2) { fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        for round in 0..<100 {
                            let client = try await fixture.client()
                            if round % 3 == 0 { await client.send(Raw.get("/health")) }
                            if round % 7 == 0 { await client.send("GET / HT") }
                            await client.close(abort: (round + number).isMultiple(of: 2))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(await eventually { fixture.server.connectionCount == 0 })
            let client = try await fixture.client()
            await client.send(Raw.get("/health"))
            #expect(try await client.response().status == 200)
            await client.close()
        }
    }

    @Test(
        "a client that goes away at any moment takes nothing along",
        arguments: ["/big", "/endless", "/stream", "/slow"])
    func vanishing(_ path: String) async throws {
        try await Fixture.run(.socket, loops: 2) { fixture in
            for round in 0..<40 {
                let client = try await fixture.client(receiveBuffer: 4096)
                await client.send(Raw.get(path) + Raw.get("/health"))
                if round.isMultiple(of: 4) { try await Task.sleep(for: .milliseconds(round / 4)) }
                await client.close(abort: round.isMultiple(of: 2))
            }
            #expect(await eventually { fixture.server.connectionCount == 0 })
            let client = try await fixture.client()
            await client.send(Raw.get("/health"))
            #expect(try await client.response().status == 200)
            await client.close()
        }
    }

    @Test("a gigantic pipeline that is not read costs the server next to nothing")
    func pipelineFlood() async throws {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop(label: "test")
            let server = HTTPServer(loops: [loop], handler: Fixture.routes)
            let address = try await server.start()
            let client = try await HTTPTestClient.connect(to: address, receiveBuffer: 4096, on: loop)
            let pipeline = Array(String(repeating: Raw.get("/health"), count: 50_000).utf8)
            await client.send(pipeline)
            let before = residentBytes()
            for _ in 0..<10 { await client.send(pipeline) }
            let other = try await HTTPTestClient.connect(to: address, on: loop)
            for _ in 0..<10 {
                await other.send(Raw.get("/health"))
                #expect(try await other.response().status == 200, "others are served meanwhile")
                try await Task.sleep(for: .milliseconds(50))
            }
            // What the client could not send is its own: ten pipelines, in an array that grows by doubling.
            #expect(residentBytes() - before < 4 * 10 * pipeline.count)
        }
    }

    @Test("no descriptors left: accepting pauses, nothing spins, and goes on when there are some again")
    func descriptors() async throws {
        // Played, not done: libdispatch ends a process that is really out of descriptors.
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let descriptor = try Sockets.listen(host: "127.0.0.1", port: 0, backlog: 16)
        let address = try Sockets.localAddress(of: descriptor)
        let (attempts, adopted, free) = (Counter(), Counter(), Counter())
        let acceptor = Confined(
            Acceptor(
                descriptor: descriptor, loop: loop,
                admission: Admission(loops: 1, limit: 10, limitPerAddress: nil),
                acceptNext: { descriptor in
                    attempts.increment()
                    return free.value == 0 ? .exhausted : Sockets.accept(descriptor)
                },
                adopt: { socket, _, _ in
                    adopted.increment()
                    Sockets.close(socket)
                }), to: loop)
        try await loop.run { try acceptor.value.start() }
        let client = try ClientSocket.connect(to: address, receiveBuffer: nil)
        #expect(await eventually { attempts.value > 0 })
        try await Task.sleep(for: .milliseconds(400))
        #expect((2...12).contains(attempts.value), "one attempt every 50 ms, \(attempts.value)")
        free.increment()
        #expect(await eventually { adopted.value == 1 })
        try await loop.run { acceptor.value.stop() }
        Sockets.close(client)
    }

    @Test("out of descriptors at the moment of the shutdown: the acceptor ends, and nothing of it is called later")
    func exhaustedAtShutdown() async throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let descriptor = try Sockets.listen(host: "127.0.0.1", port: 0, backlog: 16)
        try await loop.run {
            let acceptor = Acceptor(
                descriptor: descriptor, loop: loop, admission: Admission(loops: 1, limit: 10, limitPerAddress: nil),
                acceptNext: { _ in .exhausted }, adopt: { _, _, _ in })
            try acceptor.start()
            acceptor.stop()
        }
        // Longer than accepting pauses: timers fire in the order of their times.
        await withCheckedContinuation { continuation in
            loop.execute { loop.schedule(after: .milliseconds(100)) { continuation.resume() } }
        }
    }

    @Test("the kernel asks a silent client whether it is still there")
    func keepAliveProbes() async throws {
        let descriptor = try Sockets.listen(host: "127.0.0.1", port: 0, backlog: 16)
        defer { Sockets.close(descriptor) }
        let client = try ClientSocket.connect(to: try Sockets.localAddress(of: descriptor), receiveBuffer: nil)
        defer { Sockets.close(client) }
        guard case .connection(let accepted, _) = Sockets.accept(descriptor) else {
            Issue.record("nobody was accepted")
            return
        }
        defer { Sockets.close(accepted) }
        var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        #expect(getsockopt(accepted, SOL_SOCKET, SO_KEEPALIVE, &value, &length) == 0)
        #expect(value != 0)
    }

    @Test("an idle connection costs at most 4 KiB")
    func idleMemory() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            _ = Sockets.raiseDescriptorLimit()
            let loop = try EventLoop(label: "test")
            let server = HTTPServer(loops: [loop], handler: Fixture.routes)
            let address = try await server.start()
            let request = Array(Raw.get("/health").utf8)
            var clients: [Int32] = []
            func open(_ count: Int) async throws {
                for _ in 0..<count {
                    let client = try ClientSocket.connect(to: address, receiveBuffer: nil)
                    _ = request.withUnsafeBytes { systemSend(client, $0, more: false) }
                    clients.append(client)
                }
                let expected = clients.count
                #expect(await eventually { server.connectionCount == expected })
                try await Task.sleep(for: .milliseconds(100))
            }
            try await open(100)
            let before = residentBytes()
            try await open(2000)
            let each = (residentBytes() - before) / 2000
            print("\(each) bytes of resident memory for each idle connection")
            #expect(each < 4096)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        print(String(output.split(separator: "\n").first { $0.contains("resident") } ?? "nothing measured"))
    }
}

/// The memory of this process that is resident.
func residentBytes() -> Int {
    #if os(Linux)
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        guard fgets(&buffer, 256, file) != nil else { return 0 }
        let numbers = String(decoding: buffer.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
        return (Int(numbers[1]) ?? 0) * Int(getpagesize())
    #else
        return 0
    #endif
}
