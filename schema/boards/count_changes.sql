-- count_changes.
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
