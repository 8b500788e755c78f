/// Bytes that wait for the peer to take them.
struct OutputQueue {
    /// Bytes of one response.
    struct Piece {
        var bytes: [UInt8]
        /// Which of them have not gone; never none.
        var rest: Range<Int>
        /// Their owner; nil: they are kept for this connection alone.
        let shared: SharedBytes?
    }

    private var pieces: [Piece] = []
    /// How many bytes are kept for this connection alone.
    private(set) var ownSize = 0

    /// The most that is sent at a time: a peer that reads as fast as we write must not block the loop.
    static let quantum = 262_144

    var isEmpty: Bool { pieces.isEmpty }

    /// The waiting shared bytes; a response has only one body.
    var shared: SharedBytes? { pieces.lazy.compactMap(\.shared).first }

    mutating func append(_ piece: Piece) {
        var piece = piece
        if piece.shared == nil {
            // A small rest of a large array must not keep the array.
            if piece.rest.count < piece.bytes.count / 2 {
                piece.bytes = Array(piece.bytes[piece.rest])
                piece.rest = piece.bytes.indices
            }
            ownSize += piece.bytes.count
        }
        pieces.append(piece)
    }

    /// Sends as much as the peer takes, up to the quantum.
    ///
    /// - Returns: How many bytes that was; nil when the peer has gone.
    mutating func send(to transport: any Transport) -> Int? {
        var total = 0
        var done = 0
        defer { pieces.removeFirst(done) }
        while done < pieces.count, total < Self.quantum {
            let (bytes, rest) = (pieces[done].bytes, pieces[done].rest)
            let next = rest.prefix(Self.quantum - total)
            let isLast = next.count == rest.count && done + 1 == pieces.count
            guard let sent = transport.send(bytes.span.extracting(next), more: !isLast) else { return nil }
            total += sent
            pieces[done].rest.removeFirst(sent)
            guard pieces[done].rest.isEmpty else {
                if sent < next.count { break }
                continue
            }
            if pieces[done].shared == nil { ownSize -= bytes.count }
            done += 1
        }
        return total
    }
}
