extension PoolState {
    /// A place for a connection. The first of a lane always has one, or is getting one; the others when the load needs it.
    struct Slot {
        var open: Open?
        /// The connection that is being made: the place's own, or one that takes over from `open`.
        var attempt: ConnectionID?
        /// The connection that takes over between two batches.
        var successor: Open?
        /// What a failed batch has left behind: it runs next, each statement by itself.
        var redo: [StatementID] = []
        /// What the turnstile knows the batch by: until its connection is free of it and of what it has left behind.
        var ticket: Turnstile.Ticket?
        private var backoff: Backoff

        init(backoff: Backoff) { self.backoff = backoff }

        /// Whether the connection has nothing to do, and may be closed.
        var isIdle: Bool { open.map { $0.batch == nil && $0.isFree } == true && redo.isEmpty }

        /// Whether nothing is left of its last batch.
        var hasEnded: Bool { open?.batch == nil && redo.isEmpty }

        /// Whether a successor waits, and may take over now.
        var canTakeOver: Bool { successor != nil && open?.batch == nil && open != nil }

        /// Has the successor take over.
        ///
        /// - Returns: The connection that had the place.
        mutating func takeOver() -> Open? {
            let former = open
            open = successor.take()
            return former
        }

        /// How long to wait before the next attempt, when one has failed.
        ///
        /// - Parameter random: 0 ..< 1.
        mutating func wait(random: Double) -> Duration { backoff.failed(random: random) }

        /// A batch was committed on the connection.
        mutating func hasServed() {
            open?.hasServed = true
            backoff.succeeded()
        }

        /// Takes out what the turnstile knows the last batch by, when nothing is left of that.
        mutating func takeTicketOfEnded() -> Turnstile.Ticket? { hasEnded ? ticket.take() : nil }

        /// Takes out what runs again.
        mutating func takeRedo() -> [StatementID] {
            defer { redo = [] }
            return redo
        }
    }

    /// Where a slot is.
    struct Place: Hashable {
        let lane: Int
        let slot: Int
    }

    /// The slot of a place.
    ///
    /// With `_read` in place of `get`, what was read of it were bytes of something else (Swift 6.3.1, debug build).
    @inline(__always)
    subscript(_ place: Place) -> Slot {
        get { lanes[place.lane].slots[place.slot] }
        _modify { yield &lanes[place.lane].slots[place.slot] }
    }

    /// The places of a lane, in order.
    func places(of lane: Int) -> some Sequence<Place> {
        lanes[lane].slots.indices.lazy.map { Place(lane: lane, slot: $0) }
    }
}
