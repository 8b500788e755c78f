-- Makes a code that people give to one another: 8 characters of Crockford's base 32, without its hyphen. 40 random bits:
-- a code may be taken, so whoever keeps it tries again.
--
-- Called by: whatever makes something that is found by a code.
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
