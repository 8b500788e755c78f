-- A transaction that the app presents. Refused: as take_purchase says.
CREATE OR REPLACE FUNCTION credit_purchase(player text, t store_transaction, amount integer, operation text, request bigint)
RETURNS purchase_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN take_purchase(player, t, amount, operation, request);
END
$$;
GRANT EXECUTE ON FUNCTION credit_purchase(text, store_transaction, integer, text, bigint) TO juliet_service;
