package import EventLoop

/// The byte stream under a connection: a socket, or a test's memory. Inside turns of the connection's loop only.
package protocol Transport: AnyObject {
    /// Takes bytes that have arrived into the front of the buffer, at most its count, without waiting.
    func receive(into buffer: inout [UInt8]) -> ReceiveResult

    /// Sends bytes without waiting.
    ///
    /// - Parameter more: Whether more follows at once, so that a small piece is not sent by itself.
    /// - Returns: How many were taken, maybe none; nil when the peer has gone.
    func send(_ bytes: Span<UInt8>, more: Bool) -> Int?

    /// What is known of the peer.
    var peer: Peer { get }

    /// Changes the events that are reported to the connection.
    func setInterest(_ interest: Interest)

    /// Tells the peer that nothing more will come; what it sends can still be received.
    func endOutput()

    /// Closes the stream. With `abort` the peer gets a reset and unsent bytes are dropped.
    func close(abort: Bool)
}

/// What a transport knows of its peer.
package enum Peer {
    /// It may send, or has sent what has not been received.
    case present
    /// It will send no more, and everything it has sent has been received. It may still read.
    case ended
    /// It has gone.
    case gone
}

/// The result of an attempt to receive.
package enum ReceiveResult {
    /// So many bytes are in the buffer, at least one.
    case bytes(Int)
    /// None have arrived.
    case wouldBlock
    /// The peer will send no more.
    case ended
    /// The peer has gone.
    case failed
}
