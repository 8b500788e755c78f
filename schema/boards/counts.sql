-- Finds ranks without reading entries. A smaller score is better.
--
-- board_counts has the number of entries in ranges of scores: ranges of 2^32 scores in step 1, of 2^8 in step 2,
-- single scores in step 3. Step 0 counts how games of the day's word ended. Changes that are not gathered yet are in
-- board_changes.

-- The first day of the board to which a day belongs.
CREATE OR REPLACE FUNCTION board_start(which board, day date) RETURNS date
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE which WHEN 'week' THEN date_trunc('week', day::timestamp)::date
        WHEN 'month' THEN date_trunc('month', day::timestamp)::date
        WHEN 'all' THEN '2000-01-01'::date ELSE day END
$$;

-- The first day after a board that begins with a day.
CREATE OR REPLACE FUNCTION board_end(which board, starts date) RETURNS date
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE which WHEN 'week' THEN starts + 7 WHEN 'month' THEN (starts + interval '1 month')::date
        WHEN 'all' THEN '9999-12-31'::date ELSE starts + 1 END
$$;

-- Adds changes to the counts.
--
-- Called by: tend_boards.
-- Locks: the rows of board_counts that change.
CREATE OR REPLACE FUNCTION count_changes(changes board_change[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_counts (board, starts_on, step, bucket, count)
    SELECT board, starts_on, step, bucket, sum(change)
    FROM unnest(changes) CROSS JOIN LATERAL (VALUES (0, outcome::bigint, 1),
        (1, old_score >> 32, -1), (2, old_score >> 8, -1), (3, old_score, -1),
        (1, new_score >> 32, 1), (2, new_score >> 8, 1), (3, new_score, 1)) AS moved (step, bucket, change)
    WHERE bucket IS NOT NULL GROUP BY board, starts_on, step, bucket HAVING sum(change) <> 0
    ON CONFLICT (board, starts_on, step, bucket) DO UPDATE SET count = board_counts.count + EXCLUDED.count;
END
$$;

-- The changes of a board that are not gathered yet.
--
-- Called by: board_page.
CREATE OR REPLACE FUNCTION changes_of(which board, starts date) RETURNS board_change[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
    noted juliet.board_change[];
BEGIN
    SELECT array_agg(change) INTO noted FROM board_changes CROSS JOIN LATERAL unnest(changes) AS change
    WHERE change.board = which AND change.starts_on = starts;
    RETURN noted;
END
$$;

-- Counts the entries that are better than a score. noted: as changes_of.
--
-- Called by: board_page.
CREATE OR REPLACE FUNCTION count_better(
    which board, starts date, than bigint, noted board_change[]
) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    gathered bigint;
    moved bigint;
BEGIN
    SELECT sum(count) INTO gathered FROM (
        SELECT sum(count) AS count FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 1 AND bucket < than >> 32
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 2 AND bucket >= (than >> 32) << 24 AND bucket < than >> 8
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 3 AND bucket >= (than >> 8) << 8 AND bucket < than
    ) AS counts;
    SELECT count(*) FILTER (WHERE new_score < than) - count(*) FILTER (WHERE old_score < than) INTO moved
    FROM unnest(noted);
    RETURN coalesce(gathered, 0) + moved;
END
$$;

-- Counts the players of a board; on the daily board, those who ended the game, won or lost. noted: as changes_of.
--
-- Called by: board_page.
CREATE OR REPLACE FUNCTION count_players(which board, starts date, noted board_change[]) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    gathered bigint;
    moved bigint;
BEGIN
    SELECT sum(count) INTO gathered FROM board_counts
    WHERE board = which AND starts_on = starts AND step = CASE WHEN which = 'daily' THEN 0 ELSE 1 END;
    SELECT CASE WHEN which = 'daily' THEN count(outcome) ELSE count(new_score) - count(old_score) END INTO moved
    FROM unnest(noted);
    RETURN coalesce(gathered, 0) + moved;
END
$$;

-- Counts how many players needed how many guesses for a day's word; the seventh number is how many lost.
--
-- Called by: read_past_day, count_day.
CREATE OR REPLACE FUNCTION count_outcomes(of_day date) RETURNS bigint[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
    figures bigint[] := '{0,0,0,0,0,0,0}';
    counted record;
BEGIN
    FOR counted IN SELECT bucket, count FROM board_counts WHERE board = 'daily' AND starts_on = of_day AND step = 0 LOOP
        figures[counted.bucket] := figures[counted.bucket] + counted.count;
    END LOOP;
    FOR counted IN SELECT outcome, count(*) AS count FROM board_changes CROSS JOIN LATERAL unnest(changes)
        WHERE board = 'daily' AND starts_on = of_day AND outcome IS NOT NULL GROUP BY outcome
    LOOP
        figures[counted.outcome] := figures[counted.outcome] + counted.count;
    END LOOP;
    RETURN figures;
END
$$;
