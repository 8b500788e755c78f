-- Reads the player whose session it is.
CREATE OR REPLACE FUNCTION read_player(token bytea) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer player_answer := show_player(session_player(token));
BEGIN
    IF answer.id IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_player(bytea) TO juliet_service;
