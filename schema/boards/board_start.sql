-- When the board of a moment begins.
CREATE OR REPLACE FUNCTION board_start(which board, day date) RETURNS date
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE which WHEN 'week' THEN date_trunc('week', day::timestamp)::date
        WHEN 'month' THEN date_trunc('month', day::timestamp)::date
        WHEN 'all' THEN '2000-01-01'::date ELSE day END
$$;
