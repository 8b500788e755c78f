import EventLoop

/// Counts the connections of a server, in all, per loop and per client address, and decides which to accept.
final class Admission: Sendable {
    enum Verdict: Equatable {
        /// Served by the loop of this number.
        case serve(loop: Int)
        /// All places are taken: served by the loop of this number if one of its connections without a request gives way; otherwise
        /// answered with 503.
        case replace(loop: Int)
        /// Over the limit of its address: the loop of this number answers with 503.
        case refuse(loop: Int)
    }

    private struct Counts {
        var total = 0
        var perLoop: [Int]
        /// An address of IPv6 by its /64, which is what one subscriber has.
        var perAddress: [SocketAddress.IP: Int] = [:]
    }

    private let counts: Locked<Counts>
    private let limit: Int
    private let limitPerAddress: Int?
    private let unlimited: [AddressRange]
    private let connectionsPerLoop: Int

    /// Places for connections over the limit, whose requests are read and answered with 503.
    private let overloadPlaces: Int

    /// - Parameters:
    ///   - loops: How many loops there are.
    ///   - connectionsPerLoop: So many connections wake one more loop. A new one goes to the loop, of those that are
    ///     awake, that has the fewest.
    ///   - limit: Connections served at a time.
    ///   - limitPerAddress: Those of one client address, if that is limited.
    ///   - unlimited: Addresses without such a limit.
    ///   - descriptors: How many files the process may have open. A sixteenth of them, at least 32, stays free of
    ///     connections: the database needs some, and libdispatch ends the process when it finds none to watch its
    ///     threads.
    init(
        loops: Int, connectionsPerLoop: Int = 1, limit: Int, limitPerAddress: Int?, unlimited: [AddressRange] = [],
        descriptors: Int = .max
    ) {
        self.connectionsPerLoop = connectionsPerLoop
        counts = Locked(Counts(perLoop: Array(repeating: 0, count: loops)))
        let budget = max(2, descriptors - max(32, descriptors / 16))
        overloadPlaces = min(256, max(1, budget / 8))
        self.limit = min(limit, budget - overloadPlaces)
        self.limitPerAddress = limitPerAddress
        self.unlimited = unlimited
    }

    /// The number of open connections.
    var total: Int { counts.withLock { $0.total } }

    /// Whether even the places for refused connections are taken. New connections then wait in the kernel.
    var isFull: Bool { counts.withLock { $0.total >= limit + overloadPlaces } }

    /// Decides on a new connection and counts it.
    func admit(_ address: SocketAddress) -> Verdict {
        let limited = limitedNetwork(of: address)
        return counts.withLock { counts in
            let isFull = counts.total >= limit
            var hasEnough = false
            if let limited, let limitPerAddress {
                hasEnough = counts.perAddress[limited, default: 0] >= limitPerAddress
                counts.perAddress[limited, default: 0] += 1
            }
            let awake = min(counts.perLoop.count, counts.total / connectionsPerLoop + 1)
            let loop = counts.perLoop.indices.prefix(awake).min { counts.perLoop[$0] < counts.perLoop[$1] } ?? 0
            counts.total += 1
            counts.perLoop[loop] += 1
            return hasEnough ? .refuse(loop: loop) : isFull ? .replace(loop: loop) : .serve(loop: loop)
        }
    }

    /// A counted connection has closed.
    func release(_ address: SocketAddress, on loop: Int) {
        let limited = limitedNetwork(of: address)
        counts.withLock { counts in
            counts.total -= 1
            counts.perLoop[loop] -= 1
            guard let limited, let count = counts.perAddress[limited] else { return }
            counts.perAddress[limited] = count > 1 ? count - 1 : nil
        }
    }

    /// What an address counts under; nil: it has no limit.
    private func limitedNetwork(of address: SocketAddress) -> SocketAddress.IP? {
        guard limitPerAddress != nil, !address.isUnixSocket, !unlimited.contains(where: { $0.contains(address.ip) })
        else { return nil }
        return address.ip.network
    }
}
