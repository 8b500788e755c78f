import CZlib

/// Compresses files that are sent often, once: gzip (RFC 1952), as small as zlib makes it.
enum Gzip {
    /// The bytes, compressed.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        precondition(CZlib_beginGzip(&stream) == Z_OK, "out of memory")
        defer { deflateEnd(&stream) }
        var input = bytes
        // deflateBound is the maximum size of the output, so one call is enough.
        let bound = Int(deflateBound(&stream, UInt(input.count)))
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "the output has room for all")
            }
            count = Int(stream.total_out)
        }
        // Without the room that was not needed; an array of a slice would keep it.
        return output.withUnsafeBufferPointer { Array($0) }
    }
}
