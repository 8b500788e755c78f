-- Lets the player take part. Refused: unauthorized.
CREATE OR REPLACE FUNCTION enter_lottery(token bytea) RETURNS lottery_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer lottery_answer := enter_player(session_player(token));
BEGIN
    IF answer.refusal IS NOT NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION enter_lottery(bytea) TO juliet_service;
