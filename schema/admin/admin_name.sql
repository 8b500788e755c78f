-- Whose key it is; NULL: nobody's. Notes the hour, but waits for nobody.
CREATE OR REPLACE FUNCTION admin_name(key bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    who text;
    used_at timestamptz;
BEGIN
    SELECT name, coalesce(last_used_at, '-infinity') INTO who, used_at
    FROM admin_keys WHERE key_hash = key AND revoked_at IS NULL;
    IF used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE admin_keys SET last_used_at = date_trunc('hour', now(), 'UTC')
        WHERE key_hash = (SELECT key_hash FROM admin_keys WHERE key_hash = key FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN who;
END
$$;
