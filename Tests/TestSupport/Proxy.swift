import Foundation

/// A TCP proxy of the tests' own that can stop forwarding, as a network does that swallows packets.
public final class Proxy: @unchecked Sendable {
    // Invariant: `isSilent`, `isHoldingAnswers`, `sockets`, `recorded`, `answered` and `trap` are touched under the lock;
    // everything else is constant.

    /// The port on 127.0.0.1.
    public let port: Int

    private let listener: Int32
    private let target: Int
    private let isRecording: Bool
    private var recorded: [String] = []
    private var answered = 0
    private let condition = NSCondition()
    private var isSilent = false
    private var isHoldingAnswers = false
    private var sockets: [Int32] = []
    private var trap: (bytes: [UInt8], spring: Spring, times: Int)?

    /// What happens when a client sends the bytes that are waited for.
    private enum Spring {
        case cut(isDelivering: Bool)
        case holdAnswers
    }

    /// Forwards what comes to a fresh port to a port of 127.0.0.1.
    ///
    /// - Parameter isRecording: Whether the clients' requests of HTTP/1.1 are noted.
    public init(to target: Int, isRecording: Bool = false) throws {
        self.target = target
        self.isRecording = isRecording
        port = try Command.freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard Self.withAddress(port, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw Command.Failure(command: "listen", output: "errno \(errno)")
        }
        Thread.detachNewThread { [self] in accept() }
    }

    /// The methods and targets of requests so far, such as `GET /`. For clients that wait for each answer, as browsers do.
    public var requests: [String] { condition.withLock { recorded } }

    /// How many bytes the clients have been sent so far.
    public var answeredBytes: Int { condition.withLock { answered } }

    /// Forwards nothing any more, in either direction; connections can still be made.
    public func silence() { condition.withLock { isSilent = true } }

    /// Forwards nothing of what the server sends any more.
    public func holdAnswers() { condition.withLock { isHoldingAnswers = true } }

    /// Forwards nothing of what the server sends any more as soon as a client sends a text, which the server still gets.
    public func holdAnswers(whenClientSends text: String) {
        condition.withLock { trap = (Array(text.utf8), .holdAnswers, 1) }
    }

    /// Whether nothing of what the server sends is forwarded.
    public var holdsAnswers: Bool { condition.withLock { isHoldingAnswers } }

    /// Forwards again, what has gathered first.
    public func resume() {
        condition.withLock {
            isSilent = false
            isHoldingAnswers = false
            condition.broadcast()
        }
    }

    /// Sends bytes to every client, as if the server had sent them. Between two answers, or they land inside of one.
    public func inject(_ bytes: [UInt8]) {
        let clients = condition.withLock { stride(from: 0, to: sockets.count, by: 2).map { sockets[$0] } }
        for client in clients { _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Cuts every connection.
    public func cut() {
        condition.withLock {
            for descriptor in sockets { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Cuts the next connection on which the client sends a text, before an answer can come.
    ///
    /// - Parameter isDelivering: Whether the server still gets the text.
    public func cut(whenClientSends text: String, delivering isDelivering: Bool) {
        condition.withLock { trap = (Array(text.utf8), .cut(isDelivering: isDelivering), 1) }
    }

    /// Swallows the next requests to cancel: whoever sends them is not told.
    public func swallowCancellations(_ times: Int) {
        // PostgreSQL, "Message Formats", CancelRequest: its length and its code.
        condition.withLock { trap = ([0, 0, 0, 16, 0x04, 0xD2, 0x16, 0x2E], .cut(isDelivering: false), times) }
    }

    /// Stops listening and cuts every connection.
    public func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        resume()
        cut()
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
                Foundation.close(client)
                Foundation.close(server)
                continue
            }
            // Descriptors stay open until the tests end: a closed one could be another's when `cut` comes.
            condition.withLock { sockets += [client, server] }
            Thread.detachNewThread { [self] in forward(from: client, to: server, isClients: true) }
            Thread.detachNewThread { [self] in forward(from: server, to: client) }
        }
    }

    private func forward(from source: Int32, to destination: Int32, isClients: Bool = false) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        loop: while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            condition.lock()
            while isSilent || (isHoldingAnswers && !isClients) { condition.wait() }
            condition.unlock()
            if isClients, isRecording { record(buffer[..<count]) }
            if isClients, case .cut(let isDelivering)? = springTrap(Array(buffer[..<count])) {
                shutdown(source, Int32(SHUT_RDWR))
                guard isDelivering else { break }
            }
            var sent = 0
            while sent < count {
                let written = send(
                    destination, Array(buffer[sent..<count]), count - sent, Int32(MSG_NOSIGNAL))
                guard written > 0 else { break loop }
                sent += written
            }
            if !isClients { condition.withLock { answered += count } }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(destination, Int32(SHUT_RDWR))
    }

    private func record(_ bytes: ArraySlice<UInt8>) {
        let words = bytes.prefix { $0 != 0x0D }.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, words[2] == "HTTP/1.1" else { return }
        condition.withLock { recorded.append("\(words[0]) \(words[1])") }
    }

    /// What is to happen, if the bytes are those that are waited for.
    private func springTrap(_ bytes: [UInt8]) -> Spring? {
        condition.withLock {
            guard let trap, bytes.count >= trap.bytes.count else { return nil }
            let starts = 0...(bytes.count - trap.bytes.count)
            guard starts.contains(where: { bytes[$0...].starts(with: trap.bytes) }) else { return nil }
            self.trap = trap.times > 1 ? (trap.bytes, trap.spring, trap.times - 1) : nil
            if case .holdAnswers = trap.spring { isHoldingAnswers = true }
            return trap.spring
        }
    }

    private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
