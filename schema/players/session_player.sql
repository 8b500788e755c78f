-- Whose session it is; NULL: nobody's. Notes the hour.
CREATE OR REPLACE FUNCTION session_player(token bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := encode(substr(token, 33), 'escape');
    used_at timestamptz;
BEGIN
    IF token IS NULL THEN RETURN NULL; END IF;
    SELECT last_used_at INTO used_at FROM sessions WHERE user_id = player AND token_hash = token_digest;
    -- One of before may look as if it named a player.
    IF NOT FOUND THEN
        SELECT user_id, last_used_at INTO player, used_at FROM sessions WHERE token_hash = token_digest;
    END IF;
    IF used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE sessions SET last_used_at = date_trunc('hour', now(), 'UTC') WHERE user_id = player AND token_hash = token_digest;
    END IF;
    RETURN player;
END
$$;
