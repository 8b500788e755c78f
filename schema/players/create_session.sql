-- Another session, for a recovery code, which is used up: a new one takes its place. Refused: unauthorized.
CREATE OR REPLACE FUNCTION create_session(recovery bytea, token bytea, session uuid, new_recovery bytea) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := encode(substr(token, 33), 'escape');
    answer player_answer;
BEGIN
    IF octet_length(token) NOT IN (32, 68) OR octet_length(new_recovery) <> 32 THEN
        RAISE 'digests have 32 bytes, and an id 36' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF player = '' THEN player := recovered_player(recovery); END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE user_id = player AND recovery_hash = recovery;
    IF NOT FOUND THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, substr(token, 1, 32));
    RETURN show_player(player);
END
$$;
GRANT EXECUTE ON FUNCTION create_session(bytea, bytea, uuid, bytea) TO juliet_service;
