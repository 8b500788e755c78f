-- Ends a session; NULL: the one that asks. Returns a refusal (unauthorized, not-found) or NULL.
CREATE OR REPLACE FUNCTION revoke_session(token bytea, session uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
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
GRANT EXECUTE ON FUNCTION revoke_session(bytea, uuid) TO juliet_service;
