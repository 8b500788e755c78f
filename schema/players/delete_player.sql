-- Deletes the player whose session it is, as users/delete_user.sql tells.
--
-- Called by: the service (DELETE /v2/players/me).
-- Answers: NULL, or a refusal: unauthorized.
CREATE OR REPLACE FUNCTION delete_player(token bytea, pseudonym text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    RETURN CASE WHEN delete_user(session_player(token), pseudonym) IS NULL THEN 'unauthorized' END;
END
$$;
GRANT EXECUTE ON FUNCTION delete_player(bytea, text) TO juliet_service;
