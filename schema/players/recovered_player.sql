-- Whose recovery code it is; NULL: nobody's. For who makes the token of another session.
CREATE OR REPLACE FUNCTION recovered_player(recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN (SELECT user_id FROM players WHERE recovery_hash = recovery);
END
$$;
GRANT EXECUTE ON FUNCTION recovered_player(bytea) TO juliet_service;
