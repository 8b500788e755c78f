-- The next draw, and before it the one that started last, if one has.
CREATE OR REPLACE FUNCTION show_lottery() RETURNS SETOF shown_draw
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM lottery_draws) THEN PERFORM prepare_draw(1); END IF;
    RETURN QUERY SELECT (see_draw(last, false)).* FROM (SELECT * FROM lottery_draws ORDER BY number DESC LIMIT 2) AS last
        ORDER BY number;
END
$$;
GRANT EXECUTE ON FUNCTION show_lottery() TO juliet_service;
