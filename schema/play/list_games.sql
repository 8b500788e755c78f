-- The player's games before one, newest first, after a row that says whether it was allowed. wanted_state: playing,
-- won, lost; NULL: all.
CREATE OR REPLACE FUNCTION list_games(token bytea, before_game uuid, most integer, wanted_state text) RETURNS SETOF game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
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
        ORDER BY id DESC LIMIT most
    LOOP
        answer.game := show_game(g);
        RETURN NEXT answer;
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION list_games(bytea, uuid, integer, text) TO juliet_service;
