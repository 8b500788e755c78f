-- Gives the player another name; NULL changes nothing. Refused: name-refused.
CREATE OR REPLACE FUNCTION rename_player(token bytea, given_name text) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer player_answer;
BEGIN
    IF player IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    IF given_name IS NOT NULL AND player_name(given_name) IS NULL THEN
        answer.refusal := 'name-refused';
        RETURN answer;
    END IF;
    UPDATE players SET name = player_name(given_name) WHERE user_id = player AND given_name IS NOT NULL;
    RETURN show_player(player);
END
$$;
GRANT EXECUTE ON FUNCTION rename_player(bytea, text) TO juliet_service;
