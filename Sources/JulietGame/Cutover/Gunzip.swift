import CZlib

/// Inflates gzip (RFC 1952), one member or several, while it is read: in constant memory.
final class Gunzip {
    /// Why the data cannot be inflated.
    enum Fault: Error, Sendable {
        /// They end too early.
        case truncated
        /// They are not gzip, or a checksum is wrong.
        case damaged
    }

    // zlib keeps its address, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var offset = 0
    /// Whether more may come out before more is put in.
    private var isFull = false
    /// Whether a member has just ended: here the data may end, or another member begin.
    private var isAtEnd = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        precondition(CZlib_beginGunzip(stream) == Z_OK, "out of memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Whether bytes begin like gzip.
    static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// The next bytes, at most as many as asked for; nil at the end.
    ///
    /// - Parameter next: The next piece of what is compressed; nil at its end.
    /// - Throws: `Fault`, or what `next` throws.
    func read(upToCount count: Int, from next: () throws -> [UInt8]?) throws -> [UInt8]? {
        while true {
            if offset == input.count, !isFull {
                guard let piece = try next() else {
                    guard isAtEnd else { throw Fault.truncated }
                    return nil
                }
                (input, offset) = (piece, 0)
            }
            if isAtEnd {
                guard inflateReset(stream) == Z_OK else { throw Fault.damaged }
                isAtEnd = false
            }
            let output = try inflate(upToCount: count)
            if !output.isEmpty { return output }
        }
    }

    private func inflate(upToCount count: Int) throws(Fault) -> [UInt8] {
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(count)
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress.map { $0 + offset }
                stream.pointee.avail_in = UInt32(input.count - offset)
                status = CZlib.inflate(stream, Z_NO_FLUSH)
                offset = input.count - Int(stream.pointee.avail_in)
            }
            filled = count - Int(stream.pointee.avail_out)
        }
        isFull = stream.pointee.avail_out == 0 && status == Z_OK
        isAtEnd = status == Z_STREAM_END
        // Z_BUF_ERROR: nothing could be done without more input.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .damaged }
        return output
    }
}
