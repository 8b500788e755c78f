-- Operators' keys. The database keeps their digests.

-- Whether anybody has a key. Nothing else is answered without a key.
--
-- Called by: the service (the admin page).
CREATE OR REPLACE FUNCTION has_admin_keys() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT EXISTS (SELECT FROM admin_keys WHERE revoked_at IS NULL)
$$;
GRANT EXECUTE ON FUNCTION has_admin_keys() TO juliet_service;

-- Reads the owner of a key, and records once an hour that it was used. It does not wait for locks.
--
-- Called by: admin_may, admin_refused, admin_sign_in, admin_live.
-- Answers: the name; NULL when the key is nobody's or revoked.
CREATE OR REPLACE FUNCTION admin_name(key bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    who text;
    last_used_at timestamptz;
BEGIN
    SELECT name, coalesce(used_at, '-infinity') INTO who, last_used_at
    FROM admin_keys LEFT JOIN admin_key_uses USING (key_hash) WHERE key_hash = sha256(key) AND revoked_at IS NULL;
    IF last_used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE admin_key_uses SET used_at = date_trunc('hour', now(), 'UTC')
        WHERE key_hash = (SELECT key_hash FROM admin_key_uses WHERE key_hash = sha256(key) FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN who;
END
$$;

-- Reads whose key it is, if it has a role: support (players, leagues, challenges, names), words (lists), owner. An
-- owner's key has all of them. Only this function decides what a key may do.
--
-- Called by: many functions: whatever needs a role.
-- Answers: the name; NULL when admin_refused says why.
CREATE OR REPLACE FUNCTION admin_may(key bytea, role text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    who text := admin_name(key);
BEGIN
    RETURN (SELECT who FROM admin_keys WHERE key_hash = sha256(key) AND revoked_at IS NULL
        AND admin_keys.role IN (admin_may.role, 'owner'));
END
$$;

-- Makes an answer that refuses.
CREATE OR REPLACE FUNCTION admin_refusal(why text) RETURNS admin_answer
LANGUAGE sql IMMUTABLE AS 'SELECT ROW(why, NULL)::juliet.admin_answer';

-- Refuses what admin_may does not allow: unauthorized, if the key is unknown; forbidden, if it has another role.
CREATE OR REPLACE FUNCTION admin_refused(key bytea) RETURNS admin_answer
LANGUAGE plpgsql AS $$
BEGIN
    RETURN admin_refusal(CASE WHEN admin_name(key) IS NULL THEN 'unauthorized' ELSE 'forbidden' END);
END
$$;

-- Reads whose key it is, and which role it has.
--
-- Called by: the service (the admin page).
-- Answers: name and role. Refuses: unauthorized, as all that follow; those that need a role refuse others: forbidden.
CREATE OR REPLACE FUNCTION admin_sign_in(key bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_name(key);
BEGIN
    IF who IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    RETURN ROW(NULL, jsonb_build_object('name', who,
        'role', (SELECT role FROM admin_keys WHERE key_hash = sha256(key)))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_sign_in(bytea) TO juliet_service;
