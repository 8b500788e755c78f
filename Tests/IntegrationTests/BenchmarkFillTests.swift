import Foundation
import TestSupport
import Testing

@Suite("The benchmark's players", .defaultLayout("fills tables of one server"))
struct BenchmarkFillTests {
    /// Every row of what a player of `/v2` consists of; of the boards' counts, what they come to.
    private static let rows = """
        SELECT 'users', u::text FROM users AS u UNION ALL
        SELECT 'energy_ledger', l::text FROM energy_ledger AS l UNION ALL
        SELECT 'players', p::text FROM players AS p UNION ALL
        SELECT 'sessions', s::text FROM sessions AS s UNION ALL
        SELECT 'judged_games', g::text FROM judged_games AS g UNION ALL
        SELECT 'played_words', w::text FROM played_words AS w UNION ALL
        SELECT 'daily_results', r::text FROM daily_results AS r UNION ALL
        SELECT 'board_entries', b::text FROM board_entries AS b UNION ALL
        SELECT 'board_counts', concat_ws(' ', board, starts_on, step, bucket, sum(count)) FROM board_counts
        GROUP BY board, starts_on, step, bucket ORDER BY 1, 2
        """

    @Test("are what the schema's functions leave, row by row")
    func sameAsTheFunctions() async throws {
        let played = try await TestDatabase.create()
        // Twelve players: each begins a game, and wins the day's with one guess to six, after another time each.
        try await played.psql(
            """
            DO $$
            DECLARE
                player text;
                token bytea;
                wrong text[];
                secret text;
            BEGIN
                PERFORM choose_daily_words();
                SELECT word INTO secret FROM daily_words WHERE day = today();
                wrong := ARRAY(SELECT word FROM words WHERE word <> secret AND place IS NOT NULL ORDER BY place LIMIT 5);
                FOR n IN 1..12 LOOP
                    player := '6ed8320e-51c1-8a06-b8b0-' || 100000000000 + n;
                    token := sha256(int4send(n)) || player::bytea;
                    PERFORM create_player(player, 'Player ' || n, NULL, token, gen_random_uuid(), sha256(token));
                    PERFORM start_judged_game(token, 'en', 5, false, NULL, NULL);
                    PERFORM start_daily_game(token, false);
                    UPDATE judged_games SET started_at = earlier(started_at, n * n * interval '100 seconds')
                    WHERE user_id = player AND day IS NOT NULL;
                    FOR number IN 1..1 + n % 6 LOOP
                        PERFORM guess(token, id, CASE WHEN number > n % 6 THEN secret ELSE wrong[number] END, number, NULL, NULL)
                        FROM judged_games WHERE user_id = player AND day IS NOT NULL;
                    END LOOP;
                END LOOP;
            END
            $$
            """)
        #expect(try await played.psql("SELECT count(*) FROM judged_games WHERE is_won") == "12")

        // The same players, by what cannot be known of them beforehand.
        let filling = try await played.psql(
            """
            SELECT string_agg(row, ',') FROM (
                SELECT format('(%L, %L, %L::bytea, %L::bytea, %L::uuid, %L::timestamptz, %L::timestamptz, %L::uuid, %L, %L::uuid, '
                    '%L::timestamptz, %L::timestamptz, %L::uuid, %L::date, %L::timestamptz, %L, %L, %L::timestamptz, '
                    '%L::timestamptz, %L::timestamptz)', users.id, name, token_hash, recovery_hash, sessions.id,
                    sessions.created_at, users.created_at, game.id,
                    game.word, game.salt, paid.created_at, game.started_at, daily.id, daily.day, daily.started_at,
                    daily.guesses, daily.marks, rewarded.created_at, played_at, daily.ended_at) AS row
                FROM users JOIN players ON players.user_id = users.id JOIN sessions ON sessions.user_id = users.id
                    JOIN energy_ledger AS paid ON paid.user_id = users.id AND paid.entry = 2
                    JOIN energy_ledger AS rewarded ON rewarded.user_id = users.id AND rewarded.entry = 3
                    JOIN judged_games AS game ON game.user_id = users.id AND game.day IS NULL
                    JOIN judged_games AS daily ON daily.user_id = users.id AND daily.day IS NOT NULL
                    JOIN played_words ON played_words.user_id = users.id) AS rows
            """)
        let days = try await played.psql(
            """
            SELECT string_agg(format('(%L, %L, %L, %L, %L, %L::boolean, %L)', day, language, word, salt, commitment, is_planned, seal), ',')
            FROM daily_words
            """)
        let script = TestDatabase.root.appending(path: "Benchmarks/fill.sql").standardized
        let filled = try await TestDatabase.create()
        try await filled.psql(
            """
            INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal) VALUES \(days);
            CREATE TEMPORARY TABLE filling AS SELECT * FROM (VALUES \(filling)) AS players (id, name, token, recovery,
                session, session_at, created_at, game, word, salt, paid_at, started_at, daily, day, daily_started_at,
                guesses, marks, rewarded_at, played_at, ended_at);
            \(try String(contentsOf: script, encoding: .utf8))
            """)
        try await played.gatherBoards()
        let expected = try await played.psql(Self.rows).split(separator: "\n")
        let found = try await filled.psql(Self.rows).split(separator: "\n")
        #expect(expected.count > 12 * 13)
        for (expected, found) in zip(expected, found) { #expect(found == expected) }
        #expect(found.count == expected.count)
    }
}
