import EventLoop
import HTTPServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP connection.
final class SocketLink: ClientLink, EventHandler {
    private let descriptor: Int32
    private let loop: EventLoop
    private var registration: Registration?
    private var buffer = [UInt8](repeating: 0, count: 65536)
    private var unsent: [UInt8] = []
    private var endsOutput = false

    convenience init(_ address: SocketAddress, receiveBuffer: Int?, on loop: EventLoop) throws {
        // A client that is not to read leaves everything in the kernel until it is asked.
        try self.init(
            ClientSocket.connect(to: address, receiveBuffer: receiveBuffer), reads: receiveBuffer == nil, on: loop)
    }

    convenience init(unix path: String, on loop: EventLoop) throws {
        try self.init(ClientSocket.connect(toUnix: path), reads: true, on: loop)
    }

    private init(_ descriptor: Int32, reads: Bool, on loop: EventLoop) throws {
        self.loop = loop
        self.descriptor = descriptor
        super.init()
        registration = try loop.register(descriptor, interest: reads ? .read : [], handler: self)
    }

    func handle(_ readiness: Readiness) {
        if readiness.contains(.writable) { flush() }
        guard readiness.contains(.readable) || readiness.contains(.hangUp) || readiness.contains(.error) else { return }
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 {
            deliver(buffer[..<count])
        } else if count == 0 || errno != EAGAIN {
            deliverEnd(reset: count < 0)
            close(abort: false)
        }
    }

    override func notify(_ continuation: UnsafeContinuation<Void, Never>) {
        super.notify(continuation)
        if let registration { registration.setInterest(registration.interest.union(.read)) }
    }

    override func send(_ bytes: [UInt8]) {
        unsent += bytes
        flush()
    }

    override func endOutput() {
        endsOutput = true
        flush()
    }

    override func close(abort: Bool) {
        guard let registration else { return }
        registration.cancel()
        self.registration = nil
        Sockets.close(descriptor, abort: abort)
        deliverEnd(reset: false)
    }

    private func flush() {
        guard let registration else { return }
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { systemSend(descriptor, $0, more: false) }
            if count < 0 {
                // The reset shows when reading, behind what the server said before it.
                if errno != EAGAIN { unsent = [] }
                break
            }
            unsent.removeFirst(count)
        }
        registration.setInterest(
            unsent.isEmpty ? registration.interest.subtracting(.write) : registration.interest.union(.write))
        if unsent.isEmpty, endsOutput { _ = shutdown(descriptor, Int32(SHUT_WR)) }
    }
}
