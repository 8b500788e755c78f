-- How many players a board has; of the day's word: how many ended it.
CREATE OR REPLACE FUNCTION count_players(which board, starts date) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    gathered bigint;
    noted bigint;
BEGIN
    SELECT sum(count) INTO gathered FROM board_counts
    WHERE board = which AND starts_on = starts AND step = CASE WHEN which = 'daily' THEN 0 ELSE 1 END;
    SELECT CASE WHEN which = 'daily' THEN count(outcome) ELSE count(new_score) - count(old_score) END INTO noted
    FROM board_changes CROSS JOIN LATERAL unnest(changes) WHERE board = which AND starts_on = starts;
    RETURN coalesce(gathered, 0) + coalesce(noted, 0);
END
$$;
