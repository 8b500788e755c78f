-- Does what a notification that is kept asks for; again changes nothing. Returns whether it was news; NULL: it is not
-- kept.
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
        -- As decide_purchase does: whoever deletes the player meanwhile may not see this notification, and ends first.
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
