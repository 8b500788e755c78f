-- Gathers changes into the counts, and removes boards that can no longer be requested. Each call does a part.
--
-- Called by: the service, every few seconds.
-- Locks: the advisory lock board_counts; then the rows that it removes and counts. If another session has the advisory
-- lock, it does nothing. No reader waits for it.
-- Answers: how many rows it removed.
CREATE OR REPLACE FUNCTION tend_boards(most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    which board;
    this_day date := today();
    first_start date;
    names text[];
    noted board_change[];
    changes board_change[] := '{}';
    removed bigint;
    total bigint := 0;
BEGIN
    -- Readers see counts and what is not gathered yet in one snapshot.
    IF NOT pg_try_advisory_xact_lock('board_counts'::regclass::oid::bigint) THEN RETURN 0; END IF;
    FOREACH which IN ARRAY '{day,week,month}'::board[] LOOP
        first_start := board_start(which, this_day - 1);
        names := ARRAY(SELECT user_id FROM board_entries WHERE board = which AND starts_on < first_start LIMIT most);
        IF names <> '{}' THEN
            DELETE FROM board_entries WHERE user_id = ANY (names) AND board = which AND starts_on < first_start;
            GET DIAGNOSTICS removed = ROW_COUNT;
            total := total + removed;
        END IF;
        DELETE FROM board_counts WHERE board = which AND starts_on < first_start;
        GET DIAGNOSTICS removed = ROW_COUNT;
        total := total + removed;
    END LOOP;
    names := ARRAY(SELECT user_id FROM board_changes LIMIT most);
    IF names <> '{}' THEN
        FOR noted IN DELETE FROM board_changes WHERE user_id = ANY (names) RETURNING board_changes.changes LOOP
            changes := changes || noted;
            total := total + 1;
        END LOOP;
        PERFORM count_changes(changes);
    END IF;
    RETURN total;
END
$$;
GRANT EXECUTE ON FUNCTION tend_boards(integer) TO juliet_service;
