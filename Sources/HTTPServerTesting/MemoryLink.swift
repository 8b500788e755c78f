import EventLoop
import HTTPServer

/// A connection without a socket: the server's transport writes into the client's memory and the other way round.
final class MemoryLink: ClientLink {
    private let transport: MemoryTransport
    private let connection: HTTPConnection

    /// - Parameters:
    ///   - window: Bytes the server may send before the client has read them.
    ///   - makeConnection: Makes the server's end.
    init(on loop: EventLoop, window: Int, _ makeConnection: (any Transport) -> HTTPConnection) {
        transport = MemoryTransport(loop: loop, window: window)
        connection = makeConnection(transport)
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
        bytes.extracting(first: count).withUnsafeBufferPointer { link.deliver($0) }
        return count
    }

    var peer: Peer { isClosed ? .gone : toServer.isEmpty && clientEnded ? .ended : .present }

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

    /// Reports readiness as long as there is something to read, or room to write, and somebody who wants to.
    func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while !isClosed, interest.contains(.read), !toServer.isEmpty || clientEnded {
            connection?.handle(.readable)
        }
        while !isClosed, interest.contains(.write), let link, link.received.count < window {
            connection?.handle(.writable)
        }
    }
}
