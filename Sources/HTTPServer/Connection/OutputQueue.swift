/// Bytes that wait for the peer to take them.
struct OutputQueue {
    private var pieces: [[UInt8]] = []
    /// How much of the first piece has gone.
    private var start = 0

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ bytes: [UInt8], from start: Int) {
        if pieces.isEmpty, start > 0 {
            // A small rest of a large array must not keep the array.
            if bytes.count - start < bytes.count / 2 {
                pieces.append(Array(bytes[start...]))
            } else {
                self.start = start
                pieces.append(bytes)
            }
        } else {
            pieces.append(bytes)
        }
    }

    /// Sends as much as the peer takes.
    ///
    /// - Returns: How many bytes that was; nil when the peer has gone.
    mutating func send(to transport: any Transport) -> Int? {
        var total = 0
        var done = 0
        defer { pieces.removeFirst(done) }
        while done < pieces.count {
            let piece = pieces[done]
            guard let sent = transport.send(piece.span.extracting(start..<piece.count), more: done + 1 < pieces.count)
            else {
                return nil
            }
            total += sent
            start += sent
            guard start == piece.count else { break }
            start = 0
            done += 1
        }
        return total
    }
}
