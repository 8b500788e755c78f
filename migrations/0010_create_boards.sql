-- Leaderboards: of a day's word, and of wins in a day, a week, a month and ever. An entry has a score, the smaller the
-- better: guesses * 2^32 + seconds on the day's, minus the wins on the others.
--
-- Who stands before somebody is counted without reading entries: board_counts has how many entries each range of scores
-- has, in three steps of fineness. A rank is a sum of some hundred rows, among a thousand entries or among millions:
--
--   step 1   bucket = score >> 32                                (the guesses)
--   step 2   bucket = score >> 8, within the bucket of step 1     (256 seconds, or wins)
--   step 3   bucket = score, within the bucket of step 2
--   step 0   of the day's word alone: bucket = guesses, 7 for a lost game; stays when a player is deleted
--
-- A row of counts belongs to the session that writes it (slot), so no two transactions wait for one another: the sum over
-- all slots is the count. tend_boards() gathers what ended sessions left in slot 0, and removes what is over.

-- migrate:up
CREATE TYPE board AS ENUM ('daily', 'day', 'week', 'month', 'all');

CREATE TABLE board_entries (
    user_id text COLLATE "C" NOT NULL,
    board board NOT NULL,
    starts_on date NOT NULL,
    score bigint NOT NULL,
    reached_at timestamptz NOT NULL,
    CONSTRAINT board_entries_pkey PRIMARY KEY (user_id, board, starts_on)
) WITH (fillfactor = 80);
CREATE INDEX board_entries_score_idx ON board_entries (board, starts_on, score, reached_at, user_id);

CREATE TABLE board_counts (
    board board NOT NULL,
    starts_on date NOT NULL,
    step integer NOT NULL,
    bucket bigint NOT NULL,
    slot integer NOT NULL,
    count integer NOT NULL,
    CONSTRAINT board_counts_pkey PRIMARY KEY (board, starts_on, step, bucket, slot)
) WITH (fillfactor = 50);
-- What is still to be gathered.
CREATE INDEX board_counts_slot_idx ON board_counts (slot) WHERE slot <> 0;

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Moves an entry from one score to another in the counts; NULL: from or to nowhere.
CREATE FUNCTION count_on_board(which board, starts date, old_score bigint, new_score bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_counts (board, starts_on, step, bucket, slot, count)
    SELECT which, starts, step, bucket, pg_backend_pid(), sum(change)
    FROM (VALUES (1, old_score >> 32, -1), (2, old_score >> 8, -1), (3, old_score, -1),
        (1, new_score >> 32, 1), (2, new_score >> 8, 1), (3, new_score, 1)) AS changes (step, bucket, change)
    WHERE bucket IS NOT NULL GROUP BY step, bucket HAVING sum(change) <> 0
    ON CONFLICT (board, starts_on, step, bucket, slot) DO UPDATE SET count = board_counts.count + EXCLUDED.count;
END
$$;

-- How many entries are better than a score.
CREATE FUNCTION count_better(which board, starts date, than bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(count), 0)::bigint FROM (
        SELECT sum(count) AS count FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 1 AND bucket < than >> 32
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 2 AND bucket >= (than >> 32) << 24 AND bucket < than >> 8
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 3 AND bucket >= (than >> 8) << 8 AND bucket < than
    ) AS counts
$$;

-- When the board of a moment begins.
CREATE FUNCTION board_start(which board, day date) RETURNS date
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE which WHEN 'week' THEN date_trunc('week', day::timestamp)::date
        WHEN 'month' THEN date_trunc('month', day::timestamp)::date
        WHEN 'all' THEN '2000-01-01'::date ELSE day END
$$;

-- Gathers the counts of sessions that have ended, and removes boards nobody can ask for any more: a part each time it is
-- called, by one session at a time. Returns how many rows it removed.
CREATE FUNCTION tend_boards() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    which board;
    removed bigint;
    total bigint := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock('board_counts'::regclass::oid::bigint) THEN RETURN 0; END IF;
    FOREACH which IN ARRAY '{day,week,month}'::board[] LOOP
        DELETE FROM board_entries WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM board_entries
            WHERE board = which AND starts_on < board_start(which, today() - 1) LIMIT 5000));
        GET DIAGNOSTICS removed = ROW_COUNT;
        total := total + removed;
        DELETE FROM board_counts WHERE board = which AND starts_on < board_start(which, today() - 1);
        GET DIAGNOSTICS removed = ROW_COUNT;
        total := total + removed;
    END LOOP;
    WITH gathered AS (
        DELETE FROM board_counts WHERE slot <> 0 AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = slot)
        RETURNING board, starts_on, step, bucket, count)
    INSERT INTO board_counts (board, starts_on, step, bucket, slot, count)
    SELECT board, starts_on, step, bucket, 0, sum(count) FROM gathered
    GROUP BY board, starts_on, step, bucket HAVING sum(count) <> 0
    ON CONFLICT (board, starts_on, step, bucket, slot) DO UPDATE SET count = board_counts.count + EXCLUDED.count;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN total + removed;
END
$$;
REVOKE ALL ON FUNCTION count_on_board(board, date, bigint, bigint), count_better(board, date, bigint),
    board_start(board, date), tend_boards() FROM PUBLIC;

-- migrate:down
DROP FUNCTION tend_boards();
DROP FUNCTION board_start(board, date);
DROP FUNCTION count_better(board, date, bigint);
DROP FUNCTION count_on_board(board, date, bigint, bigint);
DROP TABLE board_counts;
DROP TABLE board_entries;
DROP TYPE board;
