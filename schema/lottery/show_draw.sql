-- A draw, with its frozen list once it has started; wanted NULL: the one that started last. No row: no such draw.
CREATE OR REPLACE FUNCTION show_draw(wanted bigint) RETURNS SETOF shown_draw
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT seen.* FROM lottery_draws AS d, see_draw(d, true) AS seen
    WHERE d.number = coalesce(wanted, (SELECT max(number) FROM lottery_draws WHERE started_at IS NOT NULL))
$$;
GRANT EXECUTE ON FUNCTION show_draw(bigint) TO juliet_service;
