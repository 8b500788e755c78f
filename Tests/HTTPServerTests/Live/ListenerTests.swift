import EventLoop
import Foundation
import HTTPServerTesting
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Listeners", .serialized, .timeLimit(.minutes(1)))
struct ListenerTests {
    private static func inFolder(_ body: (String, EventLoop) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        try await body(folder, loop)
    }

    private static func server(
        _ loop: EventLoop, _ listeners: HTTPListener..., limit: Int? = nil
    ) -> HTTPServer {
        var configuration = HTTPServerConfiguration()
        configuration.listeners = listeners
        configuration.shutdownGrace = .milliseconds(20)
        configuration.maximumConnectionsPerAddress = limit
        return HTTPServer(configuration: configuration, loops: [loop]) { request in
            .text("\(request.remoteAddress.isUnixSocket ? "unix" : request.remoteAddress.host)")
        }
    }

    private func ask(_ client: HTTPTestClient) async throws -> String {
        await client.send(Raw.get("/"))
        return try await client.response().text
    }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt32(status.st_mode) & 0o7777 : nil
    }

    @Test("several at once: two ports and a Unix socket; the shutdown closes all and removes the file")
    func several() async throws {
        try await Self.inFolder { folder, loop in
            let path = "\(folder)/s"
            let server = Self.server(loop, .tcp(port: 0), .unix(path: path, mode: 0o600), .tcp(port: 0), limit: 1)
            let first = try await server.start()
            let addresses = server.addresses
            #expect(addresses.map(\.isUnixSocket) == [false, true, false])
            #expect(addresses[0] == first && addresses[0].port != addresses[2].port)
            #expect(mode(path) == 0o600)
            for _ in 0..<2 {
                let client = try await HTTPTestClient.connect(toUnix: path, on: loop)
                #expect(try await ask(client) == "unix", "not counted by address")
            }
            for address in [addresses[0], addresses[2]] {
                let client = try await HTTPTestClient.connect(to: address, on: loop)
                #expect(try await ask(client) == "127.0.0.1")
                await client.close()
                #expect(await eventually { server.connectionCount == 2 })
            }
            await server.shutdown()
            #expect(mode(path) == nil)
            for address in [addresses[0], addresses[2]] {
                await #expect(throws: SystemError.self) { try await HTTPTestClient.connect(to: address, on: loop) }
            }
        }
    }

    @Test("a stale socket is removed; one in use, a file, and no place stop the start and are left")
    func places() async throws {
        try await Self.inFolder { folder, loop in
            let path = "\(folder)/s"
            let address = try #require(Sockets.UnixAddress(path))
            // Bound and closed: nobody listens.
            Sockets.close(try Sockets.bindUnix(address, path: path))
            let server = Self.server(loop, .unix(path: path))
            try await server.start()
            #expect(mode(path) == 0o660)
            func refusal(_ path: String) async -> String? {
                // The socket before it must not stay open.
                let other = Self.server(loop, .unix(path: "\(folder)/other"), .unix(path: path))
                do {
                    try await other.start()
                    return nil
                } catch {
                    return "\(error)"
                }
            }
            #expect(await refusal(path) == "another process listens on \(path)")
            let file = "\(folder)/file"
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            #expect(await refusal(file) == "\(file) exists and is not a socket")
            #expect(await refusal("\(folder)/no/s") == "the folder of \(folder)/no/s does not exist")
            let long = "\(folder)/" + String(repeating: "a", count: 108)
            #expect(
                await refusal(long) == "\(long) is empty, too long or has a zero byte, so it cannot be a Unix socket")
            #expect(mode("\(folder)/other") == nil)
            // Another has taken its place: it is not removed.
            unlink(path)
            let next = Self.server(loop, .unix(path: path))
            try await next.start()
            await server.shutdown()
            let client = try await HTTPTestClient.connect(toUnix: path, on: loop)
            #expect(try await ask(client) == "unix")
            await next.shutdown()
        }
    }

    @Test("what the environment says of inherited sockets (sd_listen_fds(3))")
    func environment() {
        func read(_ values: [String: String]) -> [(Int32, String?)] {
            InheritedSockets({ values[$0] }, process: 7).sockets.map { ($0.descriptor, $0.name) }
        }
        func same(_ values: [String: String], _ expected: [(Int32, String?)]) -> Bool {
            read(values).elementsEqual(expected) { $0 == $1 }
        }
        #expect(same(["LISTEN_PID": "7", "LISTEN_FDS": "2"], [(3, nil), (4, nil)]))
        #expect(same(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:b"], [(3, "a"), (4, "b")]))
        #expect(same(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a"], [(3, nil), (4, nil)]))
        for values in [
            [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_PID": "7", "LISTEN_FDS": "0"],
            ["LISTEN_PID": "7", "LISTEN_FDS": "-1"], ["LISTEN_PID": "7", "LISTEN_FDS": "99999999999999999999"],
            ["LISTEN_PID": "x", "LISTEN_FDS": "1"],
        ] {
            #expect(same(values, []))
        }
        let named = InheritedSockets(
            { ["LISTEN_PID": "7", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "a:b:a"][$0] }, process: 7)
        #expect(named.descriptors(named: "a") == [3, 5] && named.descriptors(named: nil) == [3, 4, 5])
    }

    @Test("sockets are adopted all or none, and once")
    func adopted() throws {
        let first = try Sockets.listen(host: "127.0.0.1", port: 0, backlog: 1)
        let second = try Sockets.listen(host: "127.0.0.1", port: 0, backlog: 1)
        defer { for descriptor in [first, second] { Sockets.close(descriptor) } }
        #expect(throws: HTTPServerError.self) { try ListeningSocket.adopt([first, -1]) }
        #expect(try ListeningSocket.adopt([first, second]).map(\.descriptor) == [first, second])
        for descriptor in [first, second] {
            #expect(throws: HTTPServerError.self) { try ListeningSocket.adopt([descriptor]) }
        }
    }

    @Test("a socket that was not handed over, or does not listen, is an error")
    func nothingInherited() async throws {
        try await Self.inFolder { _, loop in
            await #expect {
                try await Self.server(loop, .inherited(name: "web")).start()
            } throws: {
                "\($0)" == "no socket of the name web was handed to this process (LISTEN_FDS)"
            }
            for type in [SOCK_STREAM, SOCK_DGRAM] {
                #if os(Linux)
                    let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
                #else
                    let descriptor = socket(AF_INET, type, 0)
                #endif
                defer { close(descriptor) }
                #expect(throws: HTTPServerError.self) { try Sockets.adoptListener(descriptor) }
            }
        }
    }
}
