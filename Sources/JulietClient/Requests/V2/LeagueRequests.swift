public import JulietAPI

// Leagues: the day's word among people who know each other. All but `FetchInvitation` need a token. Where the service has no
// leagues all are refused with `not-found`.

/// Creates a league, which the player owns. Refused with `name-refused`, or `too-many` in twenty leagues already.
///
/// A repeat with the same `Idempotency-Key` gets the first answer; the queue gives each request a key.
public struct CreateLeague: V2Request {
    /// The league, with its invite.
    public typealias Response = V2.JoinedLeague
    /// Its name: 1 to 40 characters.
    public var name: String

    /// Takes a name.
    public init(name: String) {
        self.name = name
    }

    /// The league's.
    public var identifierSource: IdentifierSource { .json(["league", "id"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// The leagues.
    public var path: String { "/v2/leagues" }
    var content: V2.NewLeague? { V2.NewLeague(name: name) }
}

/// Asks for the player's leagues.
public struct ListLeagues: V2Request {
    /// In the order in which the player joined them.
    public typealias Response = V2.LeagueList

    /// Asks for all.
    public init() {}

    /// The leagues.
    public var path: String { "/v2/leagues" }
    typealias Content = V2.NoMembers
}

/// Asks for one of the player's leagues. Refused with `not-found`.
public struct FetchLeague: V2Request {
    /// The league.
    public typealias Response = V2.League
    /// Which.
    public var league: V2.League.ID

    /// Names a league.
    public init(league: V2.League.ID) {
        self.league = league
    }

    /// The league.
    public var path: String { "/v2/leagues/\(league)" }
    typealias Content = V2.NoMembers
}

/// Gives a league another name. Refused with `not-owner` or `name-refused`.
public struct RenameLeague: V2Request {
    /// The league.
    public typealias Response = V2.League
    /// Which.
    public var league: V2.League.ID
    /// Its name: 1 to 40 characters.
    public var name: String

    /// Names a league, anew.
    public init(league: V2.League.ID, name: String) {
        self.league = league
        self.name = name
    }

    /// PATCH.
    public var method: HTTPMethod { .patch }
    /// The league.
    public var path: String { "/v2/leagues/\(league)" }
    var content: V2.RenameLeague? { V2.RenameLeague(name: name) }
}

/// Ends a league, for all its members. Refused with `not-owner`.
public struct EndLeague: V2Request {
    /// Nothing but success.
    public typealias Response = Void
    /// Which.
    public var league: V2.League.ID

    /// Names a league.
    public init(league: V2.League.ID) {
        self.league = league
    }

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The league.
    public var path: String { "/v2/leagues/\(league)" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}

/// Makes a new invite for a league; the one before ends. Refused with `not-owner`.
public struct RenewInvite: V2Request {
    /// The new one.
    public typealias Response = V2.RenewedInvite
    /// Whose.
    public var league: V2.League.ID

    /// Names a league.
    public init(league: V2.League.ID) {
        self.league = league
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The league's invite.
    public var path: String { "/v2/leagues/\(league)/invite" }
    typealias Content = V2.NoMembers
}

/// Asks what an invite lets one join. Refused with `not-found`; goes without a token, too.
public struct FetchInvitation: V2Request {
    /// The league, as far as it is told.
    public typealias Response = V2.Invitation
    /// The invite.
    public var invite: V2.ShareCode

    /// Takes an invite.
    public init(invite: V2.ShareCode) {
        self.invite = invite
    }

    /// The invite.
    public var path: String { "/v2/invites/\(invite)" }
    typealias Content = V2.NoMembers
}

/// Joins the league that an invite is of; a member gets the same answer. Refused with `not-found`, `too-many` in twenty
/// leagues already, or `league-full`.
public struct JoinLeague: V2Request {
    /// The league.
    public typealias Response = V2.JoinedLeague
    /// As people type it; `V2.ShareCode` tells whether it can be one.
    public var invite: String

    /// Takes an invite.
    public init(invite: String) {
        self.invite = invite
    }

    /// The league's.
    public var identifierSource: IdentifierSource { .json(["league", "id"]) }
    /// POST.
    public var method: HTTPMethod { .post }
    /// Where one joins.
    public var path: String { "/v2/leagues/join" }
    var content: V2.JoinLeague? { V2.JoinLeague(invite: invite) }
}

/// Asks for the members of a league.
public struct ListLeagueMembers: V2Request {
    /// The owner first.
    public typealias Response = V2.LeagueMemberList
    /// Whose.
    public var league: V2.League.ID

    /// Names a league.
    public init(league: V2.League.ID) {
        self.league = league
    }

    /// The members.
    public var path: String { "/v2/leagues/\(league)/members" }
    typealias Content = V2.NoMembers
}

/// Leaves a league or, as its owner, takes a member out. Refused with `not-owner`, or `not-found` for who is no member.
public struct RemoveLeagueMember: V2Request {
    /// Nothing but success.
    public typealias Response = Void
    /// From which league.
    public var league: V2.League.ID
    /// Whom.
    public var member: V2.LeagueMember.ID

    /// Names a member; the player who asks by default.
    public init(league: V2.League.ID, member: V2.LeagueMember.ID = .me) {
        self.league = league
        self.member = member
    }

    /// DELETE.
    public var method: HTTPMethod { .delete }
    /// The member.
    public var path: String { "/v2/leagues/\(league)/members/\(member)" }
    typealias Content = V2.NoMembers

    /// Takes the contract's answer, which has no content.
    public static func decode(_ response: HTTPResponse) throws { try ClientError.checkNoContent(response) }
}

/// Asks who did best in the words of the days, among the members of a league.
public struct FetchLeagueTable: V2Request {
    /// All members, best first.
    public typealias Response = V2.LeagueTable
    /// Whose.
    public var league: V2.League.ID
    /// The period.
    public var period: V2.Period

    /// Names a league.
    public init(league: V2.League.ID, period: V2.Period = .week) {
        self.league = league
        self.period = period
    }

    /// The league's table.
    public var path: String { "/v2/leagues/\(league)/table" }
    /// Which.
    public var query: RequestQuery { ["period": period] }
    typealias Content = V2.NoMembers
}
