package import JulietAPI
package import Postgres

/// Leagues: the day's word among people who know each other. Each function is one statement, which also checks the
/// session. If a league is locked, the call is tried again.
///
/// When one throws `outcomeUnknown`, it may have been done all the same: a repeat does no harm, except that creating without
/// an operation's name makes another league.
package struct Leagues: Sendable {
    private let database: PostgresClient

    /// Leagues on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Creates a league, which the player owns. Refused: name refused, too many, operation reused.
    ///
    /// - Parameters:
    ///   - name: Without white space around it and of allowed characters.
    ///   - id: The name of the operation, so that it takes effect once.
    package func create(
        name: String, by session: Credential, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> V2Answer<V2.JoinedLeague> {
        let operation = id.map { Operation($0, .createLeague, name) }
        return try await database.ask(.createLeague(session: session, name: name, operation: operation))
            .map(V2.JoinedLeague.init)
    }

    /// The player's leagues, in the order in which they joined them. Refused: unauthorized.
    package func leagues(of session: Credential) async throws(PostgresError) -> V2Answer<V2.LeagueList> {
        try await database.list(FunctionCall.listLeagues(session: session)).map(V2.LeagueList.init)
    }

    /// One of the player's leagues. Refused: unauthorized, not found.
    package func league(
        _ id: PostgresUUID?, of session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.League> {
        try await database.ask(.readLeague(session: session, league: id))
    }

    /// Gives a league another name; nil changes nothing. Refused: not found, not owner, name refused.
    package func rename(
        _ id: PostgresUUID?, to name: String?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.League> {
        try await unlocked { () async throws(PostgresError) in
            try await database.ask(.renameLeague(session: session, league: id, name: name))
        }
    }

    /// Ends a league. Refused: not found, not owner.
    package func end(_ id: PostgresUUID?, by session: Credential) async throws(PostgresError) -> V2Answer<Void> {
        try await unlocked { () async throws(PostgresError) in
            try await database.ask(.endLeague(session: session, league: id))
        }
    }

    /// Makes a new invite; the old one stops working. Refused: not found, not owner.
    package func renewInvite(
        of id: PostgresUUID?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.RenewedInvite> {
        try await unlocked { () async throws(PostgresError) in
            try await database.ask(.renewInvite(session: session, league: id)).map {
                V2.RenewedInvite(invite: $0.invite ?? "")
            }
        }
    }

    /// The league that an invite is for. Refused: unauthorized, not found.
    ///
    /// - Parameter code: nil: the text was not a code.
    package func invitation(
        _ code: V2.ShareCode?, for session: Credential?
    ) async throws(PostgresError) -> V2Answer<V2.Invitation> {
        try await database.ask(.readInvite(session: session, code: code)).map {
            V2.Invitation(league: V2.Invitation.League(name: $0.name, members: $0.members))
        }
    }

    /// Joins the league that an invite is for. A repeat answers the same. Refused: not found, too many, league full.
    ///
    /// - Parameter code: nil: the text was not a code.
    package func join(
        _ code: V2.ShareCode?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.JoinedLeague> {
        try await unlocked { () async throws(PostgresError) in
            try await database.ask(.joinLeague(session: session, code: code)).map(V2.JoinedLeague.init)
        }
    }

    /// The members of one of the player's leagues. Refused: unauthorized, not found.
    package func members(
        of id: PostgresUUID?, for session: Credential
    ) async throws(PostgresError) -> V2Answer<V2.LeagueMemberList> {
        try await database.list(FunctionCall.listLeagueMembers(session: session, league: id)).map(
            V2.LeagueMemberList.init)
    }

    /// Takes a member out of a league. Refused: not found, not owner.
    ///
    /// - Parameter member: nil: the calling player.
    package func remove(
        _ member: PostgresUUID?, from id: PostgresUUID?, by session: Credential
    ) async throws(PostgresError) -> V2Answer<Void> {
        try await unlocked { () async throws(PostgresError) in
            try await database.ask(.removeMember(session: session, league: id, member: member))
        }
    }

    /// What a player may see of a league's table. Refused: unauthorized, not found.
    package func view(
        of id: PostgresUUID?, for session: Credential
    ) async throws(PostgresError) -> V2Answer<LeagueView> {
        try await database.ask(.readLeagueView(session: session, league: id))
    }

    /// The table of a league, for all its members, in one snapshot; nil if there is no such league.
    package func table(of id: PostgresUUID, _ period: V2.Period) async throws(PostgresError) -> LeagueTable? {
        LeagueTable(period, try await database.execute(FunctionCall.readLeagueTable(league: id, period: period)))
    }

    /// Tries again, for up to three seconds, while somebody else holds the league.
    private func unlocked<Value>(
        _ attempt: () async throws(PostgresError) -> V2Answer<Value>
    ) async throws(PostgresError) -> V2Answer<Value> {
        let deadline = ContinuousClock.now + .seconds(3)
        var wait = 2
        while true {
            let answer = try await attempt()
            guard answer.refusal == .busy, ContinuousClock.now < deadline else { return answer }
            // Many calls at the same moment are tried again at different times. A cancelled one returns what it has.
            guard (try? await Task.sleep(for: .milliseconds(Int.random(in: 1...wait)))) != nil else { return answer }
            wait = min(wait * 2, 50)
        }
    }
}
