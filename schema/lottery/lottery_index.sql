-- Which of the entries a round shows, from 0. x is the first eight bytes of a SHA-256, as a number; one that would
-- favour the first entries (the last, incomplete run through them) is thrown away, and the next attempt's is taken.
-- Whoever repeats draws knows this function: see docs/lottery.md.
CREATE OR REPLACE FUNCTION lottery_index(seed bytea, list_digest bytea, round integer, entries bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    numbers constant numeric := 18446744073709551616;
    x numeric;
BEGIN
    FOR attempt IN 0..255 LOOP
        x := ('x' || encode(substring(
            sha256(seed || list_digest || set_byte(set_byte('\x0000', 0, round), 1, attempt)) FROM 1 FOR 8), 'hex'))
            ::bit(64)::bigint;
        IF x < 0 THEN x := x + numbers; END IF;
        IF x < numbers - mod(numbers, entries) THEN RETURN mod(x, entries)::bigint; END IF;
    END LOOP;
    RAISE 'no number that is fair in 256 attempts' USING ERRCODE = 'data_exception';
END
$$;
