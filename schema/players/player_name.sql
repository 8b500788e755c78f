-- A player's name in the form it is kept in; NULL when it cannot be one. Which characters may be in it, the service has
-- looked at.
CREATE OR REPLACE FUNCTION player_name(given text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    composed text := normalize(given, NFC);
BEGIN
    IF char_length(composed) BETWEEN 1 AND 24 THEN RETURN composed; END IF;
    RETURN NULL;
END
$$;
