import CZlib
import EventLoop

/// Compresses bytes with gzip (RFC 1952), piece by piece.
///
/// Costs about 260 KiB of memory while it lives. Pieces may come from any task, one after the other.
public final class GzipEncoder: Sendable {
    /// What an `encode` leaves behind.
    public enum Flush: Sendable {
        /// The encoder decides how many bytes it keeps for a later call, which compresses best.
        case none
        /// Nothing: the reader can decode all that was given so far. Costs a few bytes a time.
        case all
        /// The end of the stream. Nothing may come after it.
        case end
    }

    private struct Stream: @unchecked Sendable {
        // Invariant: zlib's state is touched only under the lock. It points at `pointer`, so it must not move.
        let pointer: UnsafeMutablePointer<z_stream>
        var hasEnded = false
    }

    private let stream: Locked<Stream>

    /// How much is compressed on an event loop, in bytes: at most half a millisecond. More is compressed on another thread.
    static let quantum = 16384

    /// An encoder of one stream.
    ///
    /// - Parameter level: 1 (fast) to 9 (small); default 6. Others are brought into that range.
    public init(level: Int = 6) {
        let pointer = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        pointer.initialize(to: z_stream())
        precondition(CZlib_beginGzipStream(pointer, Int32(min(max(level, 1), 9))) == Z_OK, "out of memory")
        stream = Locked(Stream(pointer: pointer))
    }

    deinit {
        stream.withLock { stream in
            deflateEnd(stream.pointer)
            stream.pointer.deallocate()
        }
    }

    /// Compresses the next bytes on this thread, which at level 6 takes about 20 ns a byte. A call after the end traps,
    /// since it is a programmer's mistake.
    ///
    /// - Returns: What can be sent; maybe nothing.
    public func encode(_ bytes: [UInt8], flush: Flush) -> [UInt8] {
        stream.withLock { stream in
            precondition(!stream.hasEnded, "bytes behind the end")
            stream.hasEnded = flush == .end
            var (input, output) = (bytes, [UInt8]())
            let mode = flush == .end ? Z_FINISH : flush == .all ? Z_SYNC_FLUSH : Z_NO_FLUSH
            var buffer = [UInt8](repeating: 0, count: 16384)
            input.withUnsafeMutableBufferPointer { input in
                stream.pointer.pointee.next_in = input.baseAddress
                stream.pointer.pointee.avail_in = UInt32(input.count)
                var isFull = true
                while isFull {
                    buffer.withUnsafeMutableBufferPointer { buffer in
                        stream.pointer.pointee.next_out = buffer.baseAddress
                        stream.pointer.pointee.avail_out = UInt32(buffer.count)
                        deflate(stream.pointer, mode)
                        isFull = stream.pointer.pointee.avail_out == 0
                        output += buffer[..<(buffer.count - Int(stream.pointer.pointee.avail_out))]
                    }
                }
                stream.pointer.pointee.next_in = nil
            }
            return output
        }
    }

    /// The same, but off the event loop that the caller runs on where that would take long.
    func encodeAside(_ bytes: [UInt8], flush: Flush) async -> [UInt8] {
        guard bytes.count > Self.quantum else { return encode(bytes, flush: flush) }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { self.encode(bytes, flush: flush) }
    }

    /// All of some bytes on this thread: for what is compressed once, such as `StaticContent`.
    public static func compressed(_ bytes: [UInt8], level: Int = 9) -> [UInt8] {
        // Without the room that the array has to grow: it is kept.
        GzipEncoder(level: level).encode(bytes, flush: .end).withUnsafeBufferPointer { Array($0) }
    }
}
