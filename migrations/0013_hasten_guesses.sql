-- A guess whose word is known to be one takes half the work: the service remembers which words the game took. A word of a
-- list is never deleted (a retired one still counts), so what was one stays one.

-- migrate:backward-compatible
-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- The marks of a guess as long as the word: correct first, then present by what is left of each letter.
--
-- Most of a guess's letters are not in the word, so those are marked first, all at once. The others are marked one by one,
-- as long as none of them is there twice. Until the end marks are no letters: - absent, 1 correct, 2 present.
CREATE OR REPLACE FUNCTION mark_guess(guess text, word text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    absent text := translate(guess, word, '');
    marks text := translate(guess, absent, repeat('-', char_length(absent)));
    common text := translate(marks, '-', '');
    others text;
    letter text;
    place integer;
BEGIN
    FOR i IN 1..char_length(common) LOOP
        letter := substr(common, i, 1);
        IF strpos(common, letter) < i THEN
            others := word;
            EXIT;
        END IF;
        place := strpos(marks, letter);
        marks := overlay(marks PLACING CASE WHEN substr(word, place, 1) = letter THEN '1' ELSE '2' END FROM place FOR 1);
    END LOOP;
    IF others IS NULL THEN RETURN translate(marks, '-12', 'acp'); END IF;

    marks := repeat('a', char_length(word));
    FOR i IN 1..char_length(word) LOOP
        IF substr(word, i, 1) = substr(guess, i, 1) THEN
            marks := overlay(marks PLACING 'c' FROM i);
            others := overlay(others PLACING ' ' FROM i);
        END IF;
    END LOOP;
    FOR i IN 1..char_length(word) LOOP
        place := strpos(others, substr(guess, i, 1));
        IF place > 0 AND substr(marks, i, 1) <> 'c' THEN
            marks := overlay(marks PLACING 'p' FROM i);
            others := overlay(others PLACING ' ' FROM place);
        END IF;
    END LOOP;
    RETURN marks;
END
$$;

-- A guess, counted when the game takes it; guess_number NULL: the next. Refused as guess() says.
CREATE OR REPLACE FUNCTION take_guess(token bytea, game uuid, spelled text, guess_number integer) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        answer.refusal := CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END;
        RETURN answer;
    END IF;
    IF guess_number <= g.guess_count THEN
        IF substr(g.guesses, (guess_number - 1) * g.letters + 1, g.letters) <> spelled THEN
            answer.refusal := 'guess-taken';
        END IF;
    ELSE
        answer.refusal := CASE WHEN g.ended_at IS NOT NULL THEN 'game-over'
            WHEN guess_number > g.guess_count + 1 THEN 'guess-early'
            WHEN char_length(spelled) <> g.letters
                OR NOT EXISTS (SELECT FROM words WHERE words.language = g.language AND words.word = spelled)
            THEN 'word-unknown' END;
        IF answer.refusal IS NULL THEN
            UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, judged_games.word),
                guess_count = guess_count + 1
            WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
            IF spelled = g.word OR g.guess_count = maximum_guesses() THEN g := end_game(g, spelled = g.word); END IF;
        END IF;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;

-- A guess without an operation's name, as guess() takes it, of which the caller knows that it is a word of the language.
--
-- Nearly always one look and one change are all: the session's hour is noted, the game is of that language, running, and
-- goes on after this. Two simple statements cost less than one that joins. take_guess() does the rest.
CREATE FUNCTION guess_known_word(
    token bytea, game uuid, spelled text, guess_number integer, spelled_language text
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text;
    answer game_answer;
BEGIN
    SELECT user_id INTO player FROM sessions WHERE token_hash = token AND last_used_at >= now() - interval '1 hour';
    UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, word),
        guess_count = guess_count + 1
    WHERE user_id = player AND id = game AND ended_at IS NULL AND spelled <> word
        AND guess_count = coalesce(guess_number - 1, guess_count) AND guess_count < maximum_guesses() - 1
        AND language = spelled_language AND char_length(spelled) = letters
    RETURNING NULL, NULL, NULL, NULL, ROW(id, day, language, letters, guesses, marks, false, commitment, started_at, NULL,
        NULL, NULL)::shown_game INTO answer;
    IF FOUND THEN RETURN answer; END IF;
    RETURN take_guess(token, game, spelled, guess_number);
END
$$;

REVOKE ALL ON FUNCTION guess_known_word(bytea, uuid, text, integer, text) FROM PUBLIC;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        GRANT EXECUTE ON FUNCTION guess_known_word(bytea, uuid, text, integer, text) TO juliet_service;
    END IF;
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP FUNCTION guess_known_word(bytea, uuid, text, integer, text);

-- A guess, counted when the game takes it; guess_number NULL: the next.
CREATE OR REPLACE FUNCTION take_guess(token bytea, game uuid, spelled text, guess_number integer) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    player text;
    g judged_games;
    answer game_answer;
BEGIN
    LOOP
        -- Nearly always this is all: session, game and word in one statement.
        UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, judged_games.word),
            guess_count = guess_count + 1
        FROM sessions
        WHERE token_hash = token AND last_used_at >= now() - interval '1 hour'
            AND judged_games.user_id = sessions.user_id AND judged_games.id = game AND ended_at IS NULL
            AND guess_count = coalesce(guess_number - 1, guess_count) AND char_length(spelled) = letters
            AND EXISTS (SELECT FROM words WHERE words.language = judged_games.language AND words.word = spelled)
        RETURNING judged_games.* INTO g;
        IF FOUND THEN
            IF spelled = g.word OR g.guess_count = maximum_guesses() THEN g := end_game(g, spelled = g.word); END IF;
            answer.game := show_game(g);
            RETURN answer;
        END IF;

        player := session_player(token);
        SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            answer.refusal := CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END;
            RETURN answer;
        END IF;
        answer.game := show_game(g);
        IF guess_number <= g.guess_count THEN
            IF substr(g.guesses, (guess_number - 1) * g.letters + 1, g.letters) <> spelled THEN
                answer.refusal := 'guess-taken';
            END IF;
            RETURN answer;
        END IF;
        answer.refusal := CASE WHEN g.ended_at IS NOT NULL THEN 'game-over'
            WHEN guess_number > g.guess_count + 1 THEN 'guess-early'
            WHEN char_length(spelled) <> g.letters
                OR NOT EXISTS (SELECT FROM words WHERE words.language = g.language AND words.word = spelled)
            THEN 'word-unknown' END;
        -- None of these: the session's hour was not noted yet, or another guess came in between.
        IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION mark_guess(guess text, word text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    letters integer := char_length(word);
    marks text := repeat('a', letters);
    others text := '';
    place integer;
BEGIN
    FOR i IN 1..letters LOOP
        IF substr(word, i, 1) = substr(guess, i, 1) THEN marks := overlay(marks PLACING 'c' FROM i);
        ELSE others := others || substr(word, i, 1);
        END IF;
    END LOOP;
    FOR i IN 1..letters LOOP
        place := strpos(others, substr(guess, i, 1));
        IF place > 0 AND substr(marks, i, 1) <> 'c' THEN
            marks := overlay(marks PLACING 'p' FROM i);
            others := overlay(others PLACING ' ' FROM place);
        END IF;
    END LOOP;
    RETURN marks;
END
$$;
