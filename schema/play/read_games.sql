-- Reads a player's games.

-- Reads a game.
--
-- Called by: the service (GET /v2/games/{id}).
-- Answers: the game. Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_game(token bytea, game uuid) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
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

-- Lists games that began before one, newest first. wanted_state: playing, won, lost; NULL: all. wanted_kind: one; NULL:
-- all.
--
-- Called by: the service (GET /v2/games).
-- Answers: a first row that has the refusal or NULL, then a row a game. Refuses: unauthorized.
CREATE OR REPLACE FUNCTION list_games(
    token bytea, before_game uuid, most integer, wanted_state text, wanted_kind text
) RETURNS SETOF game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    IF player IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN NEXT answer;
    FOR g IN SELECT * FROM judged_games
        WHERE user_id = player AND id < coalesce(before_game, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            AND (wanted_state IS NULL OR wanted_state
                = CASE WHEN ended_at IS NULL THEN 'playing' WHEN is_won THEN 'won' ELSE 'lost' END)
            AND (wanted_kind IS NULL OR wanted_kind = kind)
        ORDER BY id DESC LIMIT most
    LOOP
        answer.game := show_game(g);
        RETURN NEXT answer;
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION list_games(bytea, uuid, integer, text, text) TO juliet_service;
