/// Bytes that wait for the peer to take them.
struct OutputQueue {
    /// Bytes of one response.
    enum Piece {
        /// Kept for this connection alone.
        case own([UInt8])
        /// Kept once for all.
        case shared(SharedBytes)

        var bytes: [UInt8] {
            switch self {
            case .own(let bytes): bytes
            case .shared(let shared): shared.bytes
            }
        }
    }

    private var pieces: [Piece] = []
    /// How much of the first piece has gone.
    private var start = 0
    /// How many bytes are kept for this connection alone.
    private(set) var ownSize = 0

    /// The most that is sent at a time: a peer that reads as fast as we write must not block the loop.
    static let quantum = 262_144

    var isEmpty: Bool { pieces.isEmpty }

    /// The waiting shared bytes; a response has only one body.
    var shared: SharedBytes? {
        for case .shared(let shared) in pieces { return shared }
        return nil
    }

    mutating func append(_ piece: Piece, from start: Int) {
        var piece = piece
        if pieces.isEmpty { self.start = start }
        if case .own(let bytes) = piece {
            // A small rest of a large array must not keep the array.
            if pieces.isEmpty, bytes.count - start < bytes.count / 2 {
                piece = .own(Array(bytes[start...]))
                self.start = 0
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
            let bytes = pieces[done].bytes
            let end = min(bytes.count, start + Self.quantum - total)
            let isLast = end == bytes.count && done + 1 == pieces.count
            guard let sent = transport.send(bytes.span.extracting(start..<end), more: !isLast) else { return nil }
            total += sent
            start += sent
            guard start == bytes.count else {
                if start < end { break }
                continue
            }
            if case .own = pieces[done] { ownSize -= bytes.count }
            start = 0
            done += 1
        }
        return total
    }
}
