-- Purchases with a signature of the App Store. The service has verified the signature.

-- Takes a transaction that the app presents, and credits it once.
--
-- Called by: the service (handleEnergyPurchase with a transaction).
-- Locks, answers and refuses: as take_purchase.
CREATE OR REPLACE FUNCTION credit_purchase(
    player text, t store_transaction, amount integer, operation text, request bigint, account text DEFAULT NULL
) RETURNS purchase_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    nothing purchase_answer;
BEGIN
    IF NOT app_changes(player, account) THEN RETURN with_refusal(nothing, 'user-unknown'); END IF;
    IF amount IS NULL THEN
        RAISE 'the app says what a purchase is worth' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN take_purchase(player, t, amount, operation, request);
END
$$;
GRANT EXECUTE ON FUNCTION credit_purchase(text, store_transaction, integer, text, bigint, text) TO juliet_service;

-- Takes a transaction that a player of /v2 presents, and credits it once.
--
-- Called by: the service (POST /v2/purchases).
-- Locks: the session's row, when the hour of its use is noted; then as take_purchase.
-- Answers: as take_purchase. Refuses: unauthorized in place of user-unknown; else as take_purchase.
CREATE OR REPLACE FUNCTION present_purchase(token bytea, t store_transaction) RETURNS purchase_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer purchase_answer := take_purchase(session_player(token), t, NULL, NULL, NULL);
BEGIN
    IF answer.refusal = 'user-unknown' THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION present_purchase(bytea, store_transaction) TO juliet_service;

-- Refuses a purchase of the app whose transaction the service could not verify, or that has none where it needs one.
--
-- Called by: the service (handleEnergyPurchase).
-- Locks: the player's row of users.
-- Answers: the refusal with the balance; it stays refused under the operation's name. Refuses: user-unknown.
CREATE OR REPLACE FUNCTION refuse_purchase(
    player text, why text, operation text, request bigint, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF (why ~ '^purchase-[a-z]{1,20}$') IS NOT TRUE THEN
        RAISE 'this is not a reason for which purchases are refused' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT app_changes(player, account) THEN RETURN unknown_user(); END IF;
    RETURN refuse(player, why, operation, request, 'credit_purchase');
END
$$;
GRANT EXECUTE ON FUNCTION refuse_purchase(text, text, text, bigint, text) TO juliet_service;
