import Postgres

// The walk over all players, in portions.

extension Audit {
    /// How long a portion should take: its size is adapted.
    private static let longest: Duration = .seconds(1)
    private static let sizes = 50...16_000
    /// No id is greater: it is the greatest character, four times.
    private static let lastID = String(repeating: "\u{10FFFF}", count: 4)

    /// Runs checks over all players. Records that belong to no player are found between players' ids, or after them.
    mutating func walk(
        _ given: [(Part, AuditCheck)],
        _ progress: (Progress) -> Void,
        _ report: (AuditFinding) -> Void
    ) async throws(PostgresError) {
        guard !given.isEmpty else { return }
        var checks = given
        var players = 0
        let total = try await connection.first(EstimatePlayers(isNarrowed: scope.since != nil))
        var size = 500
        var after = ""
        while true {
            let start = ContinuousClock.now
            let portion = try await connection.first(
                FindPortion(isNarrowed: scope.since != nil, after: after, size: size))
            let through = portion?.last ?? Self.lastID
            var found: [AuditFinding] = []
            var unreadable: [String] = []
            do throws(PostgresError) {
                try await connection.inTransaction(Self.snapshot) { () async throws(PostgresError) in
                    for (part, check) in checks {
                        unreadable = [check.name]
                        found += try await read(check, part, [after, through])
                    }
                }
            } catch {
                // The portion is checked once more, without that check.
                guard let index = checks.firstIndex(where: { [$0.1.name] == unreadable }) else { throw error }
                take(try Self.unreadable(checks[index].1, checks[index].0, error), report)
                checks.remove(at: index)
                continue
            }
            for finding in found { take(finding, report) }
            players += portion?.count ?? 0
            summary.players = players
            progress(Progress(part: "players", done: players, total: total))
            guard through != Self.lastID else { return }
            after = through
            let took = ContinuousClock.now - start
            if took > Self.longest { size = max(Self.sizes.lowerBound, size / 2) }
            if took < Self.longest / 4 { size = min(Self.sizes.upperBound, size * 2) }
        }
    }

    /// Makes the tables of players who did something since: played, paid, bought, signed in, claimed or were deleted.
    mutating func narrow() async throws(PostgresError) {
        let begin = "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL client_min_messages = warning"
        try await connection.inTransaction(begin) { () async throws(PostgresError) in
            try await connection.executeScript(
                """
                DROP TABLE IF EXISTS audited_players CASCADE;
                CREATE TEMPORARY TABLE audited_players (user_id text COLLATE "C" PRIMARY KEY);
                \(NarrowedTables.create)
                """)
            _ = try await connection.query(
                """
                INSERT INTO audited_players
                SELECT user_id FROM juliet.energy_ledger WHERE created_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.judged_games WHERE started_at >= $1::text::timestamptz
                    OR ended_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.players WHERE last_ended_at >= $1::text::timestamptz
                UNION SELECT id FROM juliet.users WHERE created_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.sessions WHERE created_at >= $1::text::timestamptz
                    OR last_used_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.played_words WHERE played_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.board_entries WHERE reached_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.closed_ledgers WHERE closed_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.claims WHERE claimed_at >= $1::text::timestamptz
                UNION SELECT account_id FROM juliet.claims WHERE claimed_at >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.purchases
                    WHERE user_id IS NOT NULL AND greatest(created_at, decided_at) >= $1::text::timestamptz
                UNION SELECT user_id FROM juliet.admin_actions
                    WHERE user_id IS NOT NULL AND done_at >= $1::text::timestamptz
                UNION SELECT holder FROM juliet.merges WHERE merged_at >= $1::text::timestamptz
                """,
                [scope.since]
            ) { _ throws(PostgresDecodingError) in }
            // Players of one merge are checked together, because their ledgers refer to each other.
            try await connection.executeScript(
                """
                INSERT INTO audited_players
                SELECT holder FROM juliet.merges JOIN audited_players USING (user_id) ON CONFLICT DO NOTHING;
                INSERT INTO audited_players
                SELECT merges.user_id FROM juliet.merges JOIN audited_players ON audited_players.user_id = holder
                ON CONFLICT DO NOTHING;
                ANALYZE audited_players
                """)
        }
    }
}

/// The last id of the next players, and how many they are; NULL: no more.
private struct FindPortion: Statement {
    var sql: StaticString {
        isNarrowed
            ? """
            SELECT max(user_id), count(*) FROM (
                SELECT user_id FROM audited_players WHERE user_id > $1 ORDER BY user_id LIMIT $2) AS portion
            """
            : """
            SELECT max(id), count(*) FROM (
                SELECT id FROM juliet.users WHERE id > $1 ORDER BY id LIMIT $2) AS portion
            """
    }
    var access: StatementAccess { .read }
    let isNarrowed: Bool
    let after: String
    let size: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(Int64(size))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (last: String?, count: Int) {
        (try row.next(), Int(try row.next(Int64.self)))
    }
}

private struct EstimatePlayers: Statement {
    var sql: StaticString {
        isNarrowed
            ? "SELECT count(*) FROM audited_players"
            : "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'juliet.users'::regclass"
    }
    var access: StatementAccess { .read }
    let isNarrowed: Bool

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}
