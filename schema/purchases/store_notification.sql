-- Keeps what the store has told, once. Returns whether it has been applied.
CREATE OR REPLACE FUNCTION store_notification(
    notification text, content text, kind text, sort text, env text, transaction text, named text, signed timestamptz
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF (octet_length(notification) BETWEEN 1 AND 128 AND octet_length(content) <= 65536 AND signed IS NOT NULL) IS NOT TRUE
    THEN
        RAISE 'no notification that can be kept' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- What is about a deleted player's transaction is kept without what names them.
    IF EXISTS (SELECT FROM purchases
        WHERE environment = env AND transaction_id = transaction AND strpos(user_id, E'\t') > 0)
    THEN
        content := NULL;
        named := NULL;
    END IF;
    INSERT INTO store_notifications (id, payload, type, subtype, environment, transaction_id, account, signed_at)
    VALUES (notification, content, kind, sort, env, transaction, named, signed) ON CONFLICT DO NOTHING;
    RETURN NOT FOUND AND EXISTS (SELECT FROM store_notifications WHERE id = notification AND applied_at IS NOT NULL);
END
$$;
GRANT EXECUTE ON FUNCTION store_notification(text, text, text, text, text, text, text, timestamp with time zone) TO juliet_service;
