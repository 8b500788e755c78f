/// What waits for the service, and whether it can be reached.
package struct Outbox: Equatable, Sendable {
    /// How the service was reached last.
    package enum Link: Equatable, Sendable {
        /// It was reached, or not tried yet.
        case online
        /// It was not reached; it is tried again from time to time.
        case offline
        /// It does not accept the key; nothing is sent any more.
        case keyRefused
    }

    /// What waits or is under way, in its order.
    package var waiting: [Deed]
    /// The state of the connection.
    package var link: Link

    /// How many deeds of the player wait; the registration does not count.
    package var count: Int {
        waiting.filter { $0 != .register && $0 != .fetchWins }.count
    }

    package init(waiting: [Deed] = [], link: Link = .online) {
        self.waiting = waiting
        self.link = link
    }
}
