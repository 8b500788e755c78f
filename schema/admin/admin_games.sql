-- A player's games before one, newest first; of a running one not the word. Refused: not-found.
CREATE OR REPLACE FUNCTION admin_games(key bytea, player text, before_game uuid, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    games jsonb := '[]';
    has_more boolean := false;
    g judged_games;
    shown shown_game;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    PERFORM FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    FOR g IN SELECT * FROM judged_games
        WHERE user_id = player AND id < coalesce(before_game, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        ORDER BY id DESC LIMIT most + 1
    LOOP
        has_more := jsonb_array_length(games) = most;
        EXIT WHEN has_more;
        shown := show_game(g);
        games := games || jsonb_strip_nulls(jsonb_build_object('id', shown.id, 'day', shown.day,
            'language', shown.language, 'length', shown.letters, 'guesses', shown.guesses, 'marks', shown.marks,
            'state', CASE WHEN shown.ended_at IS NULL THEN 'playing' WHEN shown.is_won THEN 'won' ELSE 'lost' END,
            'startedAt', show_time(shown.started_at), 'endedAt', show_time(shown.ended_at), 'secret', shown.word));
    END LOOP;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('games', games,
        'next', CASE WHEN has_more THEN games -> -1 -> 'id' END))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_games(bytea, text, uuid, integer) TO juliet_service;
