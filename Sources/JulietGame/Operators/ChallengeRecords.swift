package import JulietAPI
package import Postgres

/// Challenges for operators, over one session of the role that owns the tables. Words are never shown.
package struct ChallengeRecords {
    /// A challenge. Times are ISO 8601 in UTC.
    package struct Challenge: Sendable, Hashable, Encodable {
        /// The code by which players find it.
        package let code: String
        /// `open`; `over`: its time has ended; `deleted`.
        package let state: String
        /// Who made it; nil: the maker was deleted, or has deleted the challenge.
        package let maker: String?
        /// The maker's name.
        package let name: String?
        /// Whether the word is the maker's own.
        package let isOwnWord: Bool
        /// Whether the word need not be in a list.
        package let isAnyWord: Bool
        /// What the maker says of the word; nil: nothing.
        package let hint: String?
        /// Whether it is played in hard mode.
        package let isHard: Bool
        /// How many players began it, including deleted ones.
        package let players: Int
        /// How many games of it there are.
        package let games: Int
        /// How many of them have ended.
        package let ended: Int
        /// When it was made.
        package let createdAt: String
        /// When it ends.
        package let endsAt: String
    }

    private let connection: PostgresConnection

    /// Works on this session.
    package init(connection: PostgresConnection) { self.connection = connection }

    /// The challenges made last, newest first.
    ///
    /// - Parameter count: How many at most.
    package func list(last count: Int) async throws(PostgresError) -> [Challenge] {
        try await connection.execute(ListChallengeRecords(code: nil, count: count))
    }

    /// The challenge of a code; nil: there is none.
    package func challenge(_ code: V2.ShareCode) async throws(PostgresError) -> Challenge? {
        try await connection.first(ListChallengeRecords(code: code, count: 1))
    }

    /// Ends a challenge: it can no longer be found, and the games that were begun stay. The audit trail records it.
    ///
    /// - Parameters:
    ///   - actor: Who does it.
    ///   - reason: Why.
    /// - Returns: Whether there was one.
    package func end(
        _ code: V2.ShareCode, by actor: String, because reason: String
    ) async throws(PostgresError) -> Bool {
        try await connection.first(
            FunctionCall<Bool>("SELECT juliet.end_challenge($1, $2, $3, NULL, NULL)") {
                $0.append(actor, code.characters, reason)
            }
        ) == true
    }

    /// Takes a challenge's hint away, from its games too. The audit trail records it.
    ///
    /// - Parameters:
    ///   - actor: Who does it.
    ///   - reason: Why.
    /// - Returns: Whether it had one; nil: there is no such challenge.
    package func hideHint(
        of code: V2.ShareCode, by actor: String, because reason: String
    ) async throws(PostgresError) -> Bool? {
        try await connection.first(
            FunctionCall<Bool?>("SELECT juliet.hide_hint($1, $2, $3, NULL, NULL)") {
                $0.append(actor, code.characters, reason)
            }
        ) ?? nil
    }
}

private struct ListChallengeRecords: Statement {
    var sql: StaticString {
        """
        SELECT juliet.show_share_code(code),
            CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN ends_at > now() THEN 'open' ELSE 'over' END,
            maker, name, is_own_word, is_any_word, hint, is_hard, shown.players, coalesce(games, 0)::integer, coalesce(ended, 0)::integer,
            juliet.show_time(created_at), juliet.show_time(ends_at)
        FROM (SELECT * FROM juliet.challenges WHERE code = coalesce($1, code) ORDER BY created_at DESC, code LIMIT $2)
            AS shown
            LEFT JOIN (SELECT user_id, name FROM juliet.players) AS known ON user_id = maker
            LEFT JOIN (SELECT challenge, count(*) AS games, count(ended_at) AS ended FROM juliet.judged_games
                WHERE challenge IS NOT NULL GROUP BY challenge) AS begun ON challenge = code
        ORDER BY created_at DESC, code
        """
    }
    var access: StatementAccess { .read }
    let code: V2.ShareCode?
    let count: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(code?.characters)
        parameters.append(Int64(count))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> ChallengeRecords.Challenge {
        ChallengeRecords.Challenge(
            code: try row.next(), state: try row.next(), maker: try row.next(), name: try row.next(),
            isOwnWord: try row.next(), isAnyWord: try row.next(), hint: try row.next(), isHard: try row.next(),
            players: Int(try row.next(Int32.self)),
            games: Int(try row.next(Int32.self)), ended: Int(try row.next(Int32.self)), createdAt: try row.next(),
            endsAt: try row.next())
    }
}
