import EventLoop
import Foundation
import TestSupport

/// A server of the tests that does not start.
struct ServerFailure: Error, CustomStringConvertible {
    let description: String
}

/// A server on a port of its own whose answers a test writes byte for byte, good or bad.
final class ScriptedServer: Sendable {
    /// A connection a client has made: plain and blocking, on a thread of its own.
    struct Connection: Sendable {
        fileprivate let descriptor: Int32

        /// Reads one request with a `Content-Length` or no body.
        ///
        /// - Returns: The bytes as text; what has come when the client closes.
        func request() -> String {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while !Self.isWhole(bytes), case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                bytes += buffer[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Sends text.
        func send(_ text: String) { send(Array(text.utf8)) }

        /// Sends bytes.
        func send(_ bytes: [UInt8]) {
            _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Answers a request well.
        func answer(_ body: String, status: String = "200 OK", headers: String = "") {
            send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
        }

        /// Makes the connection's end a reset instead of an orderly one.
        func resetAtEnd() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }

        /// Waits until the client closes.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        private static func isWhole(_ bytes: [UInt8]) -> Bool {
            guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
            let fields = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).lowercased()
            let length = fields.components(separatedBy: "content-length: ").dropFirst().first?.prefix { $0.isNumber }
            return bytes.count - head.upperBound >= length.flatMap { Int($0) } ?? 0
        }
    }

    /// Where it listens.
    let baseURL: String
    private let descriptor: Int32
    private let isListening = Locked(true)

    /// Listens, and lets a closure serve each connection, which is closed when it returns.
    init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
        let port = try Command.freePort()
        baseURL = "http://127.0.0.1:\(port)"
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = listener
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(listener, 64) == 0 else {
            throw ServerFailure(description: "listen: errno \(errno)")
        }
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread {
                    serve(Connection(descriptor: client))
                    close(client)
                }
            }
            close(listener)
        }
    }

    deinit { stopListening() }

    /// Refuses connections from now on; those there are go on.
    func stopListening() {
        isListening.withLock { isListening in
            if isListening { shutdown(descriptor, Int32(SHUT_RDWR)) }
            isListening = false
        }
    }
}
