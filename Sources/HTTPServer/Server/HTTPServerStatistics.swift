import Synchronization

/// What an ``HTTPServer`` has done since it started.
public struct HTTPServerStatistics: Sendable, Hashable {
    /// Connections that are open.
    public internal(set) var connections = 0
    /// Connections that were accepted, those over a limit included.
    public internal(set) var connectionsAccepted = 0
    /// Those over a limit, which were answered 503.
    public internal(set) var connectionsRefused = 0
    /// Connections that were cut off because all of them together held too much
    /// (``HTTPServerConfiguration/maximumBufferSize``).
    public internal(set) var connectionsCutOff = 0
    /// What the connections hold now for clients that read or write slowly, in bytes.
    public internal(set) var bytesBuffered = 0
    /// Bytes read from clients.
    public internal(set) var bytesReceived = 0
    /// Bytes the kernel took for clients.
    public internal(set) var bytesSent = 0
}

/// Counts what one loop does. Only turns of the loop count; anybody may read.
final class LoopTraffic: Sendable {
    let accepted = Atomic(0)
    let refused = Atomic(0)
    let received = Atomic(0)
    let sent = Atomic(0)
}

extension Atomic<Int> {
    /// Adds, where nobody else does: cheaper than an addition that is atomic.
    @inline(__always)
    func add(_ amount: Int) { store(load(ordering: .relaxed) &+ amount, ordering: .relaxed) }
}
