-- What can be asked of the second contract (/v2): one function each, with the rules of 0006. Each takes the SHA-256 of the
-- session's token first and finds out whose it is, so a request is one statement, and a session that is revoked is refused
-- by every node from then on. A call whose token is nobody's answers 'unauthorized'.
--
-- No function that the service may call tells the word or the salt of a running game.
--
-- Locks are taken in this order: the game's row, the player's (players), the player's (users).

-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- A game as it may be shown: word and salt only when it is over.
CREATE TYPE shown_game AS (
    id uuid, day date, language text, letters integer, guesses text, marks text, is_won boolean, commitment bytea,
    started_at timestamptz, ended_at timestamptz, word text, salt uuid
);
CREATE TYPE game_answer AS (refusal text, energy integer, is_replay boolean, is_new boolean, game shown_game);
CREATE TYPE player_answer AS (
    refusal text, id text, name text, energy integer, created_at timestamptz, played integer, won integer,
    current_streak integer, longest_streak integer, distribution integer[]
);
CREATE TYPE session_answer AS (
    refusal text, id uuid, created_at timestamptz, last_used_at timestamptz, is_current boolean
);
CREATE TYPE energy_answer AS (
    refusal text, entry integer, created_at timestamptz, delta integer, balance integer, reason text, game text
);
CREATE TYPE daily_answer AS (
    refusal text, day date, letters integer, commitment bytea, next_commitment bytea, word text, salt uuid,
    figures bigint[], game shown_game
);
CREATE TYPE board_answer AS (
    refusal text, players bigint, rank bigint, name text, score bigint, is_me boolean, is_listed boolean
);

-- Parts of the others ------------------------------------------------------------------------------------------------

-- Whose session it is; NULL: nobody's. Notes the hour.
CREATE FUNCTION session_player(token bytea) RETURNS text
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

-- A player's name in the form it is kept in; NULL when it cannot be one. Which characters may be in it, the service has
-- looked at.
CREATE FUNCTION player_name(given text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    composed text := normalize(given, NFC);
BEGIN
    IF char_length(composed) BETWEEN 1 AND 24 THEN RETURN composed; END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION show_player(player text) RETURNS player_answer
LANGUAGE plpgsql STABLE AS $$
DECLARE
    answer player_answer;
BEGIN
    SELECT NULL, id, name, energy, created_at, played, won, current_streak, longest_streak, distribution INTO answer
    FROM players JOIN users ON users.id = user_id WHERE user_id = player;
    RETURN answer;
END
$$;

CREATE FUNCTION show_game(g judged_games) RETURNS shown_game
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF g.ended_at IS NULL THEN
        RETURN ROW(g.id, g.day, g.language, g.letters, g.guesses, g.marks, false, g.commitment, g.started_at, NULL, NULL,
            NULL)::shown_game;
    END IF;
    RETURN ROW(g.id, g.day, g.language, g.letters, g.guesses, g.marks, g.is_won, g.commitment, g.started_at, g.ended_at,
        g.word, g.salt)::shown_game;
END
$$;

-- The game as it stood after some guesses: what was answered then.
CREATE FUNCTION show_game_after(g judged_games, count integer) RETURNS shown_game
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF count < g.guess_count OR count < maximum_guesses() AND NOT g.is_won THEN
        g.guesses := left(g.guesses, count * g.letters);
        g.marks := left(g.marks, count * g.letters);
        g.ended_at := NULL;
    END IF;
    RETURN show_game(g);
END
$$;

-- Ends a game whose row is locked: statistics, the word played, the win counted, the boards.
CREATE FUNCTION end_game(g judged_games, has_won boolean) RETURNS judged_games
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

-- A guess, counted when the game takes it; guess_number NULL: the next.
CREATE FUNCTION take_guess(token bytea, game uuid, spelled text, guess_number integer) RETURNS game_answer
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

-- What is kept under an operation's name of this contract: the game it was about and how many guesses it had then. Whoever
-- calls it holds the lock on the player's row of users. No row (NULL refusal, game and is_replay): the name is new.
CREATE FUNCTION first_game_answer(player text, operation text, request bigint) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    g judged_games;
    kept energy_ledger;
    answer game_answer;
BEGIN
    PERFORM check_operation(operation, request);
    SELECT * INTO kept FROM energy_ledger WHERE user_id = player AND operation_id = operation;
    IF NOT FOUND THEN RETURN answer; END IF;
    IF kept.operation_request IS DISTINCT FROM request THEN
        answer.refusal := 'operation-reused';
        RETURN answer;
    END IF;
    answer.refusal := kept.refusal;
    answer.energy := kept.balance_after;
    answer.is_replay := true;
    answer.is_new := true;
    IF kept.reference IS NOT NULL THEN
        SELECT * INTO STRICT g FROM judged_games WHERE user_id = player AND id = kept.reference::uuid;
        -- Other refusals show no game, or one that is over.
        answer.game := CASE WHEN coalesce(kept.refusal, 'game-unfinished') = 'game-unfinished'
            THEN show_game_after(g, coalesce(kept.wins, 0)) ELSE show_game(g) END;
    END IF;
    RETURN answer;
END
$$;

-- Keeps an answer about a game under the operation's name. Whoever calls it holds the lock, and has found the name new.
CREATE FUNCTION keep_game_answer(
    player text, operation text, request bigint, why text, game uuid, guess_count integer
) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO energy_ledger (
        user_id, operation_id, delta, balance_after, reference, operation_request, refusal, wins)
    SELECT id, operation, 0, energy, game::text, request, why, guess_count FROM users WHERE id = player
$$;

-- Moves a ledger to another name: rows are written anew, since a spread-out database keys them by that name. What clients
-- named their operations stays or goes. Returns the number of entries.
CREATE FUNCTION move_ledger(old_name text, new_name text, keeps_operations boolean) RETURNS bigint
LANGUAGE sql AS $$
    WITH moved AS (DELETE FROM energy_ledger WHERE user_id = old_name RETURNING *),
    kept AS (
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference,
            operation_request, refusal, wins, created_at)
        SELECT new_name, CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END, entry, delta,
            balance_after, reason, reference, CASE WHEN keeps_operations THEN operation_request END, refusal, wins, created_at
        FROM moved WHERE keeps_operations OR entry IS NOT NULL RETURNING entry),
    moved_archive AS (DELETE FROM energy_ledger_archive WHERE user_id = old_name RETURNING *),
    kept_archive AS (
        INSERT INTO energy_ledger_archive (user_id, entry, delta, balance_after, reason, reference, operation_id,
            operation_request, created_at)
        SELECT new_name, entry, delta, balance_after, reason, reference,
            CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END,
            CASE WHEN keeps_operations THEN operation_request END, created_at
        FROM moved_archive RETURNING entry),
    moved_checkpoints AS (DELETE FROM energy_checkpoints WHERE user_id = old_name RETURNING *),
    kept_checkpoints AS (
        INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, created_at)
        SELECT new_name, begins, entry, balance, seal, file_id, created_at FROM moved_checkpoints)
    SELECT (SELECT count(entry) FROM kept) + (SELECT count(*) FROM kept_archive)
$$;

-- Deletes a player: what is known of them goes, their ledger goes on under a name that leads back to nobody, a past day's
-- figures stay. Returns the numbers of entries and of played words; NULL for an unknown player.
CREATE FUNCTION delete_user(player text, pseudonym text) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    entry board_entries;
    words_deleted bigint;
BEGIN
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
    DELETE FROM claims WHERE user_id = player;
    DELETE FROM played_words WHERE user_id = player;
    GET DIAGNOSTICS words_deleted = ROW_COUNT;
    RETURN ARRAY[move_ledger(player, pseudonym, false), words_deleted];
END
$$;

CREATE FUNCTION show_time(at timestamptz) RETURNS text
LANGUAGE sql STABLE AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- Everything kept about a player of this contract that players of the app have none of; NULL for those.
CREATE FUNCTION player_records(player text) RETURNS jsonb
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

-- Players and sessions ------------------------------------------------------------------------------------------------

-- As in 0006, but for one who was claimed: their account id is not free again.
CREATE OR REPLACE FUNCTION register_user(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    digest bigint := energy_entry_digest(starting_energy(), 'registration', NULL, now());
BEGIN
    IF char_length(player) NOT BETWEEN 1 AND 128 OR player ~ '[[:cntrl:]]' THEN
        RAISE 'an account id has 1 to 128 printable characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF operation IS NOT NULL THEN PERFORM check_operation(operation, request); END IF;
    WITH created AS (
        INSERT INTO users (id, energy, ledger_entry, ledger_seal)
        SELECT player, starting_energy(), 1, energy_entry_seal(0, 0, digest)
        WHERE NOT EXISTS (SELECT FROM claims WHERE account_id = player)
        ON CONFLICT (id) DO NOTHING RETURNING id)
    INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, operation_request)
    SELECT id, coalesce(operation, 'entry 1'), 1, starting_energy(), starting_energy(), 'registration', request FROM created;
    IF FOUND THEN RETURN ROW(NULL, starting_energy(), 0, NULL, NULL)::operation_answer; END IF;
    SELECT energy, wins INTO answer.energy, answer.wins FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        IF EXISTS (SELECT FROM claims WHERE account_id = player) THEN
            RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer;
        END IF;
        -- Deleted in this moment: so they register anew.
        RETURN register_user(player, operation, request);
    END IF;
    RETURN keep_answer(player, operation, request, answer);
END
$$;

-- Under which id a player of the app goes on who was claimed; NULL: not claimed.
CREATE FUNCTION claimed_user(account text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
AS 'SELECT user_id FROM claims WHERE account_id = account';

-- Makes a player with a session; of a player of the app, when an account is claimed. given_name NULL: one is made.
-- Refused: name-refused, claimed, claim-refused (no such account).
CREATE FUNCTION create_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    reserved constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
    new_name text := player_name(coalesce(given_name, 'Player ' || 1000 + floor(random() * 9000)));
    answer player_answer;
    moved integer;
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
        UPDATE users SET id = player WHERE id = account AND account !~ reserved AND strpos(account, E'\t') = 0;
        IF NOT FOUND THEN
            answer.refusal := CASE WHEN EXISTS (SELECT FROM claims WHERE account_id = account) THEN 'claimed'
                ELSE 'claim-refused' END;
            RETURN answer;
        END IF;
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

-- Another session, for a recovery code, which is used up: a new one takes its place. Refused: unauthorized.
CREATE FUNCTION create_session(recovery bytea, token bytea, session uuid, new_recovery bytea) RETURNS player_answer
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

-- Another recovery code; the old one ends. Returns a refusal or NULL.
CREATE FUNCTION renew_recovery(token bytea, new_recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF octet_length(new_recovery) <> 32 THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE user_id = session_player(token);
    RETURN CASE WHEN NOT FOUND THEN 'unauthorized' END;
END
$$;

-- The player's sessions, newest first, after a row that says whether it was allowed.
CREATE FUNCTION list_sessions(token bytea) RETURNS SETOF session_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    RETURN QUERY SELECT CASE WHEN player IS NULL THEN 'unauthorized' END, NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::boolean;
    RETURN QUERY SELECT NULL::text, id, created_at, last_used_at, token_hash = token
        FROM sessions WHERE user_id = player ORDER BY created_at DESC, id;
END
$$;

-- Ends a session; NULL: the one that asks. Returns a refusal (unauthorized, not-found) or NULL.
CREATE FUNCTION revoke_session(token bytea, session uuid) RETURNS text
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

CREATE FUNCTION read_player(token bytea) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer player_answer := show_player(session_player(token));
BEGIN
    IF answer.id IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;

-- Gives the player another name; NULL changes nothing. Refused: name-refused.
CREATE FUNCTION rename_player(token bytea, given_name text) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    answer player_answer;
BEGIN
    IF player IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    IF given_name IS NOT NULL AND player_name(given_name) IS NULL THEN
        answer.refusal := 'name-refused';
        RETURN answer;
    END IF;
    UPDATE players SET name = player_name(given_name) WHERE user_id = player AND given_name IS NOT NULL;
    RETURN show_player(player);
END
$$;

-- The changes of the balance before an entry, newest first, after a row that says whether it was allowed.
CREATE FUNCTION list_energy(token bytea, before_entry integer, most integer) RETURNS SETOF energy_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    RETURN QUERY SELECT CASE WHEN player IS NULL THEN 'unauthorized' END, NULL::integer, NULL::timestamptz,
        NULL::integer, NULL::integer, NULL::text, NULL::text;
    RETURN QUERY SELECT NULL::text, entry, created_at, delta, balance_after, reason::text,
            CASE WHEN reason = 'game' AND char_length(reference) = 36 THEN reference END
        FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                WHERE user_id = player AND entry IS NOT NULL
            UNION ALL
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                WHERE user_id = player) AS entries
        WHERE entry < coalesce(before_entry, 2147483647) ORDER BY entry DESC LIMIT most;
END
$$;

-- Everything kept about the player, as JSON; NULL: the token is nobody's.
CREATE FUNCTION export_player(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    RETURN (SELECT (jsonb_build_object(
        'id', id, 'createdAt', show_time(created_at), 'energy', energy, 'wins', wins,
        'energyLedger', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry,
            'at', show_time(entries.created_at), 'delta', delta, 'balance', balance_after, 'reason', reason,
            'reference', reference)) ORDER BY entry), '[]')
            FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                    WHERE user_id = player AND entry IS NOT NULL
                UNION ALL
                SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                    WHERE user_id = player) AS entries),
        'idempotencyKeys', (SELECT coalesce(jsonb_agg(jsonb_build_object('key', operation_id,
            'at', show_time(energy_ledger.created_at)) ORDER BY energy_ledger.created_at, operation_id), '[]')
            FROM energy_ledger WHERE user_id = player AND operation_request IS NOT NULL),
        'playedWords', (SELECT coalesce(jsonb_agg(jsonb_build_object('word', word, 'language', language,
            'at', show_time(played_at)) ORDER BY number), '[]')
            FROM played_words JOIN words ON words.id = word_id WHERE user_id = player)
        ) || coalesce(player_records(player), '{}'))::text
        FROM users WHERE id = player);
END
$$;

-- Deletes the player. Returns a refusal or NULL.
CREATE FUNCTION delete_player(token bytea, pseudonym text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    RETURN CASE WHEN delete_user(session_player(token), pseudonym) IS NULL THEN 'unauthorized' END;
END
$$;

-- Games ---------------------------------------------------------------------------------------------------------------

-- Pays for a game and deals a word. Refused: game-unfinished, energy-insufficient, and no-words, which is not remembered.
CREATE FUNCTION start_judged_game(
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

-- Refused: not-found.
CREATE FUNCTION read_game(token bytea, game uuid) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game;
    IF FOUND THEN answer.game := show_game(g);
    ELSE answer.refusal := CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END;
    END IF;
    RETURN answer;
END
$$;

-- The player's games before one, newest first, after a row that says whether it was allowed. wanted_state: playing, won,
-- lost; NULL: all.
CREATE FUNCTION list_games(token bytea, before_game uuid, most integer, wanted_state text) RETURNS SETOF game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    IF player IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN NEXT answer;
    FOR g IN SELECT * FROM judged_games
        WHERE user_id = player AND id < coalesce(before_game, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            AND (wanted_state IS NULL OR wanted_state
                = CASE WHEN ended_at IS NULL THEN 'playing' WHEN is_won THEN 'won' ELSE 'lost' END)
        ORDER BY id DESC LIMIT most
    LOOP
        answer.game := show_game(g);
        RETURN NEXT answer;
    END LOOP;
END
$$;

-- A guess, in lower case. guess_number NULL: the next; then, and only then, an operation's name is remembered. Refused:
-- not-found, guess-taken, game-over, guess-early, word-unknown, in this order.
CREATE FUNCTION guess(
    token bytea, game uuid, spelled text, guess_number integer, operation text, request bigint
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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

-- Gives a game up: it is lost, unless it is over. Refused: not-found.
CREATE FUNCTION resign_game(token bytea, game uuid) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
    IF g.ended_at IS NULL THEN g := end_game(g, false); END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;

-- The day -------------------------------------------------------------------------------------------------------------

-- Sees to it that today and tomorrow have a word: a secret of the list that was no day's in the 365 days before, or else,
-- when the list is that short, the one whose day is longest ago.
CREATE FUNCTION choose_daily_words(list_language text, list_letters integer) RETURNS void
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

-- Today, and the player's game of it; token NULL: nobody's. Refused: unauthorized, no-words.
CREATE FUNCTION read_today(token bytea, list_language text, list_letters integer) RETURNS daily_answer
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
    FOR attempt IN 1..2 LOOP
        SELECT chosen.day, char_length(chosen.word), chosen.commitment, next.commitment
        INTO answer.day, answer.letters, answer.commitment, answer.next_commitment
        FROM daily_words AS chosen JOIN daily_words AS next ON next.day = chosen.day + 1 WHERE chosen.day = today();
        EXIT WHEN FOUND;
        PERFORM choose_daily_words(list_language, list_letters);
    END LOOP;
    IF answer.day IS NULL THEN
        answer.refusal := 'no-words';
        RETURN answer;
    END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = answer.day;
    IF FOUND THEN answer.game := show_game(g); END IF;
    RETURN answer;
END
$$;

-- A day that is over: its word, and how many needed how many guesses (the seventh number: who lost). Refused:
-- unauthorized, not-found.
CREATE FUNCTION read_past_day(token bytea, wanted date) RETURNS daily_answer
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

-- Begins the day's game, free, or shows it. Refused: unauthorized, no-words.
CREATE FUNCTION start_daily_game(token bytea, list_language text, list_letters integer) RETURNS game_answer
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

-- Leaderboards --------------------------------------------------------------------------------------------------------

-- A page of a board: a row that says whether it was allowed and how many players there are; the entries, from the first
-- on or around the player's; and the player's own again (is_listed false). wanted: the day, of the day's board alone.
-- Refused: unauthorized, not-found.
CREATE FUNCTION read_board(token bytea, which board, wanted date, most integer, is_around boolean) RETURNS SETOF board_answer
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

REVOKE ALL ON FUNCTION session_player(bytea), player_name(text), show_player(text), show_game(judged_games),
    show_game_after(judged_games, integer), end_game(judged_games, boolean), take_guess(bytea, uuid, text, integer),
    first_game_answer(text, text, bigint), keep_game_answer(text, text, bigint, text, uuid, integer),
    move_ledger(text, text, boolean), delete_user(text, text), player_records(text), show_time(timestamptz),
    claimed_user(text), create_player(text, text, text, bytea, uuid, bytea), create_session(bytea, bytea, uuid, bytea),
    renew_recovery(bytea, bytea), list_sessions(bytea), revoke_session(bytea, uuid), read_player(bytea),
    rename_player(bytea, text), list_energy(bytea, integer, integer), export_player(bytea), delete_player(bytea, text),
    start_judged_game(bytea, text, integer, text, bigint), read_game(bytea, uuid), list_games(bytea, uuid, integer, text),
    guess(bytea, uuid, text, integer, text, bigint), resign_game(bytea, uuid), choose_daily_words(text, integer),
    read_today(bytea, text, integer), read_past_day(bytea, date), start_daily_game(bytea, text, integer),
    read_board(bytea, board, date, integer, boolean) FROM PUBLIC;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
DROP FUNCTION read_board(bytea, board, date, integer, boolean);
DROP FUNCTION start_daily_game(bytea, text, integer);
DROP FUNCTION read_past_day(bytea, date);
DROP FUNCTION read_today(bytea, text, integer);
DROP FUNCTION choose_daily_words(text, integer);
DROP FUNCTION resign_game(bytea, uuid);
DROP FUNCTION guess(bytea, uuid, text, integer, text, bigint);
DROP FUNCTION list_games(bytea, uuid, integer, text);
DROP FUNCTION read_game(bytea, uuid);
DROP FUNCTION start_judged_game(bytea, text, integer, text, bigint);
DROP FUNCTION delete_player(bytea, text);
DROP FUNCTION export_player(bytea);
DROP FUNCTION list_energy(bytea, integer, integer);
DROP FUNCTION rename_player(bytea, text);
DROP FUNCTION read_player(bytea);
DROP FUNCTION revoke_session(bytea, uuid);
DROP FUNCTION list_sessions(bytea);
DROP FUNCTION renew_recovery(bytea, bytea);
DROP FUNCTION create_session(bytea, bytea, uuid, bytea);
DROP FUNCTION create_player(text, text, text, bytea, uuid, bytea);
DROP FUNCTION claimed_user(text);
CREATE OR REPLACE FUNCTION register_user(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    digest bigint := energy_entry_digest(starting_energy(), 'registration', NULL, now());
BEGIN
    IF char_length(player) NOT BETWEEN 1 AND 128 OR player ~ '[[:cntrl:]]' THEN
        RAISE 'an account id has 1 to 128 printable characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF operation IS NOT NULL THEN PERFORM check_operation(operation, request); END IF;
    WITH created AS (
        INSERT INTO users (id, energy, ledger_entry, ledger_seal)
        VALUES (player, starting_energy(), 1, energy_entry_seal(0, 0, digest))
        ON CONFLICT (id) DO NOTHING RETURNING id)
    INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, operation_request)
    SELECT id, coalesce(operation, 'entry 1'), 1, starting_energy(), starting_energy(), 'registration', request FROM created;
    IF FOUND THEN RETURN ROW(NULL, starting_energy(), 0, NULL, NULL)::operation_answer; END IF;
    SELECT energy, wins INTO answer.energy, answer.wins FROM users WHERE id = player FOR NO KEY UPDATE;
    -- Deleted in this moment: so they register anew.
    IF NOT FOUND THEN RETURN register_user(player, operation, request); END IF;
    RETURN keep_answer(player, operation, request, answer);
END
$$;
DROP FUNCTION player_records(text);
DROP FUNCTION show_time(timestamptz);
DROP FUNCTION delete_user(text, text);
DROP FUNCTION move_ledger(text, text, boolean);
DROP FUNCTION keep_game_answer(text, text, bigint, text, uuid, integer);
DROP FUNCTION first_game_answer(text, text, bigint);
DROP FUNCTION take_guess(bytea, uuid, text, integer);
DROP FUNCTION end_game(judged_games, boolean);
DROP FUNCTION show_game_after(judged_games, integer);
DROP FUNCTION show_game(judged_games);
DROP FUNCTION show_player(text);
DROP FUNCTION player_name(text);
DROP FUNCTION session_player(bytea);
DROP TYPE board_answer;
DROP TYPE daily_answer;
DROP TYPE energy_answer;
DROP TYPE session_answer;
DROP TYPE player_answer;
DROP TYPE game_answer;
DROP TYPE shown_game;
