import EventLoop
import Foundation
import TestSupport

/// A proxy that does to requests what networks and servers do, each a matter of the seed, the request's key and how
/// often it was tried.
final class FaultProxy: Sendable {
    /// What can become of an attempt.
    enum Fault: CaseIterable {
        case none, cutBefore, cutAfter, cutInside, delay, tooManyRequests, unavailable
    }

    /// The port on 127.0.0.1.
    let port: UInt16

    private let target: UInt16
    private let seed: UInt64
    private let listener: Locked<Int32>
    private let attempts = Locked<[String: Int]>([:])
    private let counts = Locked<[Fault: Int]>([:])
    private let isOver = Locked(false)

    /// Forwards what comes to a fresh port to a port of 127.0.0.1.
    init(to target: UInt16, seed: UInt64) throws {
        self.target = target
        self.seed = seed
        port = UInt16(try Command.freePort())
        listener = Locked(try Self.listen(port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// How often each fault was done.
    var faults: [Fault: Int] { counts.withLock { $0 } }

    /// Refuses connections for a moment.
    func refuse(for time: TimeInterval) throws {
        listener.withLock { descriptor in
            shutdown(descriptor, Int32(SHUT_RDWR))
            close(descriptor)
            descriptor = -1
        }
        Thread.sleep(forTimeInterval: time)
        let again = try Self.listen(port)
        listener.withLock { $0 = again }
    }

    /// Stops listening.
    func stop() {
        isOver.withLock { $0 = true }
        listener.withLock { descriptor in
            shutdown(descriptor, Int32(SHUT_RDWR))
            close(descriptor)
            descriptor = -1
        }
    }

    private func accept() {
        while !isOver.withLock({ $0 }) {
            let descriptor = listener.withLock { $0 }
            let client = descriptor < 0 ? -1 : Foundation.accept(descriptor, nil, nil)
            guard client >= 0 else {
                Thread.sleep(forTimeInterval: 0.001)
                continue
            }
            Thread.detachNewThread { [self] in
                serve(client)
                close(client)
            }
        }
    }

    /// Serves one connection until it is cut or closed.
    private func serve(_ client: Int32) {
        var buffer: [UInt8] = []
        var server: ClientConnection?
        while let (request, key) = nextRequest(client, &buffer) {
            let fault = nextFault(key)
            counts.withLock { $0[fault, default: 0] += 1 }
            switch fault {
            case .cutBefore:
                return
            case .tooManyRequests:
                guard send(client, Self.answer("429 Too Many Requests", "Retry-After: 0\r\n")) else { return }
                continue
            case .unavailable:
                guard send(client, Self.answer("503 Service Unavailable", "")) else { return }
                continue
            case .delay:
                Thread.sleep(forTimeInterval: 0.02)
            case .none, .cutAfter, .cutInside:
                break
            }
            do {
                let connection = try server ?? ClientConnection(port: target)
                server = connection
                try connection.send(request)
                let reply = try connection.receive()
                let fields = reply.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
                let bytes = Array("HTTP/1.1 \(reply.status) -\r\n\(fields)\r\n".utf8) + reply.body
                if fault == .cutAfter { return }
                if fault == .cutInside {
                    // In the head or in the content.
                    _ = send(client, Array(bytes.prefix(Int.random(in: 1..<bytes.count))))
                    return
                }
                guard send(client, bytes) else { return }
            } catch {
                return
            }
        }
    }

    /// After six tries a request gets through.
    private func nextFault(_ key: String) -> Fault {
        let attempt = attempts.withLock { attempts in
            attempts[key, default: 0] += 1
            return attempts[key] ?? 0
        }
        guard attempt <= 6 else { return .none }
        var hash = seed
        for byte in "\(key)/\(attempt)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 29
        return hash % 5 < 2 ? .none : Fault.allCases[Int(hash >> 8) % Fault.allCases.count]
    }

    private func nextRequest(_ client: Int32, _ buffer: inout [UInt8]) -> (bytes: [UInt8], key: String)? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                let head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                let length = Int(Self.field("content-length", of: head) ?? "0") ?? 0
                if buffer.count >= range.upperBound + length {
                    let bytes = Array(buffer[..<(range.upperBound + length)])
                    buffer.removeSubrange(..<(range.upperBound + length))
                    return (bytes, Self.field("idempotency-key", of: head) ?? "")
                }
            }
            var chunk = [UInt8](repeating: 0, count: 16384)
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }

    private func send(_ client: Int32, _ bytes: [UInt8]) -> Bool {
        Foundation.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    private static func answer(_ status: String, _ fields: String) -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\n\(fields)Content-Length: 0\r\n\r\n".utf8)
    }

    private static func field(_ name: String, of head: String) -> String? {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name { return parts[1].trimmingPrefix(" ").description }
        }
        return nil
    }

    private static func listen(_ port: UInt16) throws -> Int32 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, Foundation.listen(listener, 256) == 0 else {
            throw ClientConnection.Failure(description: "listen: errno \(errno)")
        }
        return listener
    }
}
