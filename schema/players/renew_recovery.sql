-- Another recovery code; the old one ends. Returns a refusal or NULL.
CREATE OR REPLACE FUNCTION renew_recovery(token bytea, new_recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
BEGIN
    IF octet_length(new_recovery) <> 32 THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = new_recovery WHERE user_id = player;
    RETURN CASE WHEN NOT FOUND THEN 'unauthorized' END;
END
$$;
GRANT EXECUTE ON FUNCTION renew_recovery(bytea, bytea) TO juliet_service;
