-- The player's sessions, newest first, after a row that says whether it was allowed.
CREATE OR REPLACE FUNCTION list_sessions(token bytea) RETURNS SETOF session_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := session_player(token);
BEGIN
    RETURN QUERY SELECT CASE WHEN player IS NULL THEN 'unauthorized' END, NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::boolean;
    RETURN QUERY SELECT NULL::text, id, created_at, last_used_at, token_hash = token_digest
        FROM sessions WHERE user_id = player ORDER BY created_at DESC, id;
END
$$;
GRANT EXECUTE ON FUNCTION list_sessions(bytea) TO juliet_service;
