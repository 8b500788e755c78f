-- A word and how it stands. Refused: not-found.
CREATE OR REPLACE FUNCTION admin_word(key bytea, list_language text, spelled text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    found jsonb := show_word(list_language, spelled);
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    IF found IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, found::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_word(bytea, text, text) TO juliet_service;
