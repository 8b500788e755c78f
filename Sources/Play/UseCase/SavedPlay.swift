/// What outlives the program.
package struct SavedPlay: Codable, Equatable, Sendable {
    /// How far the player is.
    package enum Phase: Codable, Equatable, Sendable {
        /// No game, nor one asked for.
        case idle
        /// A game is paid for under this name, and its secret is on the way.
        case starting(id: String)
        /// A game goes on, or has ended and the queue does not have that yet.
        case playing(Game)
        /// A game has ended, and the queue has that.
        case over(Game)
    }

    /// How far the player is.
    package var phase = Phase.idle
    /// The balance as last heard; nil: never heard.
    package var energy: Int?
    /// The wins as last heard; nil: never heard.
    package var wins: Int?

    package init(phase: Phase = .idle, energy: Int? = nil, wins: Int? = nil) {
        self.phase = phase
        self.energy = energy
        self.wins = wins
    }
}
