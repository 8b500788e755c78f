-- Starts the day's game, which is free, or shows it, in the mode that it began in.
--
-- Called by: the service (POST /v2/daily/game).
-- Locks: the player's row of players, shared, so that nobody deletes the player; the session's row, shared.
-- Answers: the game; is_new, when it was started. Refuses: unauthorized; no-words, until
-- choose_daily_words has run.
CREATE OR REPLACE FUNCTION start_daily_game(token bytea, hard boolean) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    seen_at timestamptz;
    this_day date := today();
    todays daily_words;
    game_id uuid;
    moment timestamptz;
    g judged_games;
    answer game_answer;
BEGIN
    IF hard IS NULL THEN RAISE 'a game is hard or not' USING ERRCODE = 'invalid_parameter_value'; END IF;
    PERFORM FROM players WHERE user_id = player FOR KEY SHARE;
    seen_at := hold_session(player, token_digest);
    IF seen_at IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT * INTO todays FROM daily_words WHERE day = this_day;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'no-words'); END IF;
    moment := clock_timestamp();
    game_id := ordered_uuid(moment);
    INSERT INTO judged_games (user_id, id, kind, is_hard, day, language, letters, word, salt, commitment, started_at,
        session_hash, session_seen_at)
    VALUES (player, game_id, 'daily', hard, todays.day, todays.language, char_length(todays.word), todays.word,
        todays.salt, todays.commitment, moment, token_digest, seen_at)
    ON CONFLICT (user_id, day) WHERE day IS NOT NULL DO NOTHING
    RETURNING * INTO g;
    answer.is_new := FOUND;
    IF NOT FOUND THEN
        SELECT * INTO STRICT g FROM judged_games WHERE user_id = player AND day = todays.day;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION start_daily_game(bytea, boolean) TO juliet_service;
