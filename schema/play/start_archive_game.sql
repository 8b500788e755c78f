-- Starts the game of a past day, which is free and does not count, or shows the player's game of that day.
--
-- Called by: the service (POST /v2/daily/{day}/game).
-- Locks: the player's row of players, so that nobody deletes the player and all games are counted; the session's row,
-- shared.
-- Answers: the game, also one that was the day's; is_new, when it was started. Refuses: unauthorized; not-found, also
-- for today; too-many.
CREATE OR REPLACE FUNCTION start_archive_game(token bytea, wanted date, hard boolean) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    seen_at timestamptz;
    this_day date := today();
    past daily_words;
    moment timestamptz;
    g judged_games;
    answer game_answer;
BEGIN
    IF hard IS NULL THEN RAISE 'a game is hard or not' USING ERRCODE = 'invalid_parameter_value'; END IF;
    PERFORM FROM players WHERE user_id = player FOR NO KEY UPDATE;
    seen_at := hold_session(player, token_digest);
    IF seen_at IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT * INTO past FROM daily_words WHERE day = wanted AND day < this_day;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'not-found'); END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = past.day;
    IF NOT FOUND THEN
        IF has_too_many_games(player) THEN RETURN with_refusal(answer, 'too-many'); END IF;
        moment := clock_timestamp();
        INSERT INTO judged_games (user_id, id, kind, is_hard, day, language, letters, word, salt, commitment,
            started_at, session_hash, session_seen_at)
        VALUES (player, ordered_uuid(moment), 'archive', hard, past.day, past.language, char_length(past.word),
            past.word, past.salt, past.commitment, moment, token_digest, seen_at)
        ON CONFLICT (user_id, day) WHERE day IS NOT NULL DO NOTHING
        RETURNING * INTO g;
        answer.is_new := FOUND;
        -- The day's game was begun at the end of the day, by somebody who asked a moment before.
        IF NOT FOUND THEN
            SELECT * INTO STRICT g FROM judged_games WHERE user_id = player AND day = past.day;
        END IF;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION start_archive_game(bytea, date, boolean) TO juliet_service;

-- Whether a player has as many unfinished games of past days and of challenges as allowed.
--
-- Called by: start_archive_game, start_challenge_game. They hold the player's row of players.
CREATE OR REPLACE FUNCTION has_too_many_games(player text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT count(*) FROM judged_games
        WHERE user_id = player AND ended_at IS NULL AND kind IN ('archive', 'challenge'))
        >= maximum_unfinished_games();
END
$$;
