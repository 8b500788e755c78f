package import Postgres

/// Leagues for operators, over one session of the role that owns the tables.
package struct LeagueRecords {
    /// A league.
    package struct League: Sendable, Hashable, Encodable {
        /// Its id.
        package let id: String
        /// Its name.
        package let name: String
        /// How many members it has.
        package let members: Int
        /// The player who owns it; nil: it has no member, which happens only after damage.
        package let owner: String?
        /// When it was created, ISO 8601 in UTC.
        package let createdAt: String
    }

    /// A member of a league.
    package struct Member: Sendable, Hashable, Encodable {
        /// The membership's id.
        package let id: String
        /// The player.
        package let player: String
        /// When they joined, ISO 8601 in UTC.
        package let joinedAt: String
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// Leagues, newest first.
    ///
    /// - Parameters:
    ///   - count: How many at most.
    ///   - part: Only those whose names have it, in any letter case; nil: all.
    ///   - player: Only those of this player; nil: all.
    package func list(last count: Int, named part: String?, of player: String?) async throws(PostgresError) -> [League]
    {
        try await connection.execute(FindLeagues(count: count, part: part, player: player, id: nil))
    }

    /// A league; nil: there is none with this id.
    package func league(_ id: PostgresUUID) async throws(PostgresError) -> League? {
        try await connection.first(FindLeagues(count: 1, part: nil, player: nil, id: id))
    }

    /// The members of a league, in the order in which they joined.
    package func members(of id: PostgresUUID) async throws(PostgresError) -> [Member] {
        try await connection.execute(FindLeagueMembers(league: id))
    }

    /// Ends a league, for all its members, and records it in the audit trail.
    ///
    /// - Returns: Whether there was such a league.
    package func end(_ id: PostgresUUID, by actor: String, reason: String) async throws(PostgresError) -> Bool {
        try await connection.first(CloseLeague(league: id, actor: actor, reason: reason)) ?? false
    }
}

private struct FindLeagues: Statement {
    var sql: StaticString {
        """
        SELECT id::text, name,
            (SELECT count(*) FROM juliet.league_members WHERE league_id = leagues.id)::integer,
            (SELECT user_id FROM juliet.league_members WHERE league_id = leagues.id
                ORDER BY joined_at, league_members.id LIMIT 1),
            juliet.show_time(created_at)
        FROM juliet.leagues
        WHERE ($2::text IS NULL
                OR position(juliet.folded_name(normalize($2, NFC)) IN juliet.folded_name(name)) > 0) AND ($4::uuid IS NULL OR id = $4)
            AND ($3::text IS NULL OR id IN (SELECT league_id FROM juliet.league_members WHERE user_id = $3))
        ORDER BY created_at DESC, id LIMIT $1
        """
    }
    var access: StatementAccess { .read }
    let count: Int
    let part: String?
    let player: String?
    let id: PostgresUUID?

    func bind(to parameters: inout Parameters) {
        parameters.append(Int32(clamping: count), part, player, id)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LeagueRecords.League {
        LeagueRecords.League(
            id: try row.next(), name: try row.next(), members: Int(try row.next(Int32.self)), owner: try row.next(),
            createdAt: try row.next())
    }
}

private struct FindLeagueMembers: Statement {
    var sql: StaticString {
        """
        SELECT id::text, user_id, juliet.show_time(joined_at) FROM juliet.league_members
        WHERE league_id = $1 ORDER BY joined_at, league_members.id
        """
    }
    var access: StatementAccess { .read }
    let league: PostgresUUID

    func bind(to parameters: inout Parameters) { parameters.append(league) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LeagueRecords.Member {
        LeagueRecords.Member(id: try row.next(), player: try row.next(), joinedAt: try row.next())
    }
}

private struct CloseLeague: Statement {
    var sql: StaticString { "SELECT juliet.close_league($1, $2, $3, NULL, NULL)" }
    let league: PostgresUUID
    let actor: String
    let reason: String

    func bind(to parameters: inout Parameters) { parameters.append(actor, league, reason) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}
