-- Under which id a player of the app goes on who was claimed; NULL: not claimed.
CREATE OR REPLACE FUNCTION claimed_user(account text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS 'SELECT user_id FROM claims WHERE account_id = account';
GRANT EXECUTE ON FUNCTION claimed_user(text) TO juliet_service;
