import EventLoop

/// Bounds what all connections of a server keep in memory for their peers: requests that are not whole, and responses that
/// are not taken.
///
/// If it becomes too much, the connections that have held something for the longest are cut off: a peer that reads is
/// done in a moment, however many others are not. Shared bytes count once, and only if nothing else keeps them.
final class BufferBudget: Sendable {
    /// What a connection keeps.
    struct Holding {
        /// Bytes for this connection alone.
        var size = 0
        /// Bytes that others send too.
        var shared: SharedBytes?

        var isNothing: Bool { size == 0 && shared == nil }

        /// Whether it is nearly the same: amounts are compared in steps, and small ones count as zero.
        func isSame(as other: Holding) -> Bool { size == other.size && shared === other.shared }

        /// A size as it is counted, in whole pages. What is less than one belongs to the connection.
        static func counted(_ size: Int) -> Int { size & ~4095 }
    }

    private struct Holder {
        var holding: Holding
        let cutOff: @Sendable () -> Void
    }

    private struct Share {
        let bytes: SharedBytes
        var holders: Int
    }

    private struct State {
        var holders: [Int: Holder] = [:]
        var lastTicket = 0
        var size = 0
        var shared: [ObjectIdentifier: Share] = [:]
        var cutOff = 0

        /// The bytes that are kept only for connections.
        var total: Int {
            shared.values.reduce(size) { $1.bytes.isLetGo ? $0 + $1.bytes.bytes.count : $0 }
        }

        mutating func count(_ holding: Holding) {
            size += holding.size
            guard let bytes = holding.shared else { return }
            shared[ObjectIdentifier(bytes), default: Share(bytes: bytes, holders: 0)].holders += 1
        }

        mutating func discount(_ holding: Holding) {
            size -= holding.size
            guard let bytes = holding.shared, var share = shared[ObjectIdentifier(bytes)] else { return }
            share.holders -= 1
            shared[ObjectIdentifier(bytes)] = share.holders == 0 ? nil : share
        }

        /// Removes the connections that have held something for the longest, until an eighth is free.
        mutating func takeOldest(_ limit: Int) -> [Holder] {
            var taken: [Holder] = []
            for ticket in holders.keys.sorted() {
                guard total > limit - limit / 8 else { break }
                guard let holder = holders[ticket], holder.holding.size > 0 || holder.holding.shared?.isLetGo == true
                else { continue }
                holders[ticket] = nil
                discount(holder.holding)
                taken.append(holder)
            }
            cutOff += taken.count
            return taken
        }
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    /// How much is kept, and how many connections were cut off because it was too much.
    var figures: (size: Int, cutOff: Int) { state.withLock { ($0.total, $0.cutOff) } }

    /// The amount that a connection holds has changed.
    ///
    /// - Parameters:
    ///   - ticket: What the last call returned.
    ///   - cutOff: Closes the connection later, on its own loop.
    /// - Returns: Its place in the order of connections that hold something; nil if it holds nothing.
    func hold(_ holding: Holding, ticket: Int?, cutOff: @autoclosure () -> @Sendable () -> Void) -> Int? {
        let (ticket, late) = state.withLock { state -> (Int?, [Holder]) in
            let before = ticket.flatMap { state.holders[$0] }
            if let before { state.discount(before.holding) }
            guard !holding.isNothing else {
                if let ticket { state.holders[ticket] = nil }
                return (nil, [])
            }
            state.count(holding)
            var place = state.lastTicket + 1
            if let ticket, before != nil { place = ticket } else { state.lastTicket = place }
            state.holders[place] = Holder(holding: holding, cutOff: before?.cutOff ?? cutOff())
            return (place, state.total > limit ? state.takeOldest(limit) : [])
        }
        for holder in late { holder.cutOff() }
        return ticket
    }
}
