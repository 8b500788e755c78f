import Synchronization

/// Counts the connections of a server, in all, per loop and per client address, and says which may come in.
final class Admission: Sendable {
    enum Verdict: Equatable {
        /// Served by the loop of this number, the one with the fewest connections.
        case serve(loop: Int)
        /// Over a limit: told so by the loop of this number.
        case refuse(loop: Int)
        /// Even the places of those who are told so are taken: closed at once.
        case drop
    }

    private struct Counts {
        var total = 0
        var perLoop: [Int]
        var perAddress: [SocketAddress.IP: Int] = [:]
    }

    private let counts: Mutex<Counts>
    private let limit: Int
    private let limitPerAddress: Int?

    /// Places for connections over the limit, whose requests are read and answered with 503.
    static let overloadPlaces = 256

    init(loops: Int, limit: Int, limitPerAddress: Int?) {
        counts = Mutex(Counts(perLoop: Array(repeating: 0, count: loops)))
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    /// The number of open connections.
    var total: Int { counts.withLock { $0.total } }

    /// Decides on a new connection and counts it unless it is dropped.
    func admit(_ address: SocketAddress) -> Verdict {
        counts.withLock { counts in
            var isOver = counts.total >= limit
            if let limitPerAddress {
                if counts.perAddress[address.ip, default: 0] >= limitPerAddress { isOver = true }
            }
            guard counts.total < limit + Self.overloadPlaces else { return .drop }
            let loop = counts.perLoop.indices.min { counts.perLoop[$0] < counts.perLoop[$1] } ?? 0
            counts.total += 1
            counts.perLoop[loop] += 1
            if limitPerAddress != nil { counts.perAddress[address.ip, default: 0] += 1 }
            return isOver ? .refuse(loop: loop) : .serve(loop: loop)
        }
    }

    /// A counted connection has closed.
    func release(_ address: SocketAddress, on loop: Int) {
        counts.withLock { counts in
            counts.total -= 1
            counts.perLoop[loop] -= 1
            guard limitPerAddress != nil, let count = counts.perAddress[address.ip] else { return }
            counts.perAddress[address.ip] = count > 1 ? count - 1 : nil
        }
    }
}
