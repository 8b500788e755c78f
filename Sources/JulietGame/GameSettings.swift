/// Settings that may differ between services. The ``GameRules`` are the same for all.
package struct GameSettings: Sendable, Equatable {
    /// What to do with a request of an unknown player.
    package enum UnknownUsers: String, Sendable, CaseIterable {
        /// It is refused.
        case refuse
        /// The player is registered first: installed apps of an older backend never register again.
        case register
    }

    /// Whether a part of the game is offered.
    package enum Availability: String, Sendable, CaseIterable {
        /// It is.
        case on
        /// It is not: its URLs do not exist. Games that were begun can be finished.
        case off
    }

    /// What to do with a request of an unknown player. Default: refuse.
    package var unknownUsers = UnknownUsers.refuse
    /// Whether the words of past days can be played. Default: on.
    package var daysGoneBy = Availability.on
    /// Whether challenges can be made, read and begun. Default: on.
    package var challenges = Availability.on
    /// Whether challenges can be of words that are in no list. Default: on.
    package var anyWords = Availability.on
    /// Whether there are leagues. Default: on.
    package var leagues = Availability.on

    /// The settings of the published app.
    package init() {}
}
