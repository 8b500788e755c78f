-- Deletes the player. Returns a refusal or NULL.
CREATE OR REPLACE FUNCTION delete_player(token bytea, pseudonym text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN CASE WHEN delete_user(session_player(token), pseudonym) IS NULL THEN 'unauthorized' END;
END
$$;
GRANT EXECUTE ON FUNCTION delete_player(bytea, text) TO juliet_service;
