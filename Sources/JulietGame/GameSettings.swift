/// What each service may do in its own way. What all have in common are the ``GameRules``.
package struct GameSettings: Sendable, Equatable {
    /// What becomes of a request of a player we do not know.
    package enum UnknownUsers: String, Sendable, CaseIterable {
        /// It is refused.
        case refuse
        /// The player is registered first: installed apps of an older backend never register again.
        case register
    }

    /// What becomes of the published app's requests for a player who was claimed.
    package enum ClaimedApp: String, Sendable, CaseIterable {
        /// They are served.
        case accept
        /// They are refused, as an unknown player's are.
        case refuse
    }

    /// Whether there is something here.
    package enum Availability: String, Sendable, CaseIterable {
        /// It can.
        case on
        /// It cannot: its URLs are not there. What was begun can be played to its end.
        case off
    }

    /// What becomes of a request of a player we do not know. Default: refuse.
    package var unknownUsers = UnknownUsers.refuse
    /// What becomes of the published app's requests for a player who was claimed. Default: refuse.
    package var claimedApp = ClaimedApp.refuse
    /// Whether the words of days gone by can be played. Default: on.
    package var daysGoneBy = Availability.on
    /// Whether challenges can be made, read and begun. Default: on.
    package var challenges = Availability.on
    /// Whether there are leagues. Default: on.
    package var leagues = Availability.on
    /// The language of the list that games deal from, as in `words.language`. Default: "en".
    package var language = "en"
    /// The number of letters of the words that games deal. Default: 5.
    package var wordLength = 5

    /// The published app's.
    package init() {}
}
