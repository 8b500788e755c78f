import CEventLoop
import EventLoop

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A connected TCP socket on a loop.
final class Socket: Transport {
    private let descriptor: Int32
    private var registration: Registration?

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Starts to tell the handler of readiness to read.
    func register(on loop: EventLoop, handler: any EventHandler) throws(SystemError) {
        registration = try loop.register(descriptor, interest: .read, handler: handler)
    }

    func receive(into buffer: inout [UInt8]) -> ReceiveResult {
        // A closed descriptor's number may be another connection's by now.
        guard registration != nil else { return .failed }
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            default: return .failed
            }
        }
    }

    func send(_ bytes: Span<UInt8>, more: Bool) -> Int? {
        guard registration != nil else { return nil }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.extracting(sent...).withUnsafeBytes {
                systemSend(descriptor, $0, more: more)
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                break
            } else if errno != EINTR {
                return nil
            }
        }
        return sent
    }

    var peer: Peer {
        guard registration != nil else { return .gone }
        while true {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
            if count >= 0 { return count == 0 ? .ended : .present }
            if errno != EINTR { return errno == EAGAIN || errno == EWOULDBLOCK ? .present : .gone }
        }
    }

    func setInterest(_ interest: Interest) {
        registration?.setInterest(interest)
    }

    func endOutput() {
        guard registration != nil else { return }
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    func close(abort: Bool) {
        guard let registration else { return }
        registration.cancel()
        self.registration = nil
        Sockets.close(descriptor, abort: abort)
    }
}

/// Sends bytes on a socket, as many as fit. A peer that has gone is a result, not a signal.
///
/// - Parameter more: Whether more follows at once, so that a small piece is not sent by itself.
/// - Returns: How many were taken; negative when `errno` says why none was.
package func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, more: Bool) -> Int {
    #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        return send(descriptor, bytes.baseAddress, bytes.count, flags)
    #else
        return send(descriptor, bytes.baseAddress, bytes.count, 0)
    #endif
}
