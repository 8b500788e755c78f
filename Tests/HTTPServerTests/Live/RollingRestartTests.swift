import EventLoop
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite("Rolling restart", .timeLimit(.minutes(2)))
struct RollingRestartTests {
    /// A server that is replaced by a new one on another port.
    private final class Instance: Sendable {
        let loop: EventLoop
        private let current: Locked<(HTTPServer, SocketAddress)>

        init(_ label: String) async throws {
            loop = try EventLoop(label: label)
            current = Locked(try await Self.start(on: loop))
        }

        var address: SocketAddress { current.withLock { $0.1 } }

        func restart() async throws {
            let next = try await Self.start(on: loop)
            let old = current.withLock { current in
                defer { current = next }
                return current.0
            }
            await old.shutdown()
        }

        func stop() async {
            await current.withLock { $0.0 }.shutdown(deadline: .zero)
            loop.shutdown()
        }

        private static func start(on loop: EventLoop) async throws -> (HTTPServer, SocketAddress) {
            var configuration = HTTPServerConfiguration()
            // Clients that share two cores with other tests may pause longer between two requests than the default
            // allows.
            configuration.shutdownGrace = .seconds(3)
            let server = HTTPServer(configuration: configuration, loops: [loop]) { request in
                await Task.yield()
                return Response(body: .bytes(request.body))
            }
            return (server, try await server.start())
        }
    }

    @Test("of two instances under load, time and again, loses no request")
    func rolling() async throws {
        let clientLoop = try EventLoop(label: "clients")
        let instances = [try await Instance("a"), try await Instance("b")]
        let isOver = Counter()
        let answered = Counter()
        let lost = Counter()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    var connection: HTTPTestClient?
                    var request = 0
                    while isOver.value == 0 {
                        request += 1
                        // As a proxy does: keep connections, open one where none is left, try the other instance where
                        // connecting fails; a request that was sent is never sent again.
                        if connection == nil {
                            let address = instances[(number + request) % 2].address
                            connection = try? await HTTPTestClient.connect(to: address, on: clientLoop)
                        }
                        guard let client = connection else { continue }
                        await client.send(Raw.post("/", "\(number) \(request)"))
                        let response = try? await client.response()
                        if response?.text == "\(number) \(request)" { answered.increment() } else { lost.increment() }
                        if response?.headers["Connection"] != nil || response == nil {
                            await client.close()
                            connection = nil
                        }
                    }
                    await connection?.close()
                }
            }
            for round in 0..<6 {
                try? await instances[round % 2].restart()
                try? await Task.sleep(for: .milliseconds(50))
            }
            isOver.increment()
        }
        #expect(lost.value == 0)
        #expect(answered.value > 100)
        print("rolling restart: \(answered.value) requests answered, \(lost.value) lost")
        for instance in instances { await instance.stop() }
        clientLoop.shutdown()
    }
}
