-- A guess without an operation's name, as guess() takes it, of which the caller knows that it is a word of the
-- language.
--
-- Nearly always one look and one change are all: the session's hour is noted, the game is of that language, running,
-- and goes on after this. Two simple statements cost less than one that joins. take_guess() does the rest.
CREATE OR REPLACE FUNCTION guess_known_word(
    token bytea, game uuid, spelled text, guess_number integer, spelled_language text
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := encode(substr(token, 33), 'escape');
    answer game_answer;
BEGIN
    UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, word),
        guess_count = guess_count + 1
    WHERE user_id = player AND id = game AND session_hash = substr(token, 1, 32)
        AND session_seen_at >= now() - interval '1 hour' AND spelled <> word
        AND guess_count = coalesce(guess_number - 1, guess_count) AND guess_count < maximum_guesses() - 1
        AND language = spelled_language AND char_length(spelled) = letters
    RETURNING NULL, NULL, NULL, NULL, ROW(id, day, language, letters, guesses, marks, false, commitment, started_at, NULL,
        NULL, NULL)::shown_game INTO answer;
    IF FOUND THEN RETURN answer; END IF;
    RETURN take_guess(token, game, spelled, guess_number);
END
$$;
GRANT EXECUTE ON FUNCTION guess_known_word(bytea, uuid, text, integer, text) TO juliet_service;
