import Foundation
import TestSupport

/// One TCP connection of a client, plain and blocking, so that a test says exactly which bytes leave in which segment.
///
/// Confined to one thread at a time; use it inside ``offPool(_:)``. Every wait ends after thirty seconds, with several servers of a
/// database after forty.
final class ClientConnection {
    /// Why a connection broke off.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var deadline = timeval(tv_sec: CitusCluster.isWanted ? 40 : 30, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &deadline, length)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &deadline, length)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: errno \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    /// Sends bytes as one segment.
    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
            rest.removeFirst(count)
        }
    }

    /// Reads one response, strictly: HTTP/1.1, a `Content-Length` and exactly that many bytes; neither with 204.
    ///
    /// - Parameter isHead: Whether the request was a `HEAD`, whose response ends with its head.
    func receive(isHead: Bool = false) throws -> HTTPReply {
        let end = Array("\r\n\r\n".utf8)
        while buffer.firstRange(of: end) == nil {
            try fill()
        }
        guard let range = buffer.firstRange(of: end) else { throw Failure(description: "no head") }
        var reply = try HTTPReply(head: String(decoding: buffer[..<range.lowerBound], as: UTF8.self))
        buffer.removeSubrange(..<range.upperBound)
        if reply.status == 204 || reply.status == 304 { return reply }
        guard let length = reply["Content-Length"].flatMap(Int.init) else {
            throw Failure(description: "no Content-Length: \(reply)")
        }
        if !isHead {
            while buffer.count < length {
                try fill()
            }
            reply.body = Array(buffer[..<length])
            buffer.removeSubrange(..<length)
        }
        return reply
    }

    /// Whether something comes within a time.
    func isAnswered(within limit: Duration) throws -> Bool {
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        let milliseconds = limit / .milliseconds(1)
        let result = poll(&descriptors, 1, Int32(milliseconds))
        guard result >= 0 else { throw Failure(description: "poll: errno \(errno)") }
        return result > 0
    }

    /// Reads up to a text and returns what came, the text included.
    func read(until text: String) throws -> String {
        while true {
            if let range = buffer.firstRange(of: Array(text.utf8)) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
            }
            try fill()
        }
    }

    /// Tells whether the peer has closed the connection, waiting for it.
    func isClosedByPeer() -> Bool {
        do {
            try fill()
            return false
        } catch {
            return (error as? Failure)?.description == "closed"
        }
    }

    /// Reads to the end of the connection and returns what came.
    func drain() -> [UInt8] {
        while (try? fill()) != nil {}
        return buffer
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 16384)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw Failure(description: count == 0 ? "closed" : "recv: errno \(errno)") }
        buffer.append(contentsOf: chunk[..<count])
    }
}

/// Runs blocking work on a thread of its own, off the cooperative pool that the service under test needs.
func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Swift.Result { try body() })
        }
    }
}
