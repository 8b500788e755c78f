-- A purchase of the app whose transaction the service could not verify, or that comes without one where it takes one:
-- it is refused, with the balance, and stays refused under its name.
CREATE OR REPLACE FUNCTION refuse_purchase(player text, why text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF (why ~ '^purchase-[a-z]{1,20}$') IS NOT TRUE THEN
        RAISE 'no reason to refuse a purchase' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN refuse(player, why, operation, request);
END
$$;
GRANT EXECUTE ON FUNCTION refuse_purchase(text, text, text, bigint) TO juliet_service;
