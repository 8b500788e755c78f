-- Whether anybody has a key. This alone is told without one.
CREATE OR REPLACE FUNCTION has_admin_keys() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS 'SELECT EXISTS (SELECT FROM admin_keys WHERE revoked_at IS NULL)';
GRANT EXECUTE ON FUNCTION has_admin_keys() TO juliet_service;
