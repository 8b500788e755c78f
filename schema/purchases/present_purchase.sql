-- A transaction that a player of the second contract presents. Refused: unauthorized, purchase-full, purchase-revoked,
-- purchase-account, purchase-used.
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
