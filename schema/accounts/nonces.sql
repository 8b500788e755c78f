-- Challenges of WebAuthn and nonces of OpenID Connect, both called nonces here. The services sign them and can verify
-- them, so only those that were used are stored, until they end: the first four bytes say when.

-- Reads the key that the services sign nonces with.
--
-- Called by: the service, at its start and every ten seconds.
CREATE OR REPLACE FUNCTION read_nonce_key() RETURNS bytea
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
BEGIN
    RETURN (SELECT key FROM nonce_keys ORDER BY since DESC LIMIT 1);
END
$$;
GRANT EXECUTE ON FUNCTION read_nonce_key() TO juliet_service;

-- Uses a nonce up, and forgets a few that ended an hour ago: clocks of services may be behind.
--
-- Called by: many functions: whatever handles an answer to a nonce.
-- Locks: the nonce, until the transaction ends: of two answers to one at the same moment the later one waits.
-- Answers: whether it was not used before.
CREATE OR REPLACE FUNCTION use_nonce(answered bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    ended bytea := substr(int8send((extract(epoch FROM now()) - 3600)::bigint), 5);
BEGIN
    IF (octet_length(answered) = 32
        AND answered < substr(int8send((extract(epoch FROM now()) + 7200)::bigint), 5)) IS NOT TRUE
    THEN
        RAISE 'a nonce has 32 bytes, and ends soon' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    DELETE FROM used_nonces WHERE nonce IN (
        SELECT nonce FROM used_nonces WHERE nonce < ended ORDER BY nonce LIMIT 8 FOR UPDATE SKIP LOCKED);
    INSERT INTO used_nonces (nonce) VALUES (answered) ON CONFLICT DO NOTHING;
    RETURN FOUND;
END
$$;

-- Makes a nonce valid again that the same transaction has used.
--
-- Called by: create_identified_player, link_identity, register_passkey, when another request with it may succeed.
CREATE OR REPLACE FUNCTION give_nonce_back(answered bytea) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM used_nonces WHERE nonce = answered;
END
$$;

-- Uses up a nonce whose answer the service has refused.
--
-- Called by: the service (POST /v2/sessions, /v2/passkeys and /v2/players/me/merge).
-- Answers: whether it was not used before.
CREATE OR REPLACE FUNCTION spend_nonce(answered bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN use_nonce(answered);
END
$$;
GRANT EXECUTE ON FUNCTION spend_nonce(bytea) TO juliet_service;
