/// Games that the service judged: each follows from its word and its guesses, was paid for, and is in the statistics.
enum GameChecks {
    /// Whether a game counts: in statistics, on boards, among the words played, and whether it is paid for. A condition on a
    /// row of `judged_games` that is called `g`; a kind of game that does not count is excluded only here.
    static let counts = "g.kind NOT IN ('archive', 'challenge')"
    /// Whether a day's game ended on its day, so that it counts in the day's figures.
    static let isOnItsDay = "juliet.day_at(g.ended_at) = g.day"

    static let all: [AuditCheck] = single + payments + [statistics, played, hardMode]

    private static let judgement =
        "the service did not judge it like this: compare with a backup, and run `juliet game verify` on what the player was shown"

    /// Checks of a game's own row.
    private static let single: [AuditCheck] = [
        AuditCheck(
            "games.nobody", "the game belongs to no player", do: AuditRemedy.restoreGone,
            """
            SELECT user_id, 'game ' || id, NULL FROM juliet.judged_games
            WHERE {user_id} AND NOT EXISTS (SELECT 1 FROM juliet.players WHERE {players.user_id} AND players.user_id = judged_games.user_id)
            """),
        AuditCheck(
            "games.commitment", "the commitment does not match its word and salt", do: judgement,
            """
            SELECT user_id, 'game ' || id, NULL FROM juliet.judged_games
            WHERE {user_id} AND commitment IS DISTINCT FROM juliet.commitment(salt, word)
            """),
        AuditCheck(
            "games.word", "the word or a guess is not a word of its language, or has another length", do: judgement,
            """
            SELECT user_id, 'game ' || id, NULL FROM juliet.judged_games AS g
            WHERE {user_id} AND (char_length(word) IS DISTINCT FROM letters
                OR (is_any_word OR hint IS NOT NULL) AND num_nonnulls(challenge, former_challenge) = 0 OR NOT is_any_word
                AND NOT EXISTS (SELECT 1 FROM juliet.words WHERE words.language = g.language AND words.word = g.word))
            UNION
            SELECT user_id, 'game ' || g.id, NULL
            FROM juliet.judged_games AS g CROSS JOIN LATERAL generate_series(1, guess_count) AS number
                LEFT JOIN juliet.words ON words.language = g.language
                    AND words.word = substr(guesses, (number - 1) * g.letters + 1, g.letters)
            WHERE {user_id} AND words.word IS NULL AND NOT is_any_word
            """),
        AuditCheck(
            "games.marks", "the marks do not follow from the guesses and the word", do: judgement,
            """
            SELECT user_id, 'game ' || id, NULL FROM juliet.judged_games
            WHERE {user_id} AND ((guess_count BETWEEN 0 AND juliet.maximum_guesses()) IS NOT TRUE
                OR char_length(guesses) IS DISTINCT FROM guess_count * letters
                OR marks IS DISTINCT FROM (
                    SELECT coalesce(string_agg(juliet.mark_guess(
                        substr(guesses, (number - 1) * letters + 1, letters), word), '' ORDER BY number), '')
                    FROM generate_series(1, guess_count) AS number))
            """),
        AuditCheck(
            "games.outcome", "its state (won, lost or playing) does not follow from the guesses", do: judgement,
            """
            SELECT user_id, 'game ' || id,
                CASE WHEN is_won THEN 'won' WHEN ended_at IS NULL THEN 'playing' ELSE 'lost' END
            FROM juliet.judged_games
            WHERE {user_id} AND (
                is_won IS DISTINCT FROM (ended_at IS NOT NULL AND guess_count > 0 AND right(guesses, letters) = word)
                OR ended_at IS NULL AND guess_count >= juliet.maximum_guesses()
                OR ended_at IS NULL AND guess_count > 0 AND right(guesses, letters) = word
                OR EXISTS (SELECT 1 FROM generate_series(1, guess_count - 1) AS number
                    WHERE substr(guesses, (number - 1) * letters + 1, letters) = word))
            """),
        // The id has the milliseconds of the start.
        AuditCheck(
            "games.time",
            "its times are not possible: the start is not that of its id, or it ended before its start, or in the future",
            do: AuditRemedy.restore,
            """
            SELECT user_id, 'game ' || id, format('started %s, ended %s', started_at, ended_at) FROM juliet.judged_games
            WHERE {user_id} AND (ended_at < started_at OR greatest(started_at, ended_at) > now() + interval '10 minutes'
                OR (extract(epoch FROM started_at) * 1000)::bigint
                    - ('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint
                    NOT BETWEEN -60000 AND 600000)
            """),
        AuditCheck(
            "games.daily", "its word is not the word of its day", do: judgement,
            """
            SELECT user_id, 'game ' || id, 'day ' || g.day
            FROM juliet.judged_games AS g LEFT JOIN juliet.daily_words AS d ON d.day = g.day
            WHERE {g.user_id} AND g.day IS NOT NULL AND ((d.language, d.word, d.salt, d.commitment)
                IS DISTINCT FROM (g.language, g.word, g.salt, g.commitment)
                OR (\(counts)) AND juliet.day_at(g.started_at) NOT BETWEEN g.day AND g.day + 1)
            """),
    ]

    private static let payments: [AuditCheck] = {
        func entries(_ reason: String) -> String {
            """
            SELECT user_id, reference, delta FROM juliet.energy_ledger
            WHERE {user_id} AND entry IS NOT NULL AND reason = '\(reason)' AND char_length(reference) = 36
            UNION ALL
            SELECT user_id, reference, delta FROM juliet.energy_ledger_archive
            WHERE {user_id} AND reason = '\(reason)' AND char_length(reference) = 36
            """
        }
        let paid = "WITH paid AS (\(entries("game")))"
        // Of players who were merged: games whose entries are in the ledger of another name. There are few, and the two may
        // be on different servers.
        func merged(_ reason: String) -> String {
            let all = entries(reason).replacing("{user_id} AND ", with: "")
            return """
                merged AS MATERIALIZED (SELECT user_id AS ledger, holder FROM juliet.merges),
                moved AS MATERIALIZED (
                    SELECT user_id, id, kind, day, reward, started_at, ledger FROM juliet.judged_games
                    WHERE ledger IS NOT NULL),
                paid AS MATERIALIZED (
                    SELECT ledger, holder, reference, delta FROM (\(all)) AS entries JOIN merged ON ledger = user_id),
                filed AS MATERIALIZED (
                    SELECT user_id, created_at - interval '399 days' AS ends FROM juliet.energy_checkpoints
                    WHERE begins = 'archive')
                """
        }
        // What went out to files was 399 days old or more, and files do not name games.
        let known = """
            NOT EXISTS (SELECT 1 FROM juliet.energy_checkpoints AS filed
                WHERE {filed.user_id} AND filed.user_id = g.user_id AND begins = 'archive'
                    AND g.started_at < filed.created_at - interval '399 days')
            """
        return [
            AuditCheck(
                "games.unpaid", "it was not paid for", do: AuditRemedy.removeForeign,
                """
                \(paid)
                SELECT user_id, 'game ' || id, NULL FROM juliet.judged_games AS g
                WHERE {g.user_id} AND ledger IS NULL AND day IS NULL AND (\(counts)) AND \(known) AND NOT EXISTS (
                    SELECT 1 FROM paid WHERE paid.user_id = g.user_id AND paid.reference = g.id::text)
                """),
            AuditCheck(
                "games.gone", "it was paid for and does not exist", do: AuditRemedy.restoreGone,
                """
                \(paid)
                SELECT paid.user_id, 'game ' || reference, NULL
                FROM paid JOIN juliet.players ON players.user_id = paid.user_id
                WHERE {players.user_id} AND NOT EXISTS (
                    SELECT 1 FROM juliet.judged_games AS g
                    WHERE {g.user_id} AND g.user_id = paid.user_id AND g.id::text = reference)
                """),
            AuditCheck(
                "games.reward", "the reward of the day does not agree with the ledger", do: AuditRemedy.restore,
                """
                WITH rewarded AS (\(entries("daily")))
                SELECT coalesce(g.user_id, rewarded.user_id), 'game ' || coalesce(g.id::text, reference),
                    format('%s here, %s in the ledger', coalesce(reward, 0), coalesce(delta, 0))
                FROM (SELECT user_id, id, reward, started_at FROM juliet.judged_games
                    WHERE {user_id} AND ledger IS NULL AND reward IS NOT NULL) AS g
                    FULL JOIN (
                        SELECT rewarded.* FROM rewarded JOIN juliet.players ON players.user_id = rewarded.user_id
                        WHERE {players.user_id}) AS rewarded
                    ON rewarded.user_id = g.user_id AND reference = g.id::text
                WHERE reward IS DISTINCT FROM delta AND (delta IS NOT NULL OR \(known))
                """),
            AuditCheck(
                "games.mergedUnpaid", "none of the merged players paid for it", do: AuditRemedy.removeForeign,
                """
                WITH \(merged("game"))
                SELECT g.user_id, 'game ' || id, 'ledger ' || g.ledger
                FROM moved AS g LEFT JOIN merged ON merged.ledger = g.ledger AND holder = g.user_id
                    LEFT JOIN paid ON paid.ledger = g.ledger AND reference = g.id::text
                    LEFT JOIN filed ON filed.user_id = g.ledger AND g.started_at < ends
                WHERE merged.ledger IS NULL
                    OR day IS NULL AND (\(counts)) AND reference IS NULL AND filed.user_id IS NULL
                """),
            AuditCheck(
                "games.mergedGone", "it was paid for before a merge and does not exist", do: AuditRemedy.restoreGone,
                """
                WITH \(merged("game")),
                players AS MATERIALIZED (SELECT user_id FROM juliet.players)
                SELECT holder, 'game ' || reference, 'ledger ' || paid.ledger
                FROM paid JOIN players ON players.user_id = holder
                    LEFT JOIN moved ON moved.user_id = holder AND moved.id::text = reference
                WHERE moved.id IS NULL
                """),
            AuditCheck(
                "games.mergedReward", "the reward of the day does not agree with a merged ledger",
                do: AuditRemedy.restore,
                """
                WITH \(merged("daily")),
                players AS MATERIALIZED (SELECT user_id FROM juliet.players),
                rewarded AS (
                    SELECT ledger, reference, delta FROM paid JOIN players ON players.user_id = holder)
                SELECT g.user_id, 'game ' || coalesce(g.id::text, reference),
                    format('%s here, %s in the ledger', coalesce(reward, 0), coalesce(delta, 0))
                FROM (SELECT * FROM moved WHERE reward IS NOT NULL) AS g
                    FULL JOIN rewarded ON rewarded.ledger = g.ledger AND reference = g.id::text
                    LEFT JOIN filed ON filed.user_id = g.ledger AND g.started_at < ends
                WHERE reward IS DISTINCT FROM delta AND filed.user_id IS NULL
                """),
            AuditCheck(
                "games.merged",
                "it is marked as a second game of a day or a challenge after a merge, but cannot be one",
                do: AuditRemedy.restore,
                """
                SELECT g.user_id, 'game ' || id, NULL
                FROM juliet.judged_games AS g LEFT JOIN juliet.daily_words AS d ON d.day = former_day
                WHERE {g.user_id} AND num_nonnulls(former_day, former_challenge) > 0 AND (
                    num_nonnulls(former_day, former_challenge, g.day, challenge) > 1 OR kind <> 'archive'
                    OR former_day IS NOT NULL AND (d.language, d.word, d.salt, d.commitment)
                        IS DISTINCT FROM (g.language, g.word, g.salt, g.commitment)
                    OR former_day IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM juliet.judged_games AS first
                        WHERE {first.user_id} AND first.user_id = g.user_id AND first.day = g.former_day))
                """),
        ]
    }()

    /// The number of losses before a game numbers the runs of wins.
    private static let statistics = AuditCheck(
        "games.statistics", "the statistics do not agree with the games",
        do: "games are missing, or the statistics were altered: compare with a backup",
        """
        WITH ended AS (
            SELECT user_id, ended_at, is_won, guess_count, count(*) FILTER (WHERE NOT is_won)
                OVER (PARTITION BY user_id ORDER BY ended_at, id) AS losses
            FROM juliet.judged_games AS g WHERE {user_id} AND ended_at IS NOT NULL AND (\(counts))),
        runs AS (
            SELECT user_id, losses, count(*) AS games, count(*) FILTER (WHERE is_won) AS wins, max(ended_at) AS ended_at
            FROM ended GROUP BY user_id, losses),
        counted AS (
            SELECT user_id, sum(games)::integer AS played, sum(wins)::integer AS won, max(wins)::integer AS longest,
                (array_agg(wins ORDER BY losses DESC))[1]::integer AS streak, max(ended_at) AS last_ended_at
            FROM runs GROUP BY user_id),
        spread AS (
            SELECT user_id, ARRAY[
                count(*) FILTER (WHERE guess_count = 1), count(*) FILTER (WHERE guess_count = 2),
                count(*) FILTER (WHERE guess_count = 3), count(*) FILTER (WHERE guess_count = 4),
                count(*) FILTER (WHERE guess_count = 5), count(*) FILTER (WHERE guess_count = 6)]::integer[] AS guesses
            FROM ended WHERE is_won GROUP BY user_id),
        latest AS (
            SELECT user_id, max(ended_at) AS ended_at FROM juliet.judged_games WHERE {user_id} GROUP BY user_id)
        SELECT players.user_id, NULL, concat_ws(', ',
            CASE WHEN players.played IS DISTINCT FROM coalesce(counted.played, 0)
                THEN format('played %s instead of %s', players.played, coalesce(counted.played, 0)) END,
            CASE WHEN players.won IS DISTINCT FROM coalesce(counted.won, 0)
                THEN format('won %s instead of %s', players.won, coalesce(counted.won, 0)) END,
            CASE WHEN current_streak IS DISTINCT FROM coalesce(streak, 0)
                THEN format('streak %s instead of %s', current_streak, coalesce(streak, 0)) END,
            CASE WHEN longest_streak IS DISTINCT FROM coalesce(longest, 0)
                THEN format('longest streak %s instead of %s', longest_streak, coalesce(longest, 0)) END,
            CASE WHEN distribution IS DISTINCT FROM coalesce(guesses, '{0,0,0,0,0,0}'::integer[])
                THEN format('guesses %s instead of %s', distribution, coalesce(guesses, '{0,0,0,0,0,0}'::integer[])) END,
            CASE WHEN players.last_ended_at IS DISTINCT FROM coalesce(counted.last_ended_at, '-infinity')
                    AND players.last_ended_at IS DISTINCT FROM coalesce(latest.ended_at, '-infinity')
                THEN format('last game %s instead of %s', players.last_ended_at, counted.last_ended_at) END)
        FROM juliet.players LEFT JOIN counted ON counted.user_id = players.user_id
            LEFT JOIN spread ON spread.user_id = players.user_id LEFT JOIN latest ON latest.user_id = players.user_id
        WHERE {players.user_id} AND (
            (players.played, players.won, current_streak, longest_streak) IS DISTINCT FROM
                (coalesce(counted.played, 0), coalesce(counted.won, 0), coalesce(streak, 0), coalesce(longest, 0))
            OR distribution IS DISTINCT FROM coalesce(guesses, '{0,0,0,0,0,0}'::integer[])
            OR players.last_ended_at IS DISTINCT FROM coalesce(counted.last_ended_at, '-infinity')
                AND players.last_ended_at IS DISTINCT FROM coalesce(latest.ended_at, '-infinity'))
        """)

    private static let hardMode = AuditCheck(
        "games.hard", "a guess of a hard game breaks a rule that follows from earlier guesses", do: judgement,
        """
        SELECT user_id, 'game ' || id, 'guess ' || number
        FROM juliet.judged_games AS g CROSS JOIN LATERAL generate_series(2, guess_count) AS number
            CROSS JOIN LATERAL juliet.broken_rule(left(guesses, (number - 1) * letters),
                left(marks, (number - 1) * letters), letters, substr(guesses, (number - 1) * letters + 1, letters)) AS rule
        WHERE {user_id} AND is_hard AND rule.letter IS NOT NULL
        """)

    private static let played = AuditCheck(
        "games.played", "its word is not among the words that the player has played",
        do: "the word was changed, or a played word deleted: compare with a backup",
        """
        SELECT g.user_id, 'game ' || g.id, NULL
        FROM juliet.judged_games AS g JOIN juliet.words ON words.language = g.language AND words.word = g.word
        WHERE {g.user_id} AND ended_at IS NOT NULL AND (\(counts)) AND NOT EXISTS (
            SELECT 1 FROM juliet.played_words
            WHERE {played_words.user_id} AND played_words.user_id = g.user_id AND played_words.word_id = words.id)
        """)
}
