-- Notifications of the App Store. The service stores a notification in one transaction and applies it in the next, so
-- none is lost if applying it fails.

-- Stores a notification once.
--
-- Called by: the service (POST /app-store/notifications).
-- Answers: true when it was stored and applied before.
CREATE OR REPLACE FUNCTION store_notification(
    notification text, content text, kind text, sort text, env text, transaction text, named text, signed timestamptz
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF (octet_length(notification) BETWEEN 1 AND 128 AND octet_length(content) <= 65536 AND kind IS NOT NULL
        AND isfinite(signed)) IS NOT TRUE
    THEN
        RAISE 'this notification cannot be stored: a value is missing or not valid' USING ERRCODE = 'invalid_parameter_value';
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
GRANT EXECUTE ON FUNCTION store_notification(text, text, text, text, text, text, text, timestamptz) TO juliet_service;

-- Applies a stored notification. Applying it again changes nothing.
--
-- Called by: the service (POST /app-store/notifications); operators (juliet purchases replay).
-- Locks: for a refund or its reversal, as decide_purchase; else the player's row of users. Then the notification.
-- Answers: true when it changed something; NULL when it is not stored.
CREATE OR REPLACE FUNCTION apply_notification(notification text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    n store_notifications;
    is_news boolean := false;
    player text;
BEGIN
    SELECT * INTO n FROM store_notifications WHERE id = notification;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF n.transaction_id IS NOT NULL AND n.type IN ('REFUND', 'REVOKE', 'REFUND_REVERSED') THEN
        is_news := decide_purchase(n.environment, n.transaction_id, n.type <> 'REFUND_REVERSED', n.signed_at);
    ELSE
        -- Wait for a deletion of the player to end: it may not see this notification.
        SELECT user_id INTO player FROM purchases
        WHERE environment = n.environment AND transaction_id = n.transaction_id;
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
    END IF;
    UPDATE store_notifications SET applied_at = now() WHERE id = notification AND applied_at IS NULL;
    UPDATE store_notifications SET payload = NULL, account = NULL
    WHERE id = notification AND payload IS NOT NULL AND EXISTS (
        SELECT FROM purchases
        WHERE environment = n.environment AND transaction_id = n.transaction_id AND strpos(user_id, E'\t') > 0);
    RETURN is_news;
END
$$;
GRANT EXECUTE ON FUNCTION apply_notification(text) TO juliet_service;
