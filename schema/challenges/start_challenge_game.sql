-- Begins a challenge's game, which is free, or shows the one that the player has of it.
--
-- Called by: the service (POST /v2/challenges/{code}/game).
-- Locks: the player's row of players, so that nobody deletes the player and all games are counted; the session's row,
-- shared; the challenge. Batches take these statements in the order of the codes.
-- Answers: the game; is_new, when it was begun. Refuses, in this order: unauthorized, not-found; unless there is a game
-- already challenge-own-word, challenge-over, challenge-full, too-many.
CREATE OR REPLACE FUNCTION start_challenge_game(token bytea, wanted text) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    seen_at timestamptz;
    c challenges;
    moment timestamptz;
    g judged_games;
    answer game_answer;
BEGIN
    PERFORM FROM players WHERE user_id = player FOR NO KEY UPDATE;
    seen_at := hold_session(player, token_digest);
    IF seen_at IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT * INTO c FROM challenges WHERE code = wanted AND deleted_at IS NULL;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'not-found'); END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND challenge = wanted;
    IF FOUND THEN
        answer.game := show_game(g);
        RETURN answer;
    END IF;
    answer.refusal := CASE WHEN c.is_own_word AND c.maker = player THEN 'challenge-own-word'
        WHEN clock_timestamp() >= c.ends_at THEN 'challenge-over'
        WHEN c.players >= maximum_challenge_players() THEN 'challenge-full'
        WHEN has_too_many_games(player) THEN 'too-many' END;
    IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    -- While it waited, an operator may have taken the hint away.
    UPDATE challenges SET players = players + 1
    WHERE code = wanted AND deleted_at IS NULL AND players < maximum_challenge_players() RETURNING * INTO c;
    IF NOT FOUND THEN
        -- While it waited, others took the last place, or it was deleted.
        SELECT * INTO c FROM challenges WHERE code = wanted AND deleted_at IS NULL;
        answer.refusal := CASE WHEN FOUND THEN 'challenge-full' ELSE 'not-found' END;
        RETURN answer;
    END IF;
    moment := clock_timestamp();
    INSERT INTO judged_games (user_id, id, kind, is_hard, challenge, language, letters, word, salt, commitment,
        started_at, session_hash, session_seen_at, is_any_word, hint)
    VALUES (player, ordered_uuid(moment), 'challenge', c.is_hard, c.code, c.language, c.letters, c.word, c.salt,
        c.commitment, moment, token_digest, seen_at, c.is_any_word, c.hint)
    RETURNING * INTO g;
    answer.is_new := true;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION start_challenge_game(bytea, text) TO juliet_service;
