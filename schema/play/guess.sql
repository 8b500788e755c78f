-- Guesses: a fast path for nearly all of them, and the complete function.

-- Takes a guess without an operation's name, of which the service knows that it is a word of a language. spelled_language
-- NULL: it knows no such thing.
--
-- Called by: the service (POST …/guesses, the usual way).
-- Locks: the game's row.
-- Answers and refuses: as guess.
--
-- One UPDATE is enough when the game goes on after this guess, is not hard, is of that language or of any word, and is
-- played by this session, whose use was noted within the hour. Two simple statements cost less than one that joins. take_guess does
-- the rest. PostgreSQL prepares the expressions of a statement for each run, a function's own once a transaction: so
-- the UPDATE has only those that need the row.
CREATE OR REPLACE FUNCTION guess_known_word(
    token bytea, game uuid, spelled text, guess_number integer, spelled_language text
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := token_player(token);
    token_digest bytea := session_digest(token);
    hour_ago timestamptz := now() - interval '1 hour';
    length integer := char_length(spelled);
    former_guesses integer := guess_number - 1;
    g record;
BEGIN
    UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, word),
        guess_count = guess_count + 1
    WHERE user_id = player AND id = game AND session_hash = token_digest AND session_seen_at >= hour_ago
        AND spelled <> word AND guess_count = coalesce(former_guesses, guess_count)
        AND guess_count < maximum_guesses() - 1 AND (language = spelled_language OR is_any_word) AND letters = length
        AND NOT is_hard
    RETURNING coalesce(day, former_day) AS day, language, guesses, marks, commitment, started_at, kind,
        coalesce(challenge, former_challenge) AS challenge, is_any_word, hint INTO g;
    IF FOUND THEN
        RETURN ROW(NULL, NULL, NULL, NULL, ROW(game, g.day, g.language, length, g.guesses, g.marks, false,
            g.commitment, g.started_at, NULL, NULL, NULL, NULL, g.kind, false, g.challenge, NULL, g.is_any_word,
            g.hint)::shown_game,
            NULL, NULL, NULL, NULL, NULL)::game_answer;
    END IF;
    RETURN take_guess(token, game, spelled, guess_number, NULL);
END
$$;
GRANT EXECUTE ON FUNCTION guess_known_word(bytea, uuid, text, integer, text) TO juliet_service;

-- Takes a guess of each player of a set, as guess_known_word (operations/sets.sql). What is left is for take_guess, if
-- all rows can be had that the end of a game locks.
--
-- Called by: the service (POST …/guesses, several together).
-- Locks: the games' rows; of games that are left, the players' rows of players and of users too, and the sessions',
-- shared. It waits for none of them.
CREATE OR REPLACE FUNCTION guess_known_word_each(
    tokens bytea[], games uuid[], spelled text[], numbers integer[], languages text[]
) RETURNS TABLE (answer game_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    is_checked boolean := check_isolation();
    ids text[] := ARRAY(SELECT token_player(token) FROM unnest(tokens) AS token);
    digests bytea[] := ARRAY(SELECT session_digest(token) FROM unnest(tokens) AS token);
    hour_ago timestamptz := now() - interval '1 hour';
    rows tid[];
    served bigint[];
    answers game_answer[];
    rest bigint;
BEGIN
    PERFORM check_set(ids, set_length(tokens), set_length(games), set_length(spelled), set_length(numbers),
        set_length(languages));
    rows := (SELECT array_agg(held.ctid ORDER BY asked.n)
        FROM unnest(ids, games, digests) WITH ORDINALITY AS asked (id, game, digest, n)
        LEFT JOIN LATERAL (
            SELECT g.ctid FROM judged_games AS g WHERE g.user_id = asked.id AND g.id = asked.game
                AND g.session_hash = asked.digest AND g.session_seen_at >= hour_ago
            FOR NO KEY UPDATE SKIP LOCKED OFFSET 0) AS held ON true);
    WITH changed AS (
        UPDATE judged_games AS g SET guesses = g.guesses || asked.word,
            marks = g.marks || mark_guess(asked.word, g.word), guess_count = g.guess_count + 1
        FROM unnest(rows, spelled, numbers, languages) WITH ORDINALITY AS asked (row, word, number, language, n)
        WHERE g.ctid = asked.row AND asked.word <> g.word
            AND coalesce(asked.number = g.guess_count + 1, true) AND g.guess_count < maximum_guesses() - 1
            AND (g.language = asked.language OR g.is_any_word) AND g.letters = char_length(asked.word) AND NOT g.is_hard
        RETURNING asked.n, ROW(NULL, NULL, NULL, NULL, ROW(g.id, coalesce(g.day, g.former_day), g.language, g.letters,
            g.guesses, g.marks, false, g.commitment, g.started_at, NULL, NULL, NULL, NULL, g.kind, false,
            coalesce(g.challenge, g.former_challenge), NULL, g.is_any_word, g.hint)::shown_game,
            NULL, NULL, NULL, NULL, NULL)::game_answer AS answer)
    SELECT array_agg(c.n), array_agg(c.answer) INTO served, answers FROM changed AS c;
    RETURN QUERY SELECT done.answer, done.n FROM (
        SELECT answers[i] AS answer, served[i] AS n FROM generate_subscripts(served, 1) AS i) AS done;
    IF cardinality(served) = cardinality(ids) THEN RETURN; END IF;
    RETURN QUERY SELECT CASE WHEN held.is_free THEN take_guess(tokens[held.place], games[held.place], spelled[held.place],
            numbers[held.place], NULL) END,
        CASE WHEN held.is_free THEN held.place ELSE -held.place END
    FROM hold_ends(ids, digests, games, served) AS held;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(ids, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION guess_known_word_each(bytea[], uuid[], text[], integer[], text[]) TO juliet_service;

-- Takes a guess, in lower case. guess_number NULL: the next; then, and only then, an operation's name is remembered.
-- others: its spelling in Turkish and Azerbaijani, where any word is taken, and where both is so; NULL: all the same.
--
-- Called by: the service (POST …/guesses with a key, or with what is spelled in several ways or is no word).
-- Locks: the game's row; with an operation the player's rows of players and of users, in the order in which the end of
-- a game locks them; then as take_guess.
-- Answers: the game after the guess. Refuses, in this order: unauthorized, not-found, guess-taken, game-over,
-- guess-early, word-unknown, guess-hard with the rule that is broken; with an operation operation-reused, too.
CREATE OR REPLACE FUNCTION guess(
    token bytea, game uuid, spelled text, guess_number integer, operation text, request bigint,
    others text[] DEFAULT NULL
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text;
    answer game_answer;
BEGIN
    IF operation IS NULL OR guess_number IS NOT NULL THEN
        RETURN take_guess(token, game, spelled, guess_number, others);
    END IF;
    player := session_player(token);
    PERFORM FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    PERFORM FROM players WHERE user_id = player FOR NO KEY UPDATE;
    PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    answer := first_answer(player, operation, request, answer);
    IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    answer := take_guess(token, game, spelled, NULL, others);
    IF (answer.game).id IS NOT NULL THEN
        PERFORM keep_answer(player, operation, request, 'guess', answer.refusal, NULL,
            jsonb_strip_nulls(jsonb_build_object('game_id', game, 'guess_count',
                CASE WHEN answer.refusal IS DISTINCT FROM 'game-over'
                THEN char_length((answer.game).guesses) / (answer.game).letters END, 'rule_letter', answer.rule_letter,
                'rule_position', answer.rule_position, 'rule_count', answer.rule_count)));
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION guess(bytea, uuid, text, integer, text, bigint, text[]) TO juliet_service;

-- Judges a guess and counts it when the game takes it. The last one ends the game. others: as guess.
--
-- Called by: guess_known_word, guess_known_word_each, guess.
-- Locks: the game's row, the session's row, shared; then as end_game.
-- Answers and refuses: as guess.
CREATE OR REPLACE FUNCTION take_guess(
    token bytea, game uuid, spelled text, guess_number integer, others text[]
) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    seen_at timestamptz;
    g juliet.judged_games;
    answer juliet.game_answer;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN with_refusal(answer, CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END);
    END IF;
    IF others IS NOT NULL THEN
        spelled := coalesce(others[(g.language IN ('tr', 'az'))::integer + 2 * g.is_any_word::integer], spelled);
    END IF;
    IF guess_number <= g.guess_count THEN
        IF substr(g.guesses, (guess_number - 1) * g.letters + 1, g.letters) <> spelled THEN
            answer.refusal := 'guess-taken';
        END IF;
    ELSE
        answer.refusal := CASE WHEN g.ended_at IS NOT NULL THEN 'game-over'
            WHEN guess_number > g.guess_count + 1 THEN 'guess-early'
            WHEN char_length(spelled) <> g.letters
                OR NOT g.is_any_word
                    AND NOT EXISTS (SELECT FROM words WHERE words.language = g.language AND words.word = spelled)
            THEN 'word-unknown' END;
        IF answer.refusal IS NULL AND g.is_hard THEN
            SELECT rule.letter, rule.place, rule.wanted
            INTO answer.rule_letter, answer.rule_position, answer.rule_count
            FROM broken_rule(g.guesses, g.marks, g.letters, spelled) AS rule;
            IF answer.rule_letter IS NOT NULL THEN answer.refusal := 'guess-hard'; END IF;
        END IF;
        IF answer.refusal IS NULL THEN
            seen_at := hold_session(player, token_digest);
            IF seen_at IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
            UPDATE judged_games SET guesses = guesses || spelled,
                marks = marks || mark_guess(spelled, judged_games.word), guess_count = guess_count + 1,
                session_hash = token_digest, session_seen_at = seen_at
            WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
            IF spelled = g.word OR g.guess_count = maximum_guesses() THEN g := end_game(g, spelled = g.word); END IF;
        END IF;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
