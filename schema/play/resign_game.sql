-- Gives a game up: it is lost, unless it is over.
--
-- Called by: the service (POST /v2/games/{id}/resign).
-- Locks: the game's row, then as end_game.
-- Answers: the game. Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION resign_game(token bytea, game uuid) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN with_refusal(answer, CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END);
    END IF;
    IF g.ended_at IS NULL THEN g := end_game(g, false); END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION resign_game(bytea, uuid) TO juliet_service;
