/// What waits for the service, and whether it can be reached.
package struct Outbox: Equatable, Sendable {
    /// How the service was reached last.
    package enum Link: Equatable, Sendable {
        /// Nothing says otherwise.
        case online
        /// It was not reached; it is tried again from time to time.
        case offline
        /// It does not accept the key; nothing is sent any more.
        case keyRefused
    }

    /// What waits or is under way, in its order.
    package var waiting: [Deed]
    /// How things go.
    package var link: Link

    /// How many wait of what the player did: to say hello is no such thing.
    package var count: Int {
        waiting.filter { $0 != .register && $0 != .fetchWins }.count
    }

    package init(waiting: [Deed] = [], link: Link = .online) {
        self.waiting = waiting
        self.link = link
    }
}
