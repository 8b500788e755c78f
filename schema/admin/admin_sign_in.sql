-- Whose key it is.
CREATE OR REPLACE FUNCTION admin_sign_in(key bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_name(key);
BEGIN
    IF who IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    RETURN ROW(NULL, jsonb_build_object('name', who)::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_sign_in(bytea) TO juliet_service;
