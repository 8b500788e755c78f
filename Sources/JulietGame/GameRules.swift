/// What the game charges, grants and allows. The defaults are the published app's.
package struct GameRules: Sendable, Equatable {
    /// What becomes of the energy a client reports (`updateUserEnergy`).
    package enum ClientUpdates: String, Sendable, CaseIterable {
        /// The report becomes the balance, up to ``GameRules/maximumReportedEnergy``.
        case accept
        /// The report may lower the balance, never raise it.
        case lowerOnly
        /// Reports are refused.
        case refuse
    }

    /// What becomes of a request of a player we do not know.
    package enum UnknownUsers: String, Sendable, CaseIterable {
        /// It is refused.
        case refuse
        /// The player is registered first: installed apps of an older backend never register again.
        case register
    }

    /// The balance a new player starts with. Default: 30.
    package var startingEnergy: Energy = 30
    /// What a game costs. Default: 5.
    package var gamePrice: Energy = 5
    /// The amounts that are on sale. 5 and 30; the schema allows no others.
    package var products: Set<Energy> = [5, 30]
    /// What becomes of the energy a client reports. Default: accept.
    package var clientUpdates = ClientUpdates.accept
    /// The highest balance a client can report itself to. A balance that is higher already, by purchases, may stay so.
    /// Default: 1,000,000.
    package var maximumReportedEnergy: Energy = 1_000_000
    /// What becomes of a request of a player we do not know. Default: refuse.
    package var unknownUsers = UnknownUsers.refuse
    /// The language of the list that games deal from, as in `words.language`. Default: "en".
    package var language = "en"
    /// The number of letters of the words that games deal. Default: 5.
    package var wordLength = 5

    /// The published app's rules.
    package init() {}
}
