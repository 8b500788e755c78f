import CEventLoop
import EventLoop

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The client's end of a connection. Inside turns of its loop only.
class ClientLink {
    private(set) var received: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var wasReset = false
    private var waiter: UnsafeContinuation<Void, Never>?

    func send(_ bytes: [UInt8]) {}
    func endOutput() {}
    func close(abort: Bool) {}

    /// What has been received since the last call.
    func take() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// Resumes as soon as there is something to take or nothing will come.
    func notify(_ continuation: UnsafeContinuation<Void, Never>) {
        waiter = continuation
        wake()
    }

    final func deliver(_ bytes: some Collection<UInt8>) {
        received += bytes
        wake()
    }

    final func deliverEnd(reset: Bool) {
        hasEnded = true
        wasReset = wasReset || reset
        wake()
    }

    private func wake() {
        guard let waiter, !received.isEmpty || hasEnded else { return }
        self.waiter = nil
        waiter.resume()
    }
}

/// A TCP connection.
final class SocketLink: ClientLink, EventHandler {
    private let descriptor: Int32
    private let loop: EventLoop
    private var registration: Registration?
    private var buffer = [UInt8](repeating: 0, count: 65536)
    private var unsent: [UInt8] = []
    private var endsOutput = false

    init(_ address: SocketAddress, receiveBuffer: Int?, on loop: EventLoop) throws {
        self.loop = loop
        descriptor = try Sockets.connect(to: address, receiveBuffer: receiveBuffer)
        super.init()
        // A client that is not to read leaves everything in the kernel until it is asked.
        registration = try loop.register(descriptor, interest: receiveBuffer == nil ? .read : [], handler: self)
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

/// A connection without a socket: the server's transport writes into the client's memory and the other way round.
final class MemoryLink: ClientLink {
    private let transport: MemoryTransport
    private let connection: HTTPConnection

    init(context: LoopContext, window: Int, isOverload: Bool) {
        transport = MemoryTransport(loop: context.loop, window: window)
        connection = HTTPConnection(
            transport: transport, remoteAddress: SocketAddress(127, 0, 0, 1, port: 0), isOverload: isOverload,
            context: context)
        super.init()
        transport.connection = connection
        transport.link = self
    }

    override func send(_ bytes: [UInt8]) {
        transport.toServer += bytes
        transport.pump()
    }

    override func endOutput() {
        transport.clientEnded = true
        transport.pump()
    }

    override func close(abort: Bool) {
        deliverEnd(reset: false)
        transport.isClosed = true
        connection.close()
    }

    override func take() -> [UInt8] {
        defer { transport.windowOpened() }
        return super.take()
    }
}

/// Level-triggered readiness over two arrays of bytes.
private final class MemoryTransport: Transport {
    weak var connection: HTTPConnection?
    weak var link: MemoryLink?
    var toServer: [UInt8] = []
    var clientEnded = false
    var isClosed = false

    private let loop: EventLoop
    private let window: Int
    private var interest = Interest.read
    private var isPumping = false

    init(loop: EventLoop, window: Int) {
        self.loop = loop
        self.window = window
    }

    func receive(into buffer: inout [UInt8]) -> ReceiveResult {
        guard !toServer.isEmpty else { return clientEnded ? .ended : .wouldBlock }
        let count = min(toServer.count, buffer.count)
        buffer.replaceSubrange(..<count, with: toServer[..<count])
        toServer.removeFirst(count)
        return .bytes(count)
    }

    func send(_ bytes: Span<UInt8>, more: Bool) -> Int? {
        guard !isClosed, let link else { return nil }
        let count = min(bytes.count, window - min(window, link.received.count))
        link.deliver(Array(copying: bytes, 0..<count))
        return count
    }

    func setInterest(_ interest: Interest) {
        self.interest = interest
        // As with epoll, an event that is due comes in a later turn, never inside this call.
        let transport = Confined(self, to: loop)
        loop.execute { transport.value.pump() }
    }

    func endOutput() {
        link?.deliverEnd(reset: false)
    }

    func close(abort: Bool) {
        isClosed = true
        link?.deliverEnd(reset: abort)
    }

    func windowOpened() {
        guard interest.contains(.write), !isClosed else { return }
        connection?.handle(.writable)
    }

    /// Reports readiness as long as there is something to read and somebody who wants to.
    func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while !isClosed, interest.contains(.read), !toServer.isEmpty || clientEnded {
            connection?.handle(.readable)
        }
    }
}
