-- How many entries are better than a score.
CREATE OR REPLACE FUNCTION count_better(which board, starts date, than bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    gathered bigint;
    noted bigint;
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
    SELECT count(*) FILTER (WHERE new_score < than) - count(*) FILTER (WHERE old_score < than) INTO noted
    FROM board_changes CROSS JOIN LATERAL unnest(changes) WHERE board = which AND starts_on = starts;
    RETURN coalesce(gathered, 0) + coalesce(noted, 0);
END
$$;
