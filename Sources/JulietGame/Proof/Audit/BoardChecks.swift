/// Leaderboards: entries follow from games, counts from entries and the notes that are not gathered yet.
enum BoardChecks {
    private static let entry =
        "the games are right: correct score and reached_at, or delete the entry; then audit again: the counts may differ"

    /// Boards of days, weeks and months that are over may be gone, wholly or in part.
    static let all: [AuditCheck] = [
        AuditCheck(
            "boards.nobody", "the entry belongs to no player", do: AuditRemedy.removeForeign,
            """
            SELECT user_id, format('%s board of %s', board, starts_on), NULL FROM juliet.board_entries
            WHERE {user_id} AND NOT EXISTS (
                SELECT 1 FROM juliet.players WHERE {players.user_id} AND players.user_id = board_entries.user_id)
            """),
        AuditCheck(
            "boards.daily", "the entry on the day's board does not agree with the day's game", do: entry,
            """
            WITH won AS (
                SELECT user_id, day, ended_at, (guess_count::bigint << 32)
                    + floor(extract(epoch FROM ended_at - started_at))::bigint AS score
                FROM juliet.judged_games AS g
                WHERE {user_id} AND day IS NOT NULL AND is_won AND \(GameChecks.isOnItsDay) AND (\(GameChecks.counts))),
            listed AS (
                SELECT user_id, starts_on, score, reached_at FROM juliet.board_entries
                WHERE {user_id} AND board = 'daily')
            SELECT coalesce(won.user_id, listed.user_id), format('daily board of %s', coalesce(day, starts_on)),
                CASE WHEN listed.user_id IS NULL THEN 'no entry' WHEN won.user_id IS NULL THEN 'no game'
                    ELSE format('score %s instead of %s', listed.score, won.score) END
            FROM won FULL JOIN listed ON listed.user_id = won.user_id AND listed.starts_on = won.day
            WHERE won.score IS DISTINCT FROM listed.score OR won.ended_at IS DISTINCT FROM listed.reached_at
            """),
        AuditCheck(
            "boards.wins", "the entry on the board of wins does not agree with the games", do: entry,
            """
            WITH won AS (
                SELECT user_id, board, juliet.board_start(board, juliet.day_at(ended_at)) AS starts_on,
                    -count(*) AS score, max(ended_at) AS ended_at
                FROM juliet.judged_games AS g
                    CROSS JOIN unnest(ARRAY['day', 'week', 'month', 'all']::juliet.board[]) AS board
                WHERE {user_id} AND is_won AND ended_at IS NOT NULL AND (\(GameChecks.counts))
                GROUP BY user_id, board, juliet.board_start(board, juliet.day_at(ended_at))),
            listed AS (
                SELECT user_id, board, starts_on, score, reached_at FROM juliet.board_entries
                WHERE {user_id} AND board <> 'daily')
            SELECT coalesce(won.user_id, listed.user_id),
                format('%s board of %s', coalesce(won.board, listed.board), coalesce(won.starts_on, listed.starts_on)),
                CASE WHEN listed.user_id IS NULL THEN 'no entry' WHEN won.user_id IS NULL THEN 'no game won'
                    ELSE format('%s wins, %s won', -listed.score, -won.score) END
            FROM won FULL JOIN listed
                ON listed.user_id = won.user_id AND listed.board = won.board AND listed.starts_on = won.starts_on
            WHERE (won.score IS DISTINCT FROM listed.score OR won.ended_at IS DISTINCT FROM listed.reached_at)
                AND (listed.user_id IS NOT NULL OR won.board = 'all'
                    OR won.starts_on >= juliet.board_start(won.board, juliet.today()))
            """),
        // The last notes of a deleted player have their own name.
        AuditCheck(
            "boards.note", "the note of a change belongs to no player", do: AuditRemedy.removeForeign,
            """
            SELECT user_id, format('note of %s', noted_at), NULL FROM juliet.board_changes
            WHERE {user_id} AND NOT EXISTS (
                    SELECT 1 FROM juliet.players WHERE {players.user_id} AND players.user_id = board_changes.user_id)
                AND strpos(user_id, E'\\t') = 0
            """),
        AuditCheck(
            "boards.counts", "the counts and the notes do not add up to the entries of the board",
            do: "set the count to the number of entries; this also repairs what deleted notes have caused",
            """
            WITH noted AS MATERIALIZED (SELECT (unnest(changes)).* FROM juliet.board_changes),
            counted AS (
                SELECT board, starts_on, step, bucket, sum(number)::bigint AS number FROM (
                    SELECT board, starts_on, step, bucket, count::bigint AS number FROM juliet.board_counts
                    UNION ALL
                    SELECT board, starts_on, step, bucket, change FROM noted CROSS JOIN LATERAL (VALUES
                        (1, old_score >> 32, -1), (2, old_score >> 8, -1), (3, old_score, -1),
                        (1, new_score >> 32, 1), (2, new_score >> 8, 1), (3, new_score, 1))
                        AS moved (step, bucket, change)) AS parts
                WHERE step > 0 AND bucket IS NOT NULL GROUP BY board, starts_on, step, bucket),
            scores AS MATERIALIZED (
                SELECT board, starts_on, score, count(*) AS number FROM juliet.board_entries
                GROUP BY board, starts_on, score),
            listed AS (
                SELECT board, starts_on, step, bucket, sum(number)::bigint AS number
                FROM scores CROSS JOIN LATERAL (VALUES (1, score >> 32), (2, score >> 8), (3, score))
                    AS ranges (step, bucket)
                GROUP BY board, starts_on, step, bucket)
            SELECT NULL, format('%s board of %s, step %s, bucket %s', coalesce(counted.board, listed.board),
                    coalesce(counted.starts_on, listed.starts_on), coalesce(counted.step, listed.step),
                    coalesce(counted.bucket, listed.bucket)),
                format('%s counted, %s listed', coalesce(counted.number, 0), coalesce(listed.number, 0))
            FROM counted FULL JOIN listed ON listed.board = counted.board AND listed.starts_on = counted.starts_on
                AND listed.step = counted.step AND listed.bucket = counted.bucket
            WHERE coalesce(counted.number, 0) <> coalesce(listed.number, 0)
                AND (coalesce(counted.board, listed.board) IN ('daily', 'all')
                    OR coalesce(counted.starts_on, listed.starts_on)
                        >= juliet.board_start(coalesce(counted.board, listed.board), juliet.today()))
            """),
        // The figures of a day keep the games of players who were deleted since.
        AuditCheck(
            "boards.outcomes", "the figures of the day do not agree with its games",
            do: "compare with a backup; a figure below the number of games that exist is wrong",
            """
            WITH counted AS (
                SELECT starts_on, bucket, sum(number)::bigint AS number FROM (
                    SELECT starts_on, bucket, count::bigint AS number FROM juliet.board_counts
                    WHERE board = 'daily' AND step = 0
                    UNION ALL
                    SELECT starts_on, outcome, 1 FROM (
                        SELECT (unnest(changes)).* FROM juliet.board_changes) AS noted
                    WHERE board = 'daily' AND outcome IS NOT NULL) AS parts
                GROUP BY starts_on, bucket),
            played AS (
                SELECT day, CASE WHEN is_won THEN guess_count ELSE juliet.maximum_guesses() + 1 END AS outcome,
                    count(*) AS number
                FROM juliet.judged_games AS g
                WHERE day IS NOT NULL AND \(GameChecks.isOnItsDay) AND (\(GameChecks.counts))
                GROUP BY 1, 2),
            compared AS (
                SELECT coalesce(starts_on, day) AS day, coalesce(bucket, outcome) AS outcome,
                    coalesce(counted.number, 0) AS counted, coalesce(played.number, 0) AS played
                FROM counted FULL JOIN played ON played.day = counted.starts_on AND played.outcome = counted.bucket),
            days AS (
                SELECT day, more, count(closed_at) AS deleted
                FROM (SELECT day, sum(counted - played) AS more FROM compared GROUP BY day) AS sums
                    LEFT JOIN juliet.closed_ledgers ON closed_at >= juliet.day_of(juliet.day_start(day))
                GROUP BY day, more)
            SELECT NULL, format('day %s, %s guesses', compared.day, outcome),
                format('%s counted, %s games, %s players deleted since', counted, played, deleted)
            FROM compared JOIN days ON days.day = compared.day
            WHERE counted < played OR outcome NOT BETWEEN 1 AND juliet.maximum_guesses() + 1
                OR counted > played AND more > deleted
            """),
    ]
}
