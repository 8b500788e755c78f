import Dispatch
import EventLoop
import Foundation
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

/// Connections that come and go by the thousand: descriptors are closed and given out again all the time.
///
/// `scripts/prove-churn` runs it with a million.
@Suite("Churn", .serialized)
struct ChurnTests {
    private static let count = getenv("JULIET_CHURN_CONNECTIONS").flatMap { Int(String(cString: $0)) } ?? 20_000
    private static let threads = 8

    @Test("every connection's request is read and answered", arguments: PollingMechanism.allCases)
    func everyRequest(mechanism: PollingMechanism) async throws {
        try await Fixture.run(loops: 2, mechanism: mechanism) { fixture in
            let (answered, address) = (Locked(0), fixture.address)
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                // Threads that wait are Dispatch's, not the tasks'.
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
                        let share = Self.count / Self.threads
                        let served = (0..<share).count { Self.isAnswered(address, times: 1 + ($0 + thread) % 2) }
                        answered.withLock { $0 += served }
                    }
                    continuation.resume()
                }
            }
            let expected = Self.count / Self.threads * Self.threads
            #expect(answered.withLock { $0 } == expected)
            print("\(answered.withLock { $0 }) of \(expected) connections were answered (\(mechanism))")
            #expect(await eventually { fixture.server.connectionCount == 0 })
        }
    }

    /// Connects, asks, reads the answers and leaves by a reset, which leaves no port waiting.
    ///
    /// - Returns: Whether each answer came within ten seconds.
    private static func isAnswered(_ address: SocketAddress, times: Int) -> Bool {
        guard let client = try? ClientSocket.connect(to: address, receiveBuffer: nil) else { return false }
        defer { Sockets.close(client, abort: true) }
        let request = Array(Raw.get("/health").utf8)
        var buffer = [UInt8](repeating: 0, count: 1024)
        for _ in 0..<times {
            let sent = request.withUnsafeBytes { systemSend(client, $0, more: false) }
            guard sent == request.count else { return false }
            var waiting = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 10_000) == 1, recv(client, &buffer, buffer.count, 0) > 0,
                buffer.starts(with: Array("HTTP/1.1 200".utf8))
            else { return false }
        }
        return true
    }
}
