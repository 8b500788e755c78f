-- A guess that looks no session up: a running game knows the session that plays it, by its digest, and until when the hour
-- of its last use need not be noted. When a session ends its games forget it, in the same transaction. Who writes the
-- digest holds the session until the commit, so none can be written that has ended. They lock the game, or the player, before
-- the session; ending a session locks them the other way round, and whoever loses is tried again.
--
-- The columns touch no index, so a guess stays one update of one row in place (HOT). Games are found by their id alone: ids
-- are random enough (74 bits, RFC 9562 section 5.7) to have one user each, and the digest says whose it is anyway.

-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
ALTER TABLE judged_games ADD COLUMN session_hash bytea, ADD COLUMN session_seen_at timestamptz;
CREATE INDEX judged_games_id_idx ON judged_games (id);

-- When a session was last noted to be used; until the transaction ends nobody ends it. NULL: there is none.
CREATE FUNCTION hold_session(token bytea) RETURNS timestamptz
LANGUAGE sql AS $$ SELECT last_used_at FROM sessions WHERE token_hash = token FOR KEY SHARE $$;

CREATE FUNCTION forget_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE judged_games SET session_hash = NULL, session_seen_at = NULL
    WHERE user_id = OLD.user_id AND session_hash = OLD.token_hash;
    RETURN NULL;
END
$$;
CREATE TRIGGER sessions_games_guard AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION forget_session();
REVOKE ALL ON FUNCTION hold_session(bytea), forget_session() FROM PUBLIC;

-- As in 0011, and the game forgets the session.
CREATE OR REPLACE FUNCTION end_game(g judged_games, has_won boolean) RETURNS judged_games
LANGUAGE plpgsql AS $$
DECLARE
    ended timestamptz;
    ended_on date;
    which board;
    new_score bigint;
BEGIN
    IF has_won THEN
        UPDATE players SET played = played + 1, won = won + 1, current_streak = current_streak + 1,
            longest_streak = greatest(longest_streak, current_streak + 1),
            distribution[g.guess_count] = distribution[g.guess_count] + 1,
            last_ended_at = greatest(clock_timestamp(), last_ended_at + interval '1 microsecond')
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    ELSE
        UPDATE players SET played = played + 1, current_streak = 0,
            last_ended_at = greatest(clock_timestamp(), last_ended_at + interval '1 microsecond')
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    END IF;
    UPDATE judged_games SET ended_at = ended, is_won = has_won, session_hash = NULL, session_seen_at = NULL
    WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
    PERFORM record_played_word(g.user_id, g.word, g.language);
    IF g.day IS NOT NULL THEN
        INSERT INTO board_counts (board, starts_on, step, bucket, slot, count)
        VALUES ('daily', g.day, 0, CASE WHEN has_won THEN g.guess_count ELSE 7 END, pg_backend_pid(), 1)
        ON CONFLICT (board, starts_on, step, bucket, slot) DO UPDATE SET count = board_counts.count + 1;
    END IF;
    IF has_won THEN
        PERFORM add_win(g.user_id, NULL, NULL);
        IF g.day IS NOT NULL THEN
            new_score := (g.guess_count::bigint << 32) + floor(extract(epoch FROM ended - g.started_at))::bigint;
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (g.user_id, 'daily', g.day, new_score, ended);
            PERFORM count_on_board('daily', g.day, NULL, new_score);
        END IF;
        ended_on := (ended AT TIME ZONE 'UTC')::date;
        FOREACH which IN ARRAY '{day,week,month,all}'::board[] LOOP
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (g.user_id, which, board_start(which, ended_on), -1, ended)
            ON CONFLICT (user_id, board, starts_on)
            DO UPDATE SET score = board_entries.score - 1, reached_at = EXCLUDED.reached_at
            RETURNING score INTO new_score;
            PERFORM count_on_board(which, board_start(which, ended_on), nullif(new_score + 1, 0), new_score);
        END LOOP;
    END IF;
    RETURN g;
END
$$;

-- As in 0011, and the game knows the session.
CREATE OR REPLACE FUNCTION start_judged_game(
    token bytea, list_language text, list_letters integer, operation text, request bigint
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    played bit varying;
    dealt text;
    paid operation_answer;
    g judged_games;
    answer game_answer;
    game_id uuid;
    new_salt uuid := gen_random_uuid();
    seen_at timestamptz;
BEGIN
    SELECT played_secrets, energy INTO played, answer.energy FROM users WHERE id = player FOR NO KEY UPDATE;
    seen_at := hold_session(token);
    IF seen_at IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    IF operation IS NOT NULL THEN
        answer := first_game_answer(player, operation, request);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day IS NULL AND ended_at IS NULL;
    IF FOUND THEN
        answer.refusal := 'game-unfinished';
        answer.game := show_game(g);
        IF operation IS NOT NULL THEN
            PERFORM keep_game_answer(player, operation, request, answer.refusal, g.id, g.guess_count);
        END IF;
        RETURN answer;
    END IF;
    dealt := pick_word(player, played, list_language, list_letters);
    IF dealt IS NULL THEN
        answer.refusal := 'no-words';
        RETURN answer;
    END IF;
    game_id := ordered_uuid(clock_timestamp());
    paid := change_energy(player, -game_price(), 'game', game_id::text, operation, request);
    answer.refusal := paid.refusal;
    answer.energy := paid.energy;
    IF paid.refusal IS NULL THEN
        INSERT INTO judged_games (user_id, id, language, letters, word, salt, commitment, started_at, session_hash,
            session_seen_at)
        VALUES (player, game_id, list_language, list_letters, dealt, new_salt, commitment(new_salt, dealt),
            clock_timestamp(), token, seen_at)
        RETURNING * INTO g;
        answer.game := show_game(g);
        answer.is_new := true;
    END IF;
    RETURN answer;
END
$$;

-- The same for the day's game.
CREATE OR REPLACE FUNCTION start_daily_game(token bytea, list_language text, list_letters integer) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    seen_at timestamptz;
    g judged_games;
    answer game_answer;
BEGIN
    -- Nobody deletes the player meanwhile.
    PERFORM FROM players WHERE user_id = player FOR KEY SHARE;
    seen_at := hold_session(token);
    IF seen_at IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    IF NOT EXISTS (SELECT FROM daily_words WHERE day = today()) THEN
        PERFORM choose_daily_words(list_language, list_letters);
    END IF;
    INSERT INTO judged_games (user_id, id, day, language, letters, word, salt, commitment, started_at, session_hash,
        session_seen_at)
    SELECT player, ordered_uuid(clock_timestamp()), day, language, char_length(word), word, salt, commitment,
        clock_timestamp(), token, seen_at
    FROM daily_words WHERE day = today()
    ON CONFLICT (user_id, day) WHERE day IS NOT NULL DO NOTHING
    RETURNING * INTO g;
    answer.is_new := FOUND;
    IF NOT answer.is_new THEN
        SELECT * INTO g FROM judged_games WHERE user_id = player AND day = today();
        IF NOT FOUND THEN
            answer.refusal := 'no-words';
            RETURN answer;
        END IF;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;

-- As in 0013, and the game knows the session that guessed last.
CREATE OR REPLACE FUNCTION take_guess(token bytea, game uuid, spelled text, guess_number integer) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    player text := session_player(token);
    seen_at timestamptz;
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
            seen_at := hold_session(token);
            IF seen_at IS NULL THEN
                answer.refusal := 'unauthorized';
                RETURN answer;
            END IF;
            UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, judged_games.word),
                guess_count = guess_count + 1, session_hash = token, session_seen_at = seen_at
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
-- Nearly always one change is all: the game is of that language, running, goes on after this, and the session that plays it
-- asks again within the hour. take_guess() does the rest.
CREATE OR REPLACE FUNCTION guess_known_word(
    token bytea, game uuid, spelled text, guess_number integer, spelled_language text
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer game_answer;
BEGIN
    UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, word),
        guess_count = guess_count + 1
    WHERE id = game AND session_hash = token AND session_seen_at >= now() - interval '1 hour' AND spelled <> word
        AND guess_count = coalesce(guess_number - 1, guess_count) AND guess_count < maximum_guesses() - 1
        AND language = spelled_language AND char_length(spelled) = letters
    RETURNING NULL, NULL, NULL, NULL, ROW(id, day, language, letters, guesses, marks, false, commitment, started_at, NULL,
        NULL, NULL)::shown_game INTO answer;
    IF FOUND THEN RETURN answer; END IF;
    RETURN take_guess(token, game, spelled, guess_number);
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE OR REPLACE FUNCTION guess_known_word(
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
CREATE OR REPLACE FUNCTION start_daily_game(token bytea, list_language text, list_letters integer) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    -- Nobody deletes the player meanwhile.
    PERFORM FROM players WHERE user_id = player FOR KEY SHARE;
    IF NOT FOUND THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    IF NOT EXISTS (SELECT FROM daily_words WHERE day = today()) THEN
        PERFORM choose_daily_words(list_language, list_letters);
    END IF;
    INSERT INTO judged_games (user_id, id, day, language, letters, word, salt, commitment, started_at)
    SELECT player, ordered_uuid(clock_timestamp()), day, language, char_length(word), word, salt, commitment,
        clock_timestamp()
    FROM daily_words WHERE day = today()
    ON CONFLICT (user_id, day) WHERE day IS NOT NULL DO NOTHING
    RETURNING * INTO g;
    answer.is_new := FOUND;
    IF NOT answer.is_new THEN
        SELECT * INTO g FROM judged_games WHERE user_id = player AND day = today();
        IF NOT FOUND THEN
            answer.refusal := 'no-words';
            RETURN answer;
        END IF;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
CREATE OR REPLACE FUNCTION start_judged_game(
    token bytea, list_language text, list_letters integer, operation text, request bigint
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    played bit varying;
    dealt text;
    paid operation_answer;
    g judged_games;
    answer game_answer;
    game_id uuid;
    new_salt uuid := gen_random_uuid();
BEGIN
    SELECT played_secrets, energy INTO played, answer.energy FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    IF operation IS NOT NULL THEN
        answer := first_game_answer(player, operation, request);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day IS NULL AND ended_at IS NULL;
    IF FOUND THEN
        answer.refusal := 'game-unfinished';
        answer.game := show_game(g);
        IF operation IS NOT NULL THEN
            PERFORM keep_game_answer(player, operation, request, answer.refusal, g.id, g.guess_count);
        END IF;
        RETURN answer;
    END IF;
    dealt := pick_word(player, played, list_language, list_letters);
    IF dealt IS NULL THEN
        answer.refusal := 'no-words';
        RETURN answer;
    END IF;
    game_id := ordered_uuid(clock_timestamp());
    paid := change_energy(player, -game_price(), 'game', game_id::text, operation, request);
    answer.refusal := paid.refusal;
    answer.energy := paid.energy;
    IF paid.refusal IS NULL THEN
        INSERT INTO judged_games (user_id, id, language, letters, word, salt, commitment, started_at)
        VALUES (player, game_id, list_language, list_letters, dealt, new_salt, commitment(new_salt, dealt),
            clock_timestamp())
        RETURNING * INTO g;
        answer.game := show_game(g);
        answer.is_new := true;
    END IF;
    RETURN answer;
END
$$;
CREATE OR REPLACE FUNCTION end_game(g judged_games, has_won boolean) RETURNS judged_games
LANGUAGE plpgsql AS $$
DECLARE
    ended timestamptz;
    ended_on date;
    which board;
    new_score bigint;
BEGIN
    IF has_won THEN
        UPDATE players SET played = played + 1, won = won + 1, current_streak = current_streak + 1,
            longest_streak = greatest(longest_streak, current_streak + 1),
            distribution[g.guess_count] = distribution[g.guess_count] + 1,
            last_ended_at = greatest(clock_timestamp(), last_ended_at + interval '1 microsecond')
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    ELSE
        UPDATE players SET played = played + 1, current_streak = 0,
            last_ended_at = greatest(clock_timestamp(), last_ended_at + interval '1 microsecond')
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    END IF;
    UPDATE judged_games SET ended_at = ended, is_won = has_won
    WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
    PERFORM record_played_word(g.user_id, g.word, g.language);
    IF g.day IS NOT NULL THEN
        INSERT INTO board_counts (board, starts_on, step, bucket, slot, count)
        VALUES ('daily', g.day, 0, CASE WHEN has_won THEN g.guess_count ELSE 7 END, pg_backend_pid(), 1)
        ON CONFLICT (board, starts_on, step, bucket, slot) DO UPDATE SET count = board_counts.count + 1;
    END IF;
    IF has_won THEN
        PERFORM add_win(g.user_id, NULL, NULL);
        IF g.day IS NOT NULL THEN
            new_score := (g.guess_count::bigint << 32) + floor(extract(epoch FROM ended - g.started_at))::bigint;
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (g.user_id, 'daily', g.day, new_score, ended);
            PERFORM count_on_board('daily', g.day, NULL, new_score);
        END IF;
        ended_on := (ended AT TIME ZONE 'UTC')::date;
        FOREACH which IN ARRAY '{day,week,month,all}'::board[] LOOP
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (g.user_id, which, board_start(which, ended_on), -1, ended)
            ON CONFLICT (user_id, board, starts_on)
            DO UPDATE SET score = board_entries.score - 1, reached_at = EXCLUDED.reached_at
            RETURNING score INTO new_score;
            PERFORM count_on_board(which, board_start(which, ended_on), nullif(new_score + 1, 0), new_score);
        END LOOP;
    END IF;
    RETURN g;
END
$$;
DROP TRIGGER sessions_games_guard ON sessions;
DROP FUNCTION forget_session();
DROP FUNCTION hold_session(bytea);
DROP INDEX judged_games_id_idx;
ALTER TABLE judged_games DROP COLUMN session_seen_at, DROP COLUMN session_hash;
