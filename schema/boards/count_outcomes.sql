-- How many needed how many guesses for a day's word; the seventh number: who lost.
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
