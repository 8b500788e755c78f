import EventLoop
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite("Clients that do not read", .timeLimit(.minutes(1)))
struct SlowReaderTests {
    private static let megabyte = 1 << 20

    /// More than the kernel takes for a client that does not read.
    private static let size = 8 * megabyte

    private static func document() -> SharedBytes { SharedBytes([UInt8](repeating: 0x61, count: size)) }

    /// Whether the client gets a body of the size.
    private static func isWhole(_ client: HTTPTestClient, _ size: Int = size) async throws -> Bool {
        try await client.response().body.count == size
    }

    /// Clients that have asked and take nothing, each when the one before has been answered.
    private static func slowClients(
        _ count: Int, of path: String, _ fixture: Fixture
    ) async throws -> [HTTPTestClient] {
        var clients: [HTTPTestClient] = []
        for _ in 0..<count {
            let sent = fixture.server.statistics.bytesSent
            let client = try await fixture.client(receiveBuffer: 4096)
            clients.append(client)
            await client.send(Raw.get(path))
            #expect(await eventually { fixture.server.statistics.bytesSent > sent })
        }
        return clients
    }

    @Test(
        "share one copy of a document, which each of them can have whole in the end, or a part of it",
        arguments: [nil, 1..<size - 1])
    func sharedDocument(part: Range<Int>?) async throws {
        let document = Self.document()
        let handler: Handler = { $0.path == "/document" ? Response(body: .shared(document, part: part)) : .text("ok") }
        try await Fixture.run(.socket, { $0.maximumBufferSize = 2 * Self.megabyte }, handler: handler) { fixture in
            let clients = try await Self.slowClients(50, of: "/document", fixture)
            let other = try await fixture.client()
            await other.send(Raw.get("/other"))
            #expect(try await other.response().text == "ok")
            #expect(fixture.server.statistics.bytesBuffered == 0)
            #expect(fixture.server.connectionCount == 51)
            for client in clients.prefix(3) { #expect(try await Self.isWhole(client, part?.count ?? Self.size)) }
            #expect(fixture.server.statistics.connectionsCutOff == 0)
        }
    }

    @Test("are cut off when only they keep the document, and it is too large for what all may hold")
    func documentLetGo() async throws {
        let (old, new) = (Self.document(), Self.document())
        let handler: Handler = { Response(body: .shared($0.path == "/old" ? old : new)) }
        try await Fixture.run(.socket, { $0.maximumBufferSize = 2 * Self.megabyte }, handler: handler) { fixture in
            _ = try await Self.slowClients(5, of: "/old", fixture)
            old.letGo()
            #expect(fixture.server.statistics.bytesBuffered == Self.size)
            let current = try await Self.slowClients(1, of: "/new", fixture)
            #expect(await eventually { fixture.server.statistics.connectionsCutOff == 5 })
            #expect(await eventually { fixture.server.connectionCount == 1 })
            #expect(fixture.server.statistics.bytesBuffered == 0)
            #expect(try await Self.isWhole(current[0]))
        }
    }

    @Test("never hold more than the limit for all together: the one that has not read for the longest is cut off")
    func ownBytes() async throws {
        let limit = 40 * Self.megabyte
        let handler: Handler = { _ in Response(body: .bytes([UInt8](repeating: 0x61, count: Self.size))) }
        try await Fixture.run(.socket, { $0.maximumBufferSize = limit }, handler: handler) { fixture in
            var (clients, most): ([HTTPTestClient], Int) = ([], 0)
            for _ in 0..<12 {
                clients += try await Self.slowClients(1, of: "/", fixture)
                most = max(most, fixture.server.statistics.bytesBuffered)
            }
            #expect(most <= limit && most > limit / 2)
            #expect(fixture.server.statistics.connectionsCutOff >= 5)
            await #expect(throws: HTTPTestError.self) { _ = try await Self.isWhole(clients[0]) }
            #expect(try await Self.isWhole(clients[11]))
            for client in clients { await client.close(abort: true) }
            #expect(await eventually { fixture.server.statistics.bytesBuffered == 0 })
        }
    }

    @Test("count, too, when it is their request that does not come whole")
    func requests() async throws {
        try await Fixture.run(
            .socket,
            {
                $0.maximumBufferSize = 256 << 10
                $0.maximumBodySize = 64 << 10
            }
        ) { fixture in
            var clients: [HTTPTestClient] = []
            for _ in 0..<20 {
                let received = fixture.server.statistics.bytesReceived
                clients.append(try await fixture.client())
                await clients.last?.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n")
                await clients.last?.send([UInt8](repeating: 0x61, count: 60000))
                #expect(await eventually { fixture.server.statistics.bytesReceived >= received + 60000 })
                #expect(fixture.server.statistics.bytesBuffered <= 256 << 10)
            }
            #expect(fixture.server.statistics.connectionsCutOff >= 10)
            await clients.last?.send([UInt8](repeating: 0x61, count: 5536))
            #expect(try await Self.isWhole(clients[19], 65536))
        }
    }

    @Test("get what follows a part of a turn's share in the next turns", arguments: Road.allCases)
    func quantum(road: Road) async throws {
        let bytes = (0..<3 * OutputQueue.quantum + 17).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
        let document = SharedBytes(bytes)
        let part = 5..<bytes.count - 3
        let handler: Handler = { Response(body: .shared(document, part: $0.path == "/part" ? part : nil)) }
        try await Fixture.run(road, handler: handler) { fixture in
            let client = try await fixture.client(handler: handler)
            for path in ["/", "/part", "/"] {
                await client.send(Raw.get(path))
                let isWhole = try await client.response().body == (path == "/part" ? Array(bytes[part]) : bytes)
                #expect(isWhole)
            }
        }
    }
}
