-- A guess, in lower case. guess_number NULL: the next; then, and only then, an operation's name is remembered. Refused:
-- not-found, guess-taken, game-over, guess-early, word-unknown, in this order.
CREATE OR REPLACE FUNCTION guess(
    token bytea, game uuid, spelled text, guess_number integer, operation text, request bigint
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text;
    answer game_answer;
BEGIN
    IF operation IS NULL OR guess_number IS NOT NULL THEN RETURN take_guess(token, game, spelled, guess_number); END IF;
    player := session_player(token);
    PERFORM FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    answer := first_game_answer(player, operation, request);
    IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    answer := take_guess(token, game, spelled, NULL);
    IF (answer.game).id IS NOT NULL THEN
        PERFORM keep_game_answer(player, operation, request, answer.refusal, game,
            char_length((answer.game).guesses) / (answer.game).letters);
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION guess(bytea, uuid, text, integer, text, bigint) TO juliet_service;
