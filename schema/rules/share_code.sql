-- Codes that people share to find the same challenge or league.

-- Makes a code: 8 characters of Crockford's base 32, without its hyphen. 40 random bits, which may be in use
-- already: the caller then tries again.
--
-- Called by: create_challenge, create_league, change_invite.
CREATE OR REPLACE FUNCTION new_share_code() RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    bits bigint := random_below(1::bigint << 40);
    code text := '';
BEGIN
    FOR place IN 0..7 LOOP
        code := code || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (bits >> 5 * place & 31)::integer + 1, 1);
    END LOOP;
    RETURN code;
END
$$;

-- A code as people are shown it: XXXX-XXXX.
CREATE OR REPLACE FUNCTION show_share_code(code text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT substr(code, 1, 4) || '-' || substr(code, 5) $$;
