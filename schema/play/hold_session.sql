-- When a session was last noted to be used; until the transaction ends nobody ends it. NULL: there is none.
CREATE OR REPLACE FUNCTION hold_session(player text, token_digest bytea) RETURNS timestamptz
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT last_used_at FROM sessions WHERE user_id = player AND token_hash = token_digest FOR KEY SHARE);
END
$$;
