package import JulietClient

/// What is known of leagues and challenges. It is not kept, but asked for when it is shown.
package struct DeskFriends: Equatable, Sendable {
    /// What a code is typed for.
    package enum Code: Equatable, Sendable {
        case challenge
        case invite
    }

    /// A line of the list of both.
    package enum Item: Equatable, Sendable {
        case league(V2.League)
        case challenge(V2.Challenge)
    }

    /// By joining; nil: not asked for yet.
    package internal(set) var leagues: [V2.League]?
    /// Newest first; nil: not asked for yet.
    package internal(set) var challenges: [V2.Challenge]?
    /// The league that is looked at.
    package internal(set) var league: V2.League?
    package internal(set) var period = V2.Period.week
    /// The table of that league and period; nil: not answered yet.
    package internal(set) var table: V2.LeagueTable?
    /// The challenge that is looked at.
    package internal(set) var challenge: V2.Challenge?
    /// When what is shown was last asked for.
    var askedAt = V2.Timestamp(microsecondsSince1970: 0)

    /// Leagues first.
    package var items: [Item] { (leagues ?? []).map(Item.league) + (challenges ?? []).map(Item.challenge) }
}
