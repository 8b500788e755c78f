-- A token opens a session. Functions get it as a digest of 32 bytes and, after it, the id of its player, so that the
-- session is looked up among the rows of that player alone. What is stored is a digest of that digest: so nobody opens
-- a session with what a dump has, by a function either. Recovery codes and operators' keys are stored in the same way.

-- The stored digest of a session, by its token. token: as functions get it, or NULL.
--
-- Called by: many functions: whatever looks a session up, or opens one.
CREATE OR REPLACE FUNCTION session_digest(token bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE AS 'SELECT sha256(substr(token, 1, 32))';

-- The player whom a token names, as functions get it, whether or not there is such a session; NULL: token is NULL.
--
-- Called by: many functions: whatever gets a token and does not leave it to session_player.
CREATE OR REPLACE FUNCTION token_player(token bytea) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT encode(substr(token, 33), 'escape') $$;

-- Reads the player of a session. It records once an hour that the session was used, but does not wait for locks.
--
-- Called by: many functions: whatever gets a token.
-- Answers: the player; NULL when the session is unknown or token is NULL.
CREATE OR REPLACE FUNCTION session_player(token bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    token_digest bytea := session_digest(token);
    player text := token_player(token);
    used_at timestamptz;
BEGIN
    IF token IS NULL THEN RETURN NULL; END IF;
    SELECT last_used_at INTO used_at FROM sessions WHERE user_id = player AND token_hash = token_digest;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        PERFORM FROM sessions WHERE user_id = player AND token_hash = token_digest FOR NO KEY UPDATE SKIP LOCKED;
        IF FOUND THEN
            UPDATE sessions SET last_used_at = date_trunc('hour', now(), 'UTC')
            WHERE user_id = player AND token_hash = token_digest;
        END IF;
    END IF;
    RETURN player;
END
$$;

-- Keeps a session from ending until the transaction ends.
--
-- Called by: start_judged_game, start_daily_game, start_archive_game, start_challenge_game, take_guess (which write the
-- session into the game's row), create_challenge, merge_players, take_refill.
-- Locks: the session's row, shared.
-- Answers: when the session was last noted to be used; NULL when there is no such session.
CREATE OR REPLACE FUNCTION hold_session(player text, token_digest bytea) RETURNS timestamptz
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT last_used_at FROM sessions WHERE user_id = player AND token_hash = token_digest FOR KEY SHARE);
END
$$;

-- Makes games forget a session that ends, in the same transaction: a guess does not look its session up.
CREATE OR REPLACE FUNCTION forget_session() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE juliet.judged_games SET session_hash = NULL, session_seen_at = NULL
    WHERE user_id = OLD.user_id AND session_hash = OLD.token_hash;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER sessions_games_guard AFTER DELETE ON sessions
    FOR EACH ROW EXECUTE FUNCTION forget_session();

-- Lists the player's sessions, newest first.
--
-- Called by: the service (GET /v2/sessions).
-- Answers: a first row that has the refusal or NULL, then a row a session. Refuses: unauthorized.
CREATE OR REPLACE FUNCTION list_sessions(token bytea) RETURNS SETOF session_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    answer session_answer;
BEGIN
    IF player IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN NEXT answer;
    RETURN QUERY SELECT NULL::text, id, created_at, last_used_at, token_hash = token_digest, opened_by
        FROM sessions WHERE user_id = player ORDER BY created_at DESC, id;
END
$$;
GRANT EXECUTE ON FUNCTION list_sessions(bytea) TO juliet_service;

-- Ends sessions of a player.
--
-- The caller reads the ids first: on several servers an expression that reads a table runs where the table is, and a
-- function in it too, which finds no other table there.
--
-- Called by: revoke_session, end_other_sessions, make_room_for_session, take_ways.
-- Locks: the player's running games, as a guess does before it looks at the session; then the sessions' rows.
-- Answers: how many have ended.
CREATE OR REPLACE FUNCTION end_sessions(player text, ended uuid[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    games_held bigint;
    sessions_ended bigint;
BEGIN
    LOOP
        PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE;
        BEGIN
            PERFORM FROM sessions WHERE user_id = player AND id = ANY (ended) ORDER BY id FOR UPDATE;
            -- A game that began meanwhile may be held by a guess that waits for a session. Undone, this waits for it.
            PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL FOR NO KEY UPDATE SKIP LOCKED;
            GET DIAGNOSTICS games_held = ROW_COUNT;
            IF games_held < (SELECT count(*) FROM judged_games WHERE user_id = player AND ended_at IS NULL) THEN
                RAISE object_in_use;
            END IF;
            DELETE FROM sessions WHERE user_id = player AND id = ANY (ended);
            GET DIAGNOSTICS sessions_ended = ROW_COUNT;
            RETURN sessions_ended;
        EXCEPTION
            WHEN object_in_use THEN NULL;
        END;
    END LOOP;
END
$$;

-- Ends the sessions of a player that were used the longest ago, so that one more can be opened.
--
-- Called by: create_session, open_passkey_session, open_identity_session, before they lock the player's row: a guess
-- locks the game first.
-- Locks: as end_sessions, if there are too many.
CREATE OR REPLACE FUNCTION make_room_for_session(player text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    kept integer := maximum_sessions() - 1;
    ended uuid[] := ARRAY(
        SELECT id FROM sessions WHERE user_id = player
        ORDER BY last_used_at DESC, created_at DESC, id DESC OFFSET kept);
BEGIN
    IF cardinality(ended) > 0 THEN PERFORM end_sessions(player, ended); END IF;
END
$$;

-- Ends a session. session NULL: the calling one.
--
-- Called by: the service (DELETE /v2/sessions/{id}).
-- Locks: as end_sessions.
-- Answers: NULL, or a refusal: unauthorized, not-found.
CREATE OR REPLACE FUNCTION revoke_session(token bytea, session uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    chosen uuid[];
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    chosen := ARRAY(
        SELECT id FROM sessions
        WHERE user_id = player AND CASE WHEN session IS NULL THEN token_hash = token_digest ELSE id = session END);
    RETURN CASE WHEN end_sessions(player, chosen) = 0 THEN 'not-found' END;
END
$$;
GRANT EXECUTE ON FUNCTION revoke_session(bytea, uuid) TO juliet_service;

-- Ends all sessions of the player except the calling one.
--
-- Called by: the service (DELETE /v2/sessions).
-- Locks: as end_sessions.
-- Answers: NULL, or a refusal: unauthorized.
CREATE OR REPLACE FUNCTION end_other_sessions(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    others uuid[];
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    others := ARRAY(SELECT id FROM sessions WHERE user_id = player AND token_hash <> token_digest);
    PERFORM end_sessions(player, others);
    RETURN NULL;
END
$$;
GRANT EXECUTE ON FUNCTION end_other_sessions(bytea) TO juliet_service;
