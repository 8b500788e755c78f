-- Operators' keys, and the sessions that they open. The database keeps the digests of both.

-- Whether anybody has a key. Nothing else is answered without a session.
--
-- Called by: the service (the admin page).
CREATE OR REPLACE FUNCTION has_admin_keys() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT EXISTS (SELECT FROM admin_keys WHERE revoked_at IS NULL)
$$;
GRANT EXECUTE ON FUNCTION has_admin_keys() TO juliet_service;

-- Reads whose session it is, and records once an hour that the key is used. It does not wait for locks.
--
-- A transaction that is held open keeps neither an old clock nor an old snapshot: a session that is over, or whose key
-- is revoked, does nothing from then on.
--
-- Called by: admin_may, admin_refused, admin_show_session.
-- Answers: the key's name; NULL when the session is nobody's or over, or its key is revoked.
CREATE OR REPLACE FUNCTION admin_name(session bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text;
    its_key bytea;
    last_used_at timestamptz;
BEGIN
    SELECT name, key_hash, coalesce(used_at, '-infinity') INTO who, its_key, last_used_at
    FROM admin_sessions JOIN admin_keys USING (key_hash) LEFT JOIN admin_key_uses USING (key_hash)
    WHERE session_hash = sha256(session) AND ends_at > clock_timestamp() AND revoked_at IS NULL;
    IF last_used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE admin_key_uses SET used_at = date_trunc('hour', now(), 'UTC')
        WHERE key_hash = (SELECT key_hash FROM admin_key_uses WHERE key_hash = its_key FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN who;
END
$$;

-- Reads whose session it is, if the key has a role: support (players, leagues, challenges, names, what goes on), words
-- (lists), owner. An owner's key has all of them. Only this function decides what a key may do.
--
-- Called by: many functions: whatever needs a role.
-- Answers: the name; NULL when admin_refused says why.
CREATE OR REPLACE FUNCTION admin_may(session bytea, role text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    who text := admin_name(session);
BEGIN
    RETURN (SELECT who FROM admin_sessions JOIN admin_keys USING (key_hash)
        WHERE session_hash = sha256(session) AND admin_keys.role IN (admin_may.role, 'owner'));
END
$$;

-- Makes an answer that refuses.
CREATE OR REPLACE FUNCTION admin_refusal(why text) RETURNS admin_answer
LANGUAGE sql IMMUTABLE AS 'SELECT ROW(why, NULL)::juliet.admin_answer';

-- Refuses what admin_may does not allow: unauthorized, if the session is unknown or over; forbidden, if its key has
-- another role.
CREATE OR REPLACE FUNCTION admin_refused(session bytea) RETURNS admin_answer
LANGUAGE plpgsql AS $$
BEGIN
    RETURN admin_refusal(CASE WHEN admin_name(session) IS NULL THEN 'unauthorized' ELSE 'forbidden' END);
END
$$;

-- Opens a session with a key, and forgets sessions that are over. It ends after twelve hours, when it is ended
-- (admin_sign_out), or when the key is revoked.
--
-- Called by: the service (the admin page).
-- Locks: the session's row, and those that it deletes. It leaves out rows that others hold.
-- Answers: as admin_show_session. Refuses: unauthorized, if the key is unknown or revoked.
CREATE OR REPLACE FUNCTION admin_sign_in(key bytea, session bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    its_key bytea;
BEGIN
    IF (octet_length(session) = 32) IS NOT TRUE THEN
        RAISE 'a session is a digest of 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT key_hash INTO its_key FROM admin_keys WHERE key_hash = sha256(key) AND revoked_at IS NULL;
    IF NOT FOUND THEN RETURN admin_refusal('unauthorized'); END IF;
    DELETE FROM admin_sessions WHERE session_hash IN (
        SELECT session_hash FROM admin_sessions WHERE ends_at < now() FOR UPDATE SKIP LOCKED);
    -- Whoever knows a session has it already: it stays whose it is, and ends when it did.
    INSERT INTO admin_sessions (session_hash, key_hash, ends_at)
    VALUES (sha256(session), its_key, clock_timestamp() + interval '12 hours') ON CONFLICT DO NOTHING;
    RETURN admin_show_session(session, NULL);
END
$$;
GRANT EXECUTE ON FUNCTION admin_sign_in(bytea, bytea) TO juliet_service;

-- Reads whose session it is, and which role the key has.
--
-- Called by: admin_sign_in, the service (the admin page).
-- Answers: name and role. Refuses: unauthorized, as all that follow; forbidden, if the key has not the role that is
-- needed (NULL: any), as those that need one.
CREATE OR REPLACE FUNCTION admin_show_session(session bytea, needed text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_name(session);
BEGIN
    IF who IS NULL OR needed IS NOT NULL AND admin_may(session, needed) IS NULL THEN
        RETURN admin_refused(session);
    END IF;
    RETURN ROW(NULL, jsonb_build_object('name', who, 'role', (SELECT role FROM admin_sessions JOIN admin_keys
        USING (key_hash) WHERE session_hash = sha256(session)))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_show_session(bytea, text) TO juliet_service;

-- Ends a session.
--
-- Called by: the service (the admin page).
-- Locks: the session's row.
-- Refuses: unauthorized, if it is over already.
CREATE OR REPLACE FUNCTION admin_sign_out(session bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    DELETE FROM admin_sessions WHERE session_hash = sha256(session);
    IF NOT FOUND THEN RETURN admin_refusal('unauthorized'); END IF;
    RETURN ROW(NULL, '{}')::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_sign_out(bytea) TO juliet_service;
