-- What operators do about the ways into an account. Each says so in the audit trail, without a secret: the reason is
-- theirs to give.

-- Takes a passkey away. The sessions that it opened go on.
--
-- Called by: operators (juliet players remove-passkey).
-- Answers: whether the player has such a passkey.
CREATE OR REPLACE FUNCTION take_passkey(who text, player text, passkey uuid, why text) RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
BEGIN
    DELETE FROM passkeys WHERE user_id = player AND id = passkey;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM record_action(who, 'player.passkey', player, passkey::text, why, NULL, NULL, NULL);
    RETURN true;
END
$$;

-- Takes an identity away. The sessions that it opened go on.
--
-- Called by: operators (juliet players remove-identity).
-- Answers: whether the player has one of this provider's.
CREATE OR REPLACE FUNCTION take_identity(who text, player text, its_provider text, why text) RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
BEGIN
    DELETE FROM identities WHERE user_id = player AND provider = its_provider;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM record_action(who, 'player.identity', player, its_provider, why, NULL, NULL, NULL);
    RETURN true;
END
$$;

-- Ends a session, or with NULL all of them.
--
-- Called by: operators (juliet players end-sessions).
-- Locks: as end_sessions.
-- Answers: how many have ended.
CREATE OR REPLACE FUNCTION take_sessions(who text, player text, session uuid, why text) RETURNS bigint
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    chosen uuid[] := ARRAY(
        SELECT id FROM sessions WHERE user_id = player AND (session IS NULL OR id = session));
    ended bigint := end_sessions(player, chosen);
BEGIN
    IF ended > 0 THEN
        PERFORM record_action(who, 'player.session', player, session::text, why,
            jsonb_build_object('sessions', ended), NULL, NULL);
    END IF;
    RETURN ended;
END
$$;

-- Gives the player another recovery code, whose digest this is; the one before ends.
--
-- Called by: operators (juliet players recovery-code).
-- Locks: the player's row of players.
-- Answers: whether there is such a player.
CREATE OR REPLACE FUNCTION replace_recovery(who text, player text, new_recovery bytea, why text) RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
BEGIN
    IF (octet_length(new_recovery) = 32) IS NOT TRUE THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE user_id = player;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM record_action(who, 'player.recoveryCode', player, NULL, why, NULL, NULL, NULL);
    RETURN true;
END
$$;

-- Makes another key for nonces. Those that are under way are refused once a service has read it.
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
