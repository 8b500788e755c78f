-- Operators' changes of the ways to sign in. Each is recorded in the audit trail, without secrets, with the reason
-- that the operator gives.

-- Removes ways to sign in. kind: passkey, identity, session, or all of them. one: the id of a passkey or a session,
-- or an identity's provider; NULL: all of that kind. Sessions that a passkey or an identity opened stay open,
-- unless they are removed too. operation NULL: without a name.
--
-- Called by: operators (juliet players remove-passkey, remove-identity, end-sessions), admin_take_ways.
-- Locks: the player's row of players, shared; passkeys and identities; then as end_sessions.
-- Answers: how many are gone.
CREATE OR REPLACE FUNCTION take_ways(
    who text, player text, kind text, one text, why text, operation text, request bigint
) RETURNS bigint
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    chosen uuid[];
    passkeys_gone bigint := 0;
    identities_gone bigint := 0;
    sessions_gone bigint := 0;
BEGIN
    IF (kind IN ('passkey', 'identity', 'session') OR kind = 'all' AND one IS NULL) IS NOT TRUE THEN
        RAISE 'this is not a way to sign in' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT share_player(player) THEN RETURN 0; END IF;
    -- Sessions come last: what opened one before that is gone by then.
    IF kind IN ('passkey', 'all') THEN
        DELETE FROM passkeys WHERE user_id = player AND (one IS NULL OR id = one::uuid);
        GET DIAGNOSTICS passkeys_gone = ROW_COUNT;
    END IF;
    IF kind IN ('identity', 'all') THEN
        DELETE FROM identities WHERE user_id = player AND (one IS NULL OR provider = one);
        GET DIAGNOSTICS identities_gone = ROW_COUNT;
    END IF;
    IF kind IN ('session', 'all') THEN
        chosen := ARRAY(SELECT id FROM sessions WHERE user_id = player AND (one IS NULL OR id = one::uuid));
        sessions_gone := end_sessions(player, chosen);
    END IF;
    IF passkeys_gone + identities_gone + sessions_gone > 0 THEN
        PERFORM record_action(who, CASE WHEN kind = 'all' THEN 'player.ways' ELSE 'player.' || kind END, player, one,
            why, nullif(jsonb_strip_nulls(jsonb_build_object(
                'passkeys', CASE WHEN kind IN ('passkey', 'all') AND one IS NULL THEN passkeys_gone END,
                'identities', CASE WHEN kind IN ('identity', 'all') AND one IS NULL THEN identities_gone END,
                'sessions', CASE WHEN kind IN ('session', 'all') THEN sessions_gone END)), '{}'), operation, request);
    END IF;
    RETURN passkeys_gone + identities_gone + sessions_gone;
END
$$;

-- Gives the player another recovery code, with this digest; the old one stops working. operation NULL: without a name.
--
-- Called by: operators (juliet players recovery-code), admin_recovery.
-- Locks: the player's row of players.
-- Answers: whether there is such a player.
CREATE OR REPLACE FUNCTION replace_recovery(
    who text, player text, new_recovery bytea, why text, operation text DEFAULT NULL, request bigint DEFAULT NULL
) RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
BEGIN
    IF (octet_length(new_recovery) = 32) IS NOT TRUE THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = sha256(new_recovery) WHERE user_id = player;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM record_action(who, 'player.recoveryCode', player, NULL, why, NULL, operation, request);
    RETURN true;
END
$$;

-- Makes another key for nonces. Nonces of the old key are refused as soon as a service has read the new one.
--
-- Called by: operators (juliet players renew-nonces).
-- Answers: true.
CREATE OR REPLACE FUNCTION renew_nonce_key(who text, why text) RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
BEGIN
    INSERT INTO nonce_keys (key) VALUES (random_seed());
    DELETE FROM nonce_keys WHERE since < (SELECT max(since) FROM nonce_keys);
    PERFORM record_action(who, 'nonces.renew', NULL, NULL, why, NULL, NULL, NULL);
    RETURN true;
END
$$;
