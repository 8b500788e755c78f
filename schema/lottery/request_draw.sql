-- Starts a draw without a prize. Refused: unknown-draw, operator (there is a prize), pause, empty.
CREATE OR REPLACE FUNCTION request_draw(wanted bigint) RETURNS draw_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    d lottery_draws;
BEGIN
    SELECT * INTO d FROM lottery_draws WHERE number = wanted;
    IF d.started_at IS NULL THEN SELECT * INTO d FROM lottery_draws WHERE number = wanted FOR UPDATE; END IF;
    IF d.started_at IS NULL AND d.prize > 0 THEN RETURN ROW('operator', NULL, NULL)::draw_answer; END IF;
    RETURN start_draw(wanted, (SELECT pause FROM lottery_rules()));
END
$$;
GRANT EXECUTE ON FUNCTION request_draw(bigint) TO juliet_service;
