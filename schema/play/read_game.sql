-- Refused: not-found.
CREATE OR REPLACE FUNCTION read_game(token bytea, game uuid) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game;
    IF FOUND THEN answer.game := show_game(g);
    ELSE answer.refusal := CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END;
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_game(bytea, uuid) TO juliet_service;
