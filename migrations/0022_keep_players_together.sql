-- Players of the second contract beside their users: what one of them does touches rows of theirs alone, so that it can be done
-- on one server where the database is spread over several.
--
-- A token says whose it is (its first 16 bytes are the player's id), and the functions get that after the digest: 32 bytes of
-- SHA-256, then the id. Tokens of before say nothing; their sessions are looked for by the digest, as ever.
--
-- What a game that ends changes on the boards is noted beside the player, a row a game, and tend_boards() gathers the notes in
-- the counts, which are on one server. A rank is what the counts say and what is not gathered yet. Notes are only ever added, so
-- nobody who plays waits for another player or for tend_boards().

-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE sessions DROP CONSTRAINT sessions_token_hash_key, ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash, user_id);
ALTER TABLE players DROP CONSTRAINT players_recovery_hash_key,
    ADD CONSTRAINT players_recovery_hash_key UNIQUE (recovery_hash, user_id);
-- Games are found by their player again.
DROP INDEX judged_games_id_idx;

-- An entry that went from one score to another, NULL: from or to nowhere. outcome: of the day's word, with how many guesses
-- somebody won, 7 for a lost game.
CREATE TYPE board_change AS (board board, starts_on date, old_score bigint, new_score bigint, outcome integer);
-- What is still to be gathered.
CREATE TABLE board_changes (
    user_id text COLLATE "C" NOT NULL,
    -- When the game ended: of one player no two games do in the same microsecond.
    noted_at timestamptz NOT NULL,
    changes board_change[] NOT NULL,
    CONSTRAINT board_changes_pkey PRIMARY KEY (user_id, noted_at)
);

-- The counts of all sessions in one row.
WITH gathered AS (DELETE FROM board_counts RETURNING board, starts_on, step, bucket, count)
INSERT INTO board_counts (board, starts_on, step, bucket, slot, count)
SELECT board, starts_on, step, bucket, -1, sum(count) FROM gathered GROUP BY board, starts_on, step, bucket HAVING sum(count) <> 0;
DROP INDEX board_counts_slot_idx;
ALTER TABLE board_counts DROP CONSTRAINT board_counts_pkey, DROP COLUMN slot,
    ADD CONSTRAINT board_counts_pkey PRIMARY KEY (board, starts_on, step, bucket);

-- Sessions ------------------------------------------------------------------------------------------------------------

-- As in 0011, by the player whom the token names, or else by its digest alone.
CREATE OR REPLACE FUNCTION session_player(token bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := encode(substr(token, 33), 'escape');
    used_at timestamptz;
BEGIN
    IF token IS NULL THEN RETURN NULL; END IF;
    SELECT last_used_at INTO used_at FROM sessions WHERE user_id = player AND token_hash = token_digest;
    -- One of before may look as if it named a player.
    IF NOT FOUND THEN
        SELECT user_id, last_used_at INTO player, used_at FROM sessions WHERE token_hash = token_digest;
    END IF;
    IF used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE sessions SET last_used_at = date_trunc('hour', now(), 'UTC') WHERE user_id = player AND token_hash = token_digest;
    END IF;
    RETURN player;
END
$$;

-- As in 0018, of a session whose player is known.
DROP FUNCTION hold_session(bytea);
CREATE FUNCTION hold_session(player text, token_digest bytea) RETURNS timestamptz
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT last_used_at FROM sessions WHERE user_id = player AND token_hash = token_digest FOR KEY SHARE);
END
$$;

-- As in 0011, in two statements of one table each: that costs less than one that joins.
CREATE OR REPLACE FUNCTION show_player(player text) RETURNS player_answer
LANGUAGE plpgsql STABLE AS $$
DECLARE
    answer player_answer;
BEGIN
    SELECT NULL, user_id, name, NULL, NULL, played, won, current_streak, longest_streak, distribution INTO answer
    FROM players WHERE user_id = player;
    SELECT energy, created_at INTO answer.energy, answer.created_at FROM users WHERE id = player;
    RETURN answer;
END
$$;

-- As in 0021, but for the token.
CREATE OR REPLACE FUNCTION create_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    reserved constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
    new_name text := player_name(coalesce(given_name, 'Player ' || 1000 + floor(random() * 9000)));
    answer player_answer;
    moved users;
BEGIN
    IF player !~ reserved OR octet_length(recovery) <> 32
        OR octet_length(token) <> 32 AND substr(token, 33) <> convert_to(player, 'UTF8')
    THEN
        RAISE 'a player has a UUID of version 8, and digests of 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
        RETURN answer;
    END IF;
    IF account IS NULL THEN
        PERFORM register_user(player, NULL, NULL);
    ELSE
        LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
        DELETE FROM users WHERE id = account AND account !~ reserved AND strpos(account, E'\t') = 0 RETURNING * INTO moved;
        IF NOT FOUND THEN
            answer.refusal := CASE WHEN EXISTS (SELECT FROM claims WHERE account_id = account) THEN 'claimed'
                ELSE 'claim-refused' END;
            RETURN answer;
        END IF;
        moved.id := player;
        INSERT INTO users SELECT moved.*;
        INSERT INTO claims (account_id, user_id) VALUES (account, player);
        PERFORM move_ledger(account, player, true);
        WITH moved AS (DELETE FROM played_words WHERE user_id = account RETURNING *)
        INSERT INTO played_words (user_id, number, word_id, played_at)
        SELECT player, number, word_id, played_at FROM moved;
    END IF;
    INSERT INTO players (user_id, name, recovery_hash) VALUES (player, new_name, recovery);
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, substr(token, 1, 32));
    RETURN show_player(player);
END
$$;

-- Whose recovery code it is; NULL: nobody's. For who makes the token of another session.
CREATE FUNCTION recovered_player(recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    RETURN (SELECT user_id FROM players WHERE recovery_hash = recovery);
END
$$;

-- As in 0011, of the player whom the token names.
CREATE OR REPLACE FUNCTION create_session(recovery bytea, token bytea, session uuid, new_recovery bytea) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := encode(substr(token, 33), 'escape');
    answer player_answer;
BEGIN
    IF octet_length(token) NOT IN (32, 68) OR octet_length(new_recovery) <> 32 THEN
        RAISE 'digests have 32 bytes, and an id 36' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF player = '' THEN player := recovered_player(recovery); END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE user_id = player AND recovery_hash = recovery;
    IF NOT FOUND THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, substr(token, 1, 32));
    RETURN show_player(player);
END
$$;

-- As in 0011.
CREATE OR REPLACE FUNCTION renew_recovery(token bytea, new_recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    IF octet_length(new_recovery) <> 32 THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE user_id = player;
    RETURN CASE WHEN NOT FOUND THEN 'unauthorized' END;
END
$$;

-- As in 0011.
CREATE OR REPLACE FUNCTION list_sessions(token bytea) RETURNS SETOF session_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := session_player(token);
BEGIN
    RETURN QUERY SELECT CASE WHEN player IS NULL THEN 'unauthorized' END, NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::boolean;
    RETURN QUERY SELECT NULL::text, id, created_at, last_used_at, token_hash = token_digest
        FROM sessions WHERE user_id = player ORDER BY created_at DESC, id;
END
$$;

-- As in 0011.
CREATE OR REPLACE FUNCTION revoke_session(token bytea, session uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := session_player(token);
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    DELETE FROM sessions
    WHERE user_id = player AND CASE WHEN session IS NULL THEN token_hash = token_digest ELSE id = session END;
    RETURN CASE WHEN NOT FOUND THEN 'not-found' END;
END
$$;

-- As in 0011, in a language whose statements can go elsewhere.
CREATE OR REPLACE FUNCTION player_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT jsonb_strip_nulls(jsonb_build_object(
        'name', name,
        'statistics', jsonb_build_object('played', played, 'won', won, 'currentStreak', current_streak,
            'longestStreak', longest_streak, 'distribution', distribution),
        'claimed', (SELECT account_id FROM claims WHERE claims.user_id = player),
        'sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'createdAt', show_time(created_at),
            'lastUsedAt', show_time(last_used_at)) ORDER BY created_at), '[]')
            FROM sessions WHERE sessions.user_id = player),
        'games', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'day', day,
            'language', language, 'length', letters, 'guesses', guesses, 'marks', marks,
            'state', CASE WHEN ended_at IS NULL THEN 'playing' WHEN is_won THEN 'won' ELSE 'lost' END,
            'commitment', encode(commitment, 'hex'), 'startedAt', show_time(started_at), 'endedAt', show_time(ended_at),
            'secret', CASE WHEN ended_at IS NOT NULL THEN word END,
            'salt', CASE WHEN ended_at IS NOT NULL THEN replace(salt::text, '-', '') END)) ORDER BY id), '[]')
            FROM judged_games WHERE judged_games.user_id = player),
        'leaderboards', (SELECT coalesce(jsonb_agg(jsonb_build_object('board', board, 'startsOn', starts_on,
            'score', score, 'reachedAt', show_time(reached_at)) ORDER BY board, starts_on), '[]')
            FROM board_entries WHERE board_entries.user_id = player)))
    FROM players WHERE user_id = player);
END
$$;

-- Games ---------------------------------------------------------------------------------------------------------------

-- The next microsecond. (Adding an interval depends on the time zone when it has days.)
CREATE FUNCTION next_moment(after timestamptz) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN after + interval '1 microsecond'; END $$;

-- As in 0018, but for the boards: notes what changes there.
CREATE OR REPLACE FUNCTION end_game(g judged_games, has_won boolean) RETURNS judged_games
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    ended timestamptz;
    which board;
    starts date;
    new_score bigint;
    changes board_change[] := '{}';
BEGIN
    IF has_won THEN
        UPDATE players SET played = played + 1, won = won + 1, current_streak = current_streak + 1,
            longest_streak = greatest(longest_streak, current_streak + 1),
            distribution[g.guess_count] = distribution[g.guess_count] + 1,
            last_ended_at = greatest(moment, next_moment(last_ended_at))
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    ELSE
        UPDATE players SET played = played + 1, current_streak = 0,
            last_ended_at = greatest(moment, next_moment(last_ended_at))
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    END IF;
    UPDATE judged_games SET ended_at = ended, is_won = has_won, session_hash = NULL, session_seen_at = NULL
    WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
    PERFORM record_played_word(g.user_id, g.word, g.language);
    IF has_won THEN
        PERFORM add_win(g.user_id, NULL, NULL);
        FOREACH which IN ARRAY '{day,week,month,all}'::board[] LOOP
            starts := board_start(which, (ended AT TIME ZONE 'UTC')::date);
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (g.user_id, which, starts, -1, ended)
            ON CONFLICT (user_id, board, starts_on)
            DO UPDATE SET score = board_entries.score - 1, reached_at = EXCLUDED.reached_at
            RETURNING score INTO new_score;
            changes := changes || ROW(which, starts, nullif(new_score + 1, 0), new_score, NULL)::board_change;
        END LOOP;
    END IF;
    IF g.day IS NOT NULL THEN
        new_score := CASE WHEN has_won
            THEN (g.guess_count::bigint << 32) + floor(extract(epoch FROM ended - g.started_at))::bigint END;
        IF has_won THEN
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (g.user_id, 'daily', g.day, new_score, ended);
        END IF;
        changes := changes
            || ROW('daily', g.day, NULL, new_score, CASE WHEN has_won THEN g.guess_count ELSE 7 END)::board_change;
    END IF;
    PERFORM note_on_boards(g.user_id, ended, changes);
    RETURN g;
END
$$;

-- As in 0018.
CREATE OR REPLACE FUNCTION start_judged_game(
    token bytea, list_language text, list_letters integer, operation text, request bigint
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := session_player(token);
    played bit varying;
    dealt text;
    paid operation_answer;
    g judged_games;
    answer game_answer;
    game_id uuid;
    new_salt uuid := gen_random_uuid();
    seen_at timestamptz;
    moment timestamptz;
BEGIN
    SELECT played_secrets, energy INTO played, answer.energy FROM users WHERE id = player FOR NO KEY UPDATE;
    seen_at := hold_session(player, token_digest);
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
        moment := clock_timestamp();
        INSERT INTO judged_games (user_id, id, language, letters, word, salt, commitment, started_at, session_hash,
            session_seen_at)
        VALUES (player, game_id, list_language, list_letters, dealt, new_salt, commitment(new_salt, dealt), moment,
            token_digest, seen_at)
        RETURNING * INTO g;
        answer.game := show_game(g);
        answer.is_new := true;
    END IF;
    RETURN answer;
END
$$;

-- As in 0018.
CREATE OR REPLACE FUNCTION take_guess(token bytea, game uuid, spelled text, guess_number integer) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
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
            seen_at := hold_session(player, token_digest);
            IF seen_at IS NULL THEN
                answer.refusal := 'unauthorized';
                RETURN answer;
            END IF;
            UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, judged_games.word),
                guess_count = guess_count + 1, session_hash = token_digest, session_seen_at = seen_at
            WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
            IF spelled = g.word OR g.guess_count = maximum_guesses() THEN g := end_game(g, spelled = g.word); END IF;
        END IF;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;

-- As in 0018, by the player whom the token names: nobody, of a token of before, which take_guess() sees to.
CREATE OR REPLACE FUNCTION guess_known_word(
    token bytea, game uuid, spelled text, guess_number integer, spelled_language text
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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

-- The day -------------------------------------------------------------------------------------------------------------

-- As in 0011, in steps: all servers are told the same word.
CREATE OR REPLACE FUNCTION choose_daily_words(list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    ahead date;
    chosen text;
    new_salt uuid;
BEGIN
    FOR days IN 0..1 LOOP
        ahead := today() + days;
        CONTINUE WHEN EXISTS (SELECT FROM daily_words WHERE day = ahead);
        new_salt := gen_random_uuid();
        SELECT words.word INTO chosen FROM words
        LEFT JOIN (SELECT language, word, max(day) AS day FROM daily_words WHERE day <= ahead
            GROUP BY language, word) AS held ON held.language = words.language AND held.word = words.word
        WHERE words.language = list_language AND char_length(words.word) = list_letters
            AND is_secret AND retired_at IS NULL
        ORDER BY CASE WHEN held.day >= ahead - 365 THEN held.day END NULLS FIRST, gen_random_uuid()
        LIMIT 1;
        CONTINUE WHEN chosen IS NULL;
        INSERT INTO daily_words (day, language, word, salt, commitment)
        VALUES (ahead, list_language, chosen, new_salt, commitment(new_salt, chosen))
        ON CONFLICT (day) DO NOTHING;
    END LOOP;
END
$$;

-- As in 0018.
CREATE OR REPLACE FUNCTION start_daily_game(token bytea, list_language text, list_letters integer) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := session_player(token);
    seen_at timestamptz;
    todays daily_words;
    game_id uuid;
    moment timestamptz;
    g judged_games;
    answer game_answer;
BEGIN
    -- Nobody deletes the player meanwhile.
    PERFORM FROM players WHERE user_id = player FOR KEY SHARE;
    seen_at := hold_session(player, token_digest);
    IF seen_at IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    FOR attempt IN 1..2 LOOP
        SELECT * INTO todays FROM daily_words WHERE day = today();
        EXIT WHEN FOUND;
        PERFORM choose_daily_words(list_language, list_letters);
    END LOOP;
    IF todays.day IS NULL THEN
        answer.refusal := 'no-words';
        RETURN answer;
    END IF;
    moment := clock_timestamp();
    game_id := ordered_uuid(moment);
    INSERT INTO judged_games (user_id, id, day, language, letters, word, salt, commitment, started_at, session_hash,
        session_seen_at)
    VALUES (player, game_id, todays.day, todays.language, char_length(todays.word), todays.word, todays.salt,
        todays.commitment, moment, token_digest, seen_at)
    ON CONFLICT (user_id, day) WHERE day IS NOT NULL DO NOTHING
    RETURNING * INTO g;
    answer.is_new := FOUND;
    IF NOT answer.is_new THEN SELECT * INTO STRICT g FROM judged_games WHERE user_id = player AND day = todays.day; END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;

-- As in 0011, with what is not gathered yet.
CREATE OR REPLACE FUNCTION read_past_day(token bytea, wanted date) RETURNS daily_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    answer daily_answer;
    g judged_games;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    SELECT chosen.day, char_length(chosen.word), chosen.commitment, next.commitment, chosen.word, chosen.salt
    INTO answer.day, answer.letters, answer.commitment, answer.next_commitment, answer.word, answer.salt
    FROM daily_words AS chosen LEFT JOIN daily_words AS next ON next.day = chosen.day + 1
    WHERE chosen.day = wanted AND chosen.day < today();
    IF NOT FOUND THEN
        answer.refusal := 'not-found';
        RETURN answer;
    END IF;
    PERFORM pg_advisory_xact_lock_shared('board_changes'::regclass::oid::bigint);
    answer.figures := count_outcomes(wanted);
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = wanted;
    IF FOUND THEN answer.game := show_game(g); END IF;
    RETURN answer;
END
$$;

-- Boards --------------------------------------------------------------------------------------------------------------

-- Keeps changes beside the player whose entries changed, until they are gathered.
CREATE FUNCTION note_on_boards(player text, at timestamptz, given board_change[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF given <> '{}' THEN INSERT INTO board_changes (user_id, noted_at, changes) VALUES (player, at, given); END IF;
END
$$;

-- Adds changes to the counts.
DROP FUNCTION count_on_board(board, date, bigint, bigint);
CREATE FUNCTION count_changes(changes board_change[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_counts (board, starts_on, step, bucket, count)
    SELECT board, starts_on, step, bucket, sum(change)
    FROM unnest(changes) CROSS JOIN LATERAL (VALUES (0, outcome::bigint, 1),
        (1, old_score >> 32, -1), (2, old_score >> 8, -1), (3, old_score, -1),
        (1, new_score >> 32, 1), (2, new_score >> 8, 1), (3, new_score, 1)) AS moved (step, bucket, change)
    WHERE bucket IS NOT NULL GROUP BY board, starts_on, step, bucket HAVING sum(change) <> 0
    ON CONFLICT (board, starts_on, step, bucket) DO UPDATE SET count = board_counts.count + EXCLUDED.count;
END
$$;

-- How many entries are better than a score.
CREATE OR REPLACE FUNCTION count_better(which board, starts date, than bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    gathered bigint;
    noted bigint;
BEGIN
    SELECT sum(count) INTO gathered FROM (
        SELECT sum(count) AS count FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 1 AND bucket < than >> 32
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 2 AND bucket >= (than >> 32) << 24 AND bucket < than >> 8
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 3 AND bucket >= (than >> 8) << 8 AND bucket < than
    ) AS counts;
    SELECT count(*) FILTER (WHERE new_score < than) - count(*) FILTER (WHERE old_score < than) INTO noted
    FROM board_changes CROSS JOIN LATERAL unnest(changes) WHERE board = which AND starts_on = starts;
    RETURN coalesce(gathered, 0) + coalesce(noted, 0);
END
$$;

-- How many players a board has; of the day's word: how many ended it.
CREATE FUNCTION count_players(which board, starts date) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    gathered bigint;
    noted bigint;
BEGIN
    SELECT sum(count) INTO gathered FROM board_counts
    WHERE board = which AND starts_on = starts AND step = CASE WHEN which = 'daily' THEN 0 ELSE 1 END;
    SELECT CASE WHEN which = 'daily' THEN count(outcome) ELSE count(new_score) - count(old_score) END INTO noted
    FROM board_changes CROSS JOIN LATERAL unnest(changes) WHERE board = which AND starts_on = starts;
    RETURN coalesce(gathered, 0) + coalesce(noted, 0);
END
$$;

-- How many needed how many guesses for a day's word; the seventh number: who lost.
CREATE FUNCTION count_outcomes(of_day date) RETURNS bigint[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
    figures bigint[] := '{0,0,0,0,0,0,0}';
    counted record;
BEGIN
    FOR counted IN SELECT bucket, count FROM board_counts WHERE board = 'daily' AND starts_on = of_day AND step = 0 LOOP
        figures[counted.bucket] := figures[counted.bucket] + counted.count;
    END LOOP;
    FOR counted IN SELECT outcome, count(*) AS count FROM board_changes CROSS JOIN LATERAL unnest(changes)
        WHERE board = 'daily' AND starts_on = of_day AND outcome IS NOT NULL GROUP BY outcome
    LOOP
        figures[counted.outcome] := figures[counted.outcome] + counted.count;
    END LOOP;
    RETURN figures;
END
$$;

-- Gathers what changed, and removes boards nobody can ask for any more: of each at most so many players' each time it is
-- called, by one session at a time. Returns how many rows went.
--
-- Who reads a board holds off the gathering, and the other way round: notes and counts may be on different servers, which do not
-- commit in the same instant.
DROP FUNCTION tend_boards();
CREATE FUNCTION tend_boards(most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '200ms' AS $$
DECLARE
    which board;
    first_start date;
    names text[];
    noted board_change[];
    changes board_change[] := '{}';
    removed bigint;
    total bigint := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock('board_counts'::regclass::oid::bigint) THEN RETURN 0; END IF;
    FOREACH which IN ARRAY '{day,week,month}'::board[] LOOP
        first_start := board_start(which, today() - 1);
        names := ARRAY(SELECT user_id FROM board_entries WHERE board = which AND starts_on < first_start LIMIT most);
        IF names <> '{}' THEN
            DELETE FROM board_entries WHERE user_id = ANY (names) AND board = which AND starts_on < first_start;
            GET DIAGNOSTICS removed = ROW_COUNT;
            total := total + removed;
        END IF;
        DELETE FROM board_counts WHERE board = which AND starts_on < first_start;
        GET DIAGNOSTICS removed = ROW_COUNT;
        total := total + removed;
    END LOOP;
    names := ARRAY(SELECT user_id FROM board_changes LIMIT most);
    IF names <> '{}' THEN
        BEGIN
            PERFORM pg_advisory_xact_lock('board_changes'::regclass::oid::bigint);
        EXCEPTION
            -- Somebody reads for long: another time.
            WHEN lock_not_available THEN RETURN total;
        END;
        FOR noted IN DELETE FROM board_changes WHERE user_id = ANY (names) RETURNING board_changes.changes LOOP
            changes := changes || noted;
            total := total + 1;
        END LOOP;
        PERFORM count_changes(changes);
    END IF;
    RETURN total;
END
$$;

-- As in 0011. The ranks of a page are counted twice at most: those who share its first score may stand before it, and those
-- before them; all behind are on it.
CREATE OR REPLACE FUNCTION read_board(token bytea, which board, wanted date, most integer, is_around boolean) RETURNS SETOF board_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    starts date := coalesce(wanted, board_start(which, today()));
    answer board_answer;
    mine board_entries;
    first_score bigint := -9223372036854775808;
    first_reached_at timestamptz := '-infinity';
    first_user_id text := '';
    entry record;
    place bigint := 0;
    last_score bigint;
    before_page bigint;
    own_rank bigint;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN
        answer.refusal := 'unauthorized';
    ELSIF which = 'daily' AND NOT EXISTS (SELECT FROM daily_words WHERE day = starts AND day <= today()) THEN
        answer.refusal := 'not-found';
    END IF;
    IF answer.refusal IS NOT NULL THEN
        RETURN NEXT answer;
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock_shared('board_changes'::regclass::oid::bigint);
    answer.players := count_players(which, starts);
    RETURN NEXT answer;

    SELECT * INTO mine FROM board_entries WHERE user_id = player AND board = which AND starts_on = starts;
    IF is_around AND mine.score IS NOT NULL THEN
        SELECT score, reached_at, user_id INTO first_score, first_reached_at, first_user_id
        FROM (SELECT user_id, score, reached_at FROM board_entries
            WHERE board = which AND starts_on = starts
                AND (score, reached_at, user_id) <= (mine.score, mine.reached_at, mine.user_id)
            ORDER BY score DESC, reached_at DESC, user_id DESC LIMIT (most + 1) / 2) AS page
        ORDER BY page.score, page.reached_at, page.user_id LIMIT 1;
    END IF;
    answer.players := NULL;
    answer.is_listed := true;
    FOR entry IN SELECT board_entries.user_id, players.name, score, reached_at
        FROM board_entries JOIN players ON players.user_id = board_entries.user_id
        WHERE board = which AND starts_on = starts
            AND (score, reached_at, board_entries.user_id) >= (first_score, first_reached_at, first_user_id)
        ORDER BY score, reached_at, board_entries.user_id LIMIT most
    LOOP
        place := place + 1;
        IF last_score IS NULL THEN
            answer.rank := count_better(which, starts, entry.score) + 1;
        ELSIF entry.score <> last_score THEN
            before_page := coalesce(before_page, count_better(which, starts, entry.score) + 1 - place);
            answer.rank := before_page + place;
        END IF;
        last_score := entry.score;
        answer.name := entry.name;
        answer.score := entry.score;
        answer.is_me := entry.user_id IS NOT DISTINCT FROM player;
        RETURN NEXT answer;
    END LOOP;
    IF mine.score IS NOT NULL THEN
        own_rank := count_better(which, starts, mine.score) + 1;
        RETURN QUERY SELECT NULL::text, NULL::bigint, own_rank, players.name, mine.score, true, false
            FROM players WHERE players.user_id = player;
    END IF;
END
$$;

-- As in 0021. What is not gathered yet goes on under the pseudonym.
CREATE OR REPLACE FUNCTION delete_user(player text, pseudonym text) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    entry board_entries;
    noted board_change[];
    changes board_change[] := '{}';
    words_deleted bigint;
    entries_moved bigint;
BEGIN
    IF player IS NULL THEN RETURN NULL; END IF;
    IF strpos(pseudonym, E'\t') = 0 THEN
        RAISE 'the name of a closed ledger has a tab in it' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL FOR UPDATE;
    DELETE FROM players WHERE user_id = player;
    WITH closed AS (DELETE FROM users WHERE id = player RETURNING ledger_entry, energy, ledger_seal)
    INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal)
    SELECT pseudonym, ledger_entry, energy, ledger_seal FROM closed;
    IF NOT FOUND THEN RETURN NULL; END IF;
    FOR noted IN DELETE FROM board_changes WHERE user_id = player RETURNING board_changes.changes LOOP
        changes := changes || noted;
    END LOOP;
    FOR entry IN DELETE FROM board_entries WHERE user_id = player RETURNING * LOOP
        changes := changes || ROW(entry.board, entry.starts_on, entry.score, NULL, NULL)::board_change;
    END LOOP;
    PERFORM note_on_boards(pseudonym, now(), changes);
    DELETE FROM judged_games WHERE user_id = player;
    DELETE FROM sessions WHERE user_id = player;
    DELETE FROM played_words WHERE user_id = player;
    GET DIAGNOSTICS words_deleted = ROW_COUNT;
    entries_moved := move_ledger(player, pseudonym, false);
    -- What the store told of transactions that nobody presented, under the name the player had in the app.
    UPDATE store_notifications SET account = NULL, payload = NULL
    WHERE account IN (SELECT lower(account_id) FROM claims WHERE user_id = player);
    DELETE FROM claims WHERE user_id = player;
    RETURN ARRAY[entries_moved, words_deleted];
END
$$;

-- Search --------------------------------------------------------------------------------------------------------------

-- A name as it is searched, in bytes of UTF-8: an explicit collation does not come through to another server.
CREATE FUNCTION folded_name(name text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN convert_to(lower(name COLLATE "und-x-icu"), 'UTF8'); END $$;
DROP INDEX players_name_idx;
CREATE INDEX players_name_idx ON players ((folded_name(name)), user_id);

-- As in 0014.
CREATE OR REPLACE FUNCTION admin_search(key bytea, wanted text, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    wanted_folded bytea := folded_name(normalize(wanted, NFC));
    found jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    WITH hits AS MATERIALIZED (
        SELECT id AS user_id, 0 AS rank, 'id' AS matched, ''::bytea AS folded FROM users WHERE id = wanted
        UNION ALL
        SELECT claims.user_id, 1, 'account', '' FROM claims WHERE account_id = wanted
        UNION ALL
        (SELECT players.user_id, 2, 'name', folded_name(name) FROM players
            WHERE folded_name(name) >= wanted_folded AND folded_name(name) < wanted_folded || '\xff'::bytea
            ORDER BY folded_name(name), user_id LIMIT most + 1))
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', users.id, 'matched', matched, 'name', name,
        'energy', energy, 'createdAt', show_time(created_at))) ORDER BY rank, hits.folded, users.id)
    INTO found
    FROM hits JOIN users ON users.id = hits.user_id LEFT JOIN players ON players.user_id = users.id;
    found := coalesce(found, '[]');
    RETURN ROW(NULL, jsonb_build_object('hasMore', jsonb_array_length(found) > most, 'players',
        (SELECT coalesce(jsonb_agg(hit ORDER BY place), '[]')
            FROM jsonb_array_elements(found) WITH ORDINALITY AS hits (hit, place) WHERE place <= most))::text)::admin_answer;
END
$$;

-- As in 0020, in a language whose statements can go elsewhere.
CREATE OR REPLACE FUNCTION lottery_name(p lottery_participants) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce(p.name, (SELECT name FROM players WHERE user_id = p.user_id), 'Player ' || p.number);
END
$$;

REVOKE ALL ON FUNCTION hold_session(text, bytea), recovered_player(bytea), next_moment(timestamptz),
    folded_name(text), note_on_boards(text, timestamptz, board_change[]),
    count_changes(board_change[]), count_players(board, date), count_outcomes(date), tend_boards(integer) FROM PUBLIC;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        GRANT EXECUTE ON FUNCTION recovered_player(bytea), tend_boards(integer) TO juliet_service;
    END IF;
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
-- What is not gathered yet.
SELECT count_changes(ARRAY(SELECT unnest(changes) FROM board_changes));
ALTER TABLE board_counts ADD COLUMN slot integer NOT NULL DEFAULT 0, DROP CONSTRAINT board_counts_pkey,
    ADD CONSTRAINT board_counts_pkey PRIMARY KEY (board, starts_on, step, bucket, slot);
ALTER TABLE board_counts ALTER COLUMN slot DROP DEFAULT;
CREATE INDEX board_counts_slot_idx ON board_counts (slot) WHERE slot <> 0;
DROP FUNCTION tend_boards(integer);
CREATE FUNCTION tend_boards() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    which board;
    removed bigint;
    total bigint := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock('board_counts'::regclass::oid::bigint) THEN RETURN 0; END IF;
    FOREACH which IN ARRAY '{day,week,month}'::board[] LOOP
        DELETE FROM board_entries WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM board_entries
            WHERE board = which AND starts_on < board_start(which, today() - 1) LIMIT 5000));
        GET DIAGNOSTICS removed = ROW_COUNT;
        total := total + removed;
        DELETE FROM board_counts WHERE board = which AND starts_on < board_start(which, today() - 1);
        GET DIAGNOSTICS removed = ROW_COUNT;
        total := total + removed;
    END LOOP;
    WITH gathered AS (
        DELETE FROM board_counts WHERE slot <> 0 AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = slot)
        RETURNING board, starts_on, step, bucket, count)
    INSERT INTO board_counts (board, starts_on, step, bucket, slot, count)
    SELECT board, starts_on, step, bucket, 0, sum(count) FROM gathered
    GROUP BY board, starts_on, step, bucket HAVING sum(count) <> 0
    ON CONFLICT (board, starts_on, step, bucket, slot) DO UPDATE SET count = board_counts.count + EXCLUDED.count;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN total + removed;
END
$$;
CREATE OR REPLACE FUNCTION lottery_name(p lottery_participants) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT coalesce(p.name, (SELECT name FROM players WHERE user_id = p.user_id), 'Player ' || p.number)
$$;
DROP INDEX players_name_idx;
CREATE INDEX players_name_idx ON players ((lower(name COLLATE "und-x-icu") COLLATE "C"), user_id);
CREATE OR REPLACE FUNCTION admin_search(key bytea, wanted text, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    folded text := lower(normalize(wanted, NFC) COLLATE "und-x-icu");
    found jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    WITH hits AS MATERIALIZED (
        SELECT id AS user_id, 0 AS rank, 'id' AS matched, '' AS folded_name FROM users WHERE id = wanted
        UNION ALL
        SELECT claims.user_id, 1, 'account', '' FROM claims WHERE account_id = wanted
        UNION ALL
        (SELECT players.user_id, 2, 'name', lower(name COLLATE "und-x-icu") COLLATE "C" FROM players
            WHERE lower(name COLLATE "und-x-icu") COLLATE "C" >= folded
                AND lower(name COLLATE "und-x-icu") COLLATE "C" < folded || chr(1114111)
            ORDER BY lower(name COLLATE "und-x-icu") COLLATE "C", user_id LIMIT most + 1))
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', users.id, 'matched', matched, 'name', name,
        'energy', energy, 'createdAt', show_time(created_at))) ORDER BY rank, folded_name COLLATE "C", users.id)
    INTO found
    FROM hits JOIN users ON users.id = hits.user_id LEFT JOIN players ON players.user_id = users.id;
    found := coalesce(found, '[]');
    RETURN ROW(NULL, jsonb_build_object('hasMore', jsonb_array_length(found) > most, 'players',
        (SELECT coalesce(jsonb_agg(hit ORDER BY place), '[]')
            FROM jsonb_array_elements(found) WITH ORDINALITY AS hits (hit, place) WHERE place <= most))::text)::admin_answer;
END
$$;
DROP FUNCTION folded_name(text);
REVOKE ALL ON FUNCTION tend_boards() FROM PUBLIC;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN GRANT EXECUTE ON FUNCTION tend_boards() TO juliet_service; END IF;
END
$$;
CREATE OR REPLACE FUNCTION delete_user(player text, pseudonym text) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    entry board_entries;
    words_deleted bigint;
    entries_moved bigint;
BEGIN
    IF player IS NULL THEN RETURN NULL; END IF;
    IF strpos(pseudonym, E'\t') = 0 THEN
        RAISE 'the name of a closed ledger has a tab in it' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL FOR UPDATE;
    DELETE FROM players WHERE user_id = player;
    WITH closed AS (DELETE FROM users WHERE id = player RETURNING ledger_entry, energy, ledger_seal)
    INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal)
    SELECT pseudonym, ledger_entry, energy, ledger_seal FROM closed;
    IF NOT FOUND THEN RETURN NULL; END IF;
    FOR entry IN DELETE FROM board_entries WHERE user_id = player RETURNING * LOOP
        PERFORM count_on_board(entry.board, entry.starts_on, entry.score, NULL);
    END LOOP;
    DELETE FROM judged_games WHERE user_id = player;
    DELETE FROM sessions WHERE user_id = player;
    DELETE FROM played_words WHERE user_id = player;
    GET DIAGNOSTICS words_deleted = ROW_COUNT;
    entries_moved := move_ledger(player, pseudonym, false);
    -- What the store told of transactions that nobody presented, under the name the player had in the app.
    UPDATE store_notifications SET account = NULL, payload = NULL
    WHERE account IN (SELECT lower(account_id) FROM claims WHERE user_id = player);
    DELETE FROM claims WHERE user_id = player;
    RETURN ARRAY[entries_moved, words_deleted];
END
$$;
CREATE OR REPLACE FUNCTION read_board(token bytea, which board, wanted date, most integer, is_around boolean) RETURNS SETOF board_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    starts date := coalesce(wanted, board_start(which, today()));
    answer board_answer;
    mine board_entries;
    first board_entries;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN
        answer.refusal := 'unauthorized';
    ELSIF which = 'daily' AND NOT EXISTS (SELECT FROM daily_words WHERE day = starts AND day <= today()) THEN
        answer.refusal := 'not-found';
    END IF;
    SELECT coalesce(sum(count), 0) INTO answer.players FROM board_counts
    WHERE board = which AND starts_on = starts AND step = CASE WHEN which = 'daily' THEN 0 ELSE 1 END;
    RETURN NEXT answer;
    IF answer.refusal IS NOT NULL THEN RETURN; END IF;

    SELECT * INTO mine FROM board_entries WHERE user_id = player AND board = which AND starts_on = starts;
    first.score := -9223372036854775808;
    first.reached_at := '-infinity';
    first.user_id := '';
    IF is_around AND mine.score IS NOT NULL THEN
        first := mine;
        SELECT page.user_id, which, starts, page.score, page.reached_at INTO first
        FROM (SELECT user_id, score, reached_at FROM board_entries
            WHERE board = which AND starts_on = starts
                AND (score, reached_at, user_id) <= (mine.score, mine.reached_at, mine.user_id)
            ORDER BY score DESC, reached_at DESC, user_id DESC LIMIT (most + 1) / 2) AS page
        ORDER BY page.score, page.reached_at, page.user_id LIMIT 1;
    END IF;
    -- Those who share the first score of the page may stand before it, and those before them. All behind are on it.
    RETURN QUERY
    WITH page AS MATERIALIZED (
        SELECT user_id, score, reached_at FROM board_entries
        WHERE board = which AND starts_on = starts
            AND (score, reached_at, user_id) >= (first.score, first.reached_at, first.user_id)
        ORDER BY score, reached_at, user_id LIMIT most),
    placed AS MATERIALIZED (
        SELECT page.user_id, page.score, page.reached_at, rank() OVER (ORDER BY page.score) AS place FROM page),
    known AS MATERIALIZED (
        SELECT place, count_better(which, starts, min(placed.score)) + 1 AS rank FROM placed
        WHERE place = 1 OR place = (SELECT min(place) FROM placed WHERE place > 1) GROUP BY place)
    SELECT NULL::text, NULL::bigint,
        CASE WHEN placed.place = 1 THEN (SELECT known.rank FROM known WHERE known.place = 1)
            ELSE (SELECT known.rank - known.place FROM known WHERE known.place > 1) + placed.place END,
        players.name, placed.score, placed.user_id IS NOT DISTINCT FROM player, true
    FROM placed JOIN players ON players.user_id = placed.user_id
    ORDER BY placed.score, placed.reached_at, placed.user_id;
    IF mine.score IS NOT NULL THEN
        RETURN QUERY SELECT NULL::text, NULL::bigint, count_better(which, starts, mine.score) + 1, players.name,
            mine.score, true, false
            FROM players WHERE players.user_id = player;
    END IF;
END
$$;
DROP FUNCTION count_outcomes(date);
DROP FUNCTION count_players(board, date);
CREATE OR REPLACE FUNCTION count_better(which board, starts date, than bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(count), 0)::bigint FROM (
        SELECT sum(count) AS count FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 1 AND bucket < than >> 32
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 2 AND bucket >= (than >> 32) << 24 AND bucket < than >> 8
        UNION ALL
        SELECT sum(count) FROM board_counts
        WHERE board = which AND starts_on = starts AND step = 3 AND bucket >= (than >> 8) << 8 AND bucket < than
    ) AS counts
$$;
DROP FUNCTION count_changes(board_change[]);
CREATE FUNCTION count_on_board(which board, starts date, old_score bigint, new_score bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_counts (board, starts_on, step, bucket, slot, count)
    SELECT which, starts, step, bucket, pg_backend_pid(), sum(change)
    FROM (VALUES (1, old_score >> 32, -1), (2, old_score >> 8, -1), (3, old_score, -1),
        (1, new_score >> 32, 1), (2, new_score >> 8, 1), (3, new_score, 1)) AS changes (step, bucket, change)
    WHERE bucket IS NOT NULL GROUP BY step, bucket HAVING sum(change) <> 0
    ON CONFLICT (board, starts_on, step, bucket, slot) DO UPDATE SET count = board_counts.count + EXCLUDED.count;
END
$$;
REVOKE ALL ON FUNCTION count_on_board(board, date, bigint, bigint) FROM PUBLIC;
DROP FUNCTION note_on_boards(text, timestamptz, board_change[]);
CREATE OR REPLACE FUNCTION read_past_day(token bytea, wanted date) RETURNS daily_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    answer daily_answer;
    g judged_games;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    SELECT chosen.day, char_length(chosen.word), chosen.commitment, next.commitment, chosen.word, chosen.salt
    INTO answer.day, answer.letters, answer.commitment, answer.next_commitment, answer.word, answer.salt
    FROM daily_words AS chosen LEFT JOIN daily_words AS next ON next.day = chosen.day + 1
    WHERE chosen.day = wanted AND chosen.day < today();
    IF NOT FOUND THEN
        answer.refusal := 'not-found';
        RETURN answer;
    END IF;
    answer.figures := ARRAY(
        SELECT coalesce(sum(count), 0)::bigint FROM generate_series(1, 7) AS number
        LEFT JOIN board_counts ON board = 'daily' AND starts_on = wanted AND step = 0 AND bucket = number
        GROUP BY number ORDER BY number);
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = wanted;
    IF FOUND THEN answer.game := show_game(g); END IF;
    RETURN answer;
END
$$;
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
CREATE OR REPLACE FUNCTION choose_daily_words(list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    FOR ahead IN 0..1 LOOP
        CONTINUE WHEN EXISTS (SELECT FROM daily_words WHERE day = today() + ahead);
        INSERT INTO daily_words (day, language, word, salt, commitment)
        SELECT today() + ahead, list_language, word, salt, commitment(salt, word)
        FROM (SELECT words.word, gen_random_uuid() AS salt FROM words
            LEFT JOIN (SELECT language, word, max(day) AS day FROM daily_words WHERE day <= today() + ahead
                GROUP BY language, word) AS held ON held.language = words.language AND held.word = words.word
            WHERE words.language = list_language AND char_length(words.word) = list_letters
                AND is_secret AND retired_at IS NULL
            ORDER BY CASE WHEN held.day >= today() + ahead - 365 THEN held.day END NULLS FIRST, gen_random_uuid()
            LIMIT 1) AS chosen
        ON CONFLICT (day) DO NOTHING;
    END LOOP;
END
$$;
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
CREATE OR REPLACE FUNCTION revoke_session(token bytea, session uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    DELETE FROM sessions
    WHERE user_id = player AND CASE WHEN session IS NULL THEN token_hash = token ELSE id = session END;
    RETURN CASE WHEN NOT FOUND THEN 'not-found' END;
END
$$;
CREATE OR REPLACE FUNCTION list_sessions(token bytea) RETURNS SETOF session_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    RETURN QUERY SELECT CASE WHEN player IS NULL THEN 'unauthorized' END, NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::boolean;
    RETURN QUERY SELECT NULL::text, id, created_at, last_used_at, token_hash = token
        FROM sessions WHERE user_id = player ORDER BY created_at DESC, id;
END
$$;
CREATE OR REPLACE FUNCTION renew_recovery(token bytea, new_recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF octet_length(new_recovery) <> 32 THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE user_id = session_player(token);
    RETURN CASE WHEN NOT FOUND THEN 'unauthorized' END;
END
$$;
CREATE OR REPLACE FUNCTION create_session(recovery bytea, token bytea, session uuid, new_recovery bytea) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text;
    answer player_answer;
BEGIN
    IF octet_length(token) <> 32 OR octet_length(new_recovery) <> 32 THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE recovery_hash = recovery RETURNING user_id INTO player;
    IF NOT FOUND THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, token);
    RETURN show_player(player);
END
$$;
DROP FUNCTION recovered_player(bytea);
DROP FUNCTION next_moment(timestamptz);
CREATE OR REPLACE FUNCTION player_records(player text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_strip_nulls(jsonb_build_object(
        'name', name,
        'statistics', jsonb_build_object('played', played, 'won', won, 'currentStreak', current_streak,
            'longestStreak', longest_streak, 'distribution', distribution),
        'claimed', (SELECT account_id FROM claims WHERE claims.user_id = player),
        'sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'createdAt', show_time(created_at),
            'lastUsedAt', show_time(last_used_at)) ORDER BY created_at), '[]')
            FROM sessions WHERE sessions.user_id = player),
        'games', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'day', day,
            'language', language, 'length', letters, 'guesses', guesses, 'marks', marks,
            'state', CASE WHEN ended_at IS NULL THEN 'playing' WHEN is_won THEN 'won' ELSE 'lost' END,
            'commitment', encode(commitment, 'hex'), 'startedAt', show_time(started_at), 'endedAt', show_time(ended_at),
            'secret', CASE WHEN ended_at IS NOT NULL THEN word END,
            'salt', CASE WHEN ended_at IS NOT NULL THEN replace(salt::text, '-', '') END)) ORDER BY id), '[]')
            FROM judged_games WHERE judged_games.user_id = player),
        'leaderboards', (SELECT coalesce(jsonb_agg(jsonb_build_object('board', board, 'startsOn', starts_on,
            'score', score, 'reachedAt', show_time(reached_at)) ORDER BY board, starts_on), '[]')
            FROM board_entries WHERE board_entries.user_id = player)))
    FROM players WHERE user_id = player
$$;
CREATE OR REPLACE FUNCTION create_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    reserved constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
    new_name text := player_name(coalesce(given_name, 'Player ' || 1000 + floor(random() * 9000)));
    answer player_answer;
    moved users;
BEGIN
    IF player !~ reserved OR octet_length(token) <> 32 OR octet_length(recovery) <> 32 THEN
        RAISE 'a player has a UUID of version 8, and digests of 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
        RETURN answer;
    END IF;
    IF account IS NULL THEN
        PERFORM register_user(player, NULL, NULL);
    ELSE
        LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
        DELETE FROM users WHERE id = account AND account !~ reserved AND strpos(account, E'\t') = 0 RETURNING * INTO moved;
        IF NOT FOUND THEN
            answer.refusal := CASE WHEN EXISTS (SELECT FROM claims WHERE account_id = account) THEN 'claimed'
                ELSE 'claim-refused' END;
            RETURN answer;
        END IF;
        moved.id := player;
        INSERT INTO users SELECT moved.*;
        INSERT INTO claims (account_id, user_id) VALUES (account, player);
        PERFORM move_ledger(account, player, true);
        WITH moved AS (DELETE FROM played_words WHERE user_id = account RETURNING *)
        INSERT INTO played_words (user_id, number, word_id, played_at)
        SELECT player, number, word_id, played_at FROM moved;
    END IF;
    INSERT INTO players (user_id, name, recovery_hash) VALUES (player, new_name, recovery);
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, token);
    RETURN show_player(player);
END
$$;
CREATE OR REPLACE FUNCTION show_player(player text) RETURNS player_answer
LANGUAGE plpgsql STABLE AS $$
DECLARE
    answer player_answer;
BEGIN
    SELECT NULL, id, name, energy, created_at, played, won, current_streak, longest_streak, distribution INTO answer
    FROM players JOIN users ON users.id = user_id WHERE user_id = player;
    RETURN answer;
END
$$;
DROP FUNCTION hold_session(text, bytea);
CREATE FUNCTION hold_session(token bytea) RETURNS timestamptz
LANGUAGE sql AS $$ SELECT last_used_at FROM sessions WHERE token_hash = token FOR KEY SHARE $$;
REVOKE ALL ON FUNCTION hold_session(bytea) FROM PUBLIC;
CREATE OR REPLACE FUNCTION session_player(token bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    player text;
    used_at timestamptz;
BEGIN
    SELECT user_id, last_used_at INTO player, used_at FROM sessions WHERE token_hash = token;
    IF used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE sessions SET last_used_at = date_trunc('hour', now(), 'UTC') WHERE token_hash = token;
    END IF;
    RETURN player;
END
$$;
DROP TABLE board_changes;
DROP TYPE board_change;
CREATE INDEX judged_games_id_idx ON judged_games (id);
ALTER TABLE players DROP CONSTRAINT players_recovery_hash_key, ADD CONSTRAINT players_recovery_hash_key UNIQUE (recovery_hash);
ALTER TABLE sessions DROP CONSTRAINT sessions_token_hash_key, ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);
