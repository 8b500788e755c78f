/// What an operator can set of the game's rules. The defaults are the published app's. What a game costs, what is on
/// sale and what a new player gets stands in the schema.
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

    /// Whether a player of the published app may become one of `/v2`, once.
    package enum Claims: String, Sendable, CaseIterable {
        /// No.
        case refuse
        /// Yes: whoever knows the vendorID first.
        case allow
    }

    /// What becomes of the published app's requests for a player who was claimed.
    package enum ClaimedApp: String, Sendable, CaseIterable {
        /// They are served.
        case accept
        /// They are refused, as an unknown player's are.
        case refuse
    }

    /// What becomes of the energy a client reports. Default: accept.
    package var clientUpdates = ClientUpdates.accept
    /// The highest balance a client can report itself to. A balance that is higher already, by purchases, may stay so.
    /// Default: 1,000,000.
    package var maximumReportedEnergy: Energy = 1_000_000
    /// What becomes of a request of a player we do not know. Default: refuse.
    package var unknownUsers = UnknownUsers.refuse
    /// Whether a player of the published app may become one of `/v2`. Default: refuse.
    package var claims = Claims.refuse
    /// What becomes of the published app's requests for a player who was claimed. Default: refuse.
    package var claimedApp = ClaimedApp.refuse
    /// How much energy a player may buy in a day (UTC) without the App Store's signature; 0, the default: any amount.
    package var unverifiedDailyLimit: Energy = 0
    /// The language of the list that games deal from, as in `words.language`. Default: "en".
    package var language = "en"
    /// The number of letters of the words that games deal. Default: 5.
    package var wordLength = 5

    /// The published app's rules.
    package init() {}
}
