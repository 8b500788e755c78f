import Synchronization

/// Bytes that many responses send, a large document for one: no connection makes a copy of them, however slowly its peer
/// reads.
public final class SharedBytes: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    private let isKept = Atomic(true)

    /// Bytes that have another owner, so they cost nothing more while connections send them.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Call this when the owner releases them: from then on only connections keep them, and they count among the
    /// bytes that connections hold (``HTTPServerConfiguration/maximumBufferSize``).
    public func letGo() { isKept.store(false, ordering: .relaxed) }

    /// Whether only connections keep them.
    var isLetGo: Bool { !isKept.load(ordering: .relaxed) }
}
