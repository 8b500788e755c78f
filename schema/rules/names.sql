-- Forms of names.

-- A name in lower case, whatever the locale, as bytes of UTF-8. Bytes, because an explicit collation does not reach the
-- other servers of a distributed database.
--
-- Called by: admin_together; operators (juliet leagues list).
CREATE OR REPLACE FUNCTION folded_name(name text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN convert_to(lower(name COLLATE "und-x-icu"), 'UTF8'); END $$;
