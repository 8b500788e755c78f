-- Passkeys (WebAuthn). The service verifies what authenticators sign; here are the data that it needs for that, and
-- the decisions that need a transaction.

-- Reads what is needed to ask for a new passkey of the player.
--
-- Called by: the service (POST /v2/passkeys/options, and to verify the answer).
-- Refuses: unauthorized, too-many.
CREATE OR REPLACE FUNCTION read_passkey_options(token bytea) RETURNS passkey_options
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer passkey_options;
BEGIN
    answer.player := session_player(token);
    IF answer.player IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT players.name INTO answer.name FROM players WHERE user_id = answer.player;
    answer.credentials := ARRAY(
        SELECT credential_id FROM passkeys WHERE user_id = answer.player ORDER BY created_at, id);
    IF cardinality(answer.credentials) >= maximum_passkeys() THEN answer.refusal := 'too-many'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_passkey_options(bytea) TO juliet_service;

-- Stores a passkey whose registration the service has verified. given_name NULL: its name is Passkey.
--
-- Called by: the service (POST /v2/passkeys).
-- Locks: the player's row of players; the challenge.
-- Refuses, in this order: unauthorized; passkey-refused with the reason challenge or known, which uses the challenge
-- up; name-refused, too-many, which do not.
CREATE OR REPLACE FUNCTION register_passkey(
    token bytea, challenge bytea, passkey uuid, credential bytea, its_key bytea, signatures bigint,
    may_be_synced boolean, synced boolean, given_name text
) RETURNS passkey_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    new_name text := CASE WHEN given_name IS NULL THEN 'Passkey' ELSE public_text(given_name, 40) END;
    answer passkey_answer;
BEGIN
    IF (passkey IS NOT NULL AND octet_length(credential) BETWEEN 1 AND 1023
        AND octet_length(its_key) BETWEEN 1 AND 1024 AND signatures BETWEEN 0 AND 4294967295
        AND synced <= may_be_synced) IS NOT TRUE
    THEN
        RAISE 'this is no passkey' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT hold_player(player) THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF NOT use_nonce(challenge) THEN
        answer.refusal := 'passkey-refused';
        answer.reason := 'challenge';
        RETURN answer;
    END IF;
    IF EXISTS (SELECT FROM passkeys WHERE credential_id = credential) THEN
        answer.refusal := 'passkey-refused';
        answer.reason := 'known';
        RETURN answer;
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
    ELSIF (SELECT count(*) FROM passkeys WHERE user_id = player) >= maximum_passkeys() THEN
        answer.refusal := 'too-many';
    END IF;
    IF answer.refusal IS NOT NULL THEN
        PERFORM give_nonce_back(challenge);
        RETURN answer;
    END IF;
    INSERT INTO passkeys (user_id, id, credential_id, user_handle, public_key, sign_count, is_backup_eligible,
        is_backed_up, name)
    VALUES (player, passkey, credential, decode(replace(player, '-', ''), 'hex'), its_key, signatures, may_be_synced,
        synced, new_name)
    ON CONFLICT (credential_id) DO NOTHING;
    -- Somebody else has registered it in the meantime.
    IF NOT FOUND THEN
        answer.refusal := 'passkey-refused';
        answer.reason := 'known';
        RETURN answer;
    END IF;
    SELECT NULL, NULL, id, credential_id, name, created_at, last_used_at, is_backed_up INTO answer
    FROM passkeys WHERE user_id = player AND id = passkey;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION register_passkey(bytea, bytea, uuid, bytea, bytea, bigint, boolean, boolean, text)
    TO juliet_service;

-- Lists the player's passkeys, newest first.
--
-- Called by: the service (GET /v2/passkeys).
-- Answers: a first row that has the refusal or NULL, then a row a passkey. Refuses: unauthorized.
CREATE OR REPLACE FUNCTION list_passkeys(token bytea) RETURNS SETOF passkey_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer passkey_answer;
BEGIN
    IF player IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN NEXT answer;
    RETURN QUERY SELECT NULL::text, NULL::text, id, credential_id, name, created_at, last_used_at, is_backed_up
        FROM passkeys WHERE user_id = player ORDER BY created_at DESC, id;
END
$$;
GRANT EXECUTE ON FUNCTION list_passkeys(bytea) TO juliet_service;

-- Deletes a passkey of the player. The sessions that it opened stay open.
--
-- Called by: the service (DELETE /v2/passkeys/{id}).
-- Answers: NULL, or a refusal: unauthorized, not-found.
CREATE OR REPLACE FUNCTION delete_passkey(token bytea, passkey uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    DELETE FROM passkeys WHERE user_id = player AND id = passkey;
    RETURN CASE WHEN NOT FOUND THEN 'not-found' END;
END
$$;
GRANT EXECUTE ON FUNCTION delete_passkey(bytea, uuid) TO juliet_service;

-- Reads a passkey by its credential id.
--
-- Called by: the service (POST /v2/sessions), to verify what the passkey has signed, and to make a token that names the
-- player.
-- Answers: a row of NULLs when there is none.
CREATE OR REPLACE FUNCTION find_passkey(credential bytea) RETURNS passkey_record
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    found_one passkey_record;
BEGIN
    SELECT user_id, user_handle, public_key, sign_count, is_backup_eligible INTO found_one
    FROM passkeys WHERE credential_id = credential;
    RETURN found_one;
END
$$;
GRANT EXECUTE ON FUNCTION find_passkey(bytea) TO juliet_service;

-- Records the use of a passkey, if its counter has grown; without a counter, both are 0.
--
-- Called by: open_passkey_session, merge_by_passkey.
-- Locks: the passkey's row.
-- Answers: whether the player has it, and its counter has grown.
CREATE OR REPLACE FUNCTION use_passkey(player text, credential bytea, signatures bigint, synced boolean) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE passkeys SET sign_count = signatures, is_backed_up = synced AND is_backup_eligible,
        last_used_at = date_trunc('hour', now(), 'UTC')
    WHERE credential_id = credential AND user_id = player
        AND (sign_count < signatures OR sign_count = 0 AND signatures = 0);
    RETURN FOUND;
END
$$;

-- Opens a session for what a passkey has signed, which the service has verified. The token names the player.
--
-- Called by: the service (POST /v2/sessions).
-- Locks: the challenge; then as make_room_for_session; the player's row of players, shared; the passkey's row.
-- Answers: the player. Refuses: unauthorized, when the challenge was used, or the player no longer has the passkey,
-- or its counter has not grown.
CREATE OR REPLACE FUNCTION open_passkey_session(
    token bytea, session uuid, challenge bytea, credential bytea, signatures bigint, synced boolean
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := token_player(token);
    answer player_answer;
BEGIN
    IF (octet_length(token) = 68 AND session IS NOT NULL AND signatures BETWEEN 0 AND 4294967295
        AND synced IS NOT NULL) IS NOT TRUE
    THEN
        RAISE 'a token of a player has 68 bytes, a session an id, and a counter 32 bits'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT use_nonce(challenge) THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF EXISTS (SELECT FROM passkeys WHERE user_id = player AND credential_id = credential) THEN
        PERFORM make_room_for_session(player);
    END IF;
    IF NOT share_player(player) OR NOT use_passkey(player, credential, signatures, synced) THEN
        RETURN with_refusal(answer, 'unauthorized');
    END IF;
    INSERT INTO sessions (user_id, id, token_hash, opened_by)
    VALUES (player, session, session_digest(token), 'passkey');
    RETURN show_player(player);
END
$$;
GRANT EXECUTE ON FUNCTION open_passkey_session(bytea, uuid, bytea, bytea, bigint, boolean) TO juliet_service;

-- Keeps a player from being deleted until the transaction ends.
--
-- Called by: open_passkey_session, open_identity_session, take_ways.
-- Locks: the player's row of players, shared.
-- Answers: whether there is such a player.
CREATE OR REPLACE FUNCTION share_player(player text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM players WHERE user_id = player FOR KEY SHARE;
    RETURN FOUND;
END
$$;

-- Reads what is kept about a player's passkeys, the oldest first, without their keys.
--
-- Called by: admin_ways, player_records.
CREATE OR REPLACE FUNCTION passkey_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id,
        'credentialId', show_base64url(credential_id), 'name', name, 'createdAt', show_time(created_at),
        'lastUsedAt', show_time(last_used_at), 'isSynced', is_backed_up)) ORDER BY created_at, id), '[]')
        FROM passkeys WHERE user_id = player);
END
$$;

-- Bytes in JSON as WebAuthn writes them: base64url without padding (RFC 4648 §5).
CREATE OR REPLACE FUNCTION show_base64url(bytes bytea) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT translate(encode(bytes, 'base64'), E'+/=\n', '-_') $$;
