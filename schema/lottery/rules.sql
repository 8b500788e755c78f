-- The rules of a draw, as pure functions. Repeating a draw means repeating these, see docs/lottery.md.

-- The rules of a draw: how many rounds, how long it loads, how long each round is shown, and for how long after it the
-- service starts no other.
CREATE OR REPLACE FUNCTION lottery_rules(
    OUT rounds integer, OUT loading interval, OUT pace interval, OUT pause interval
)
LANGUAGE sql IMMUTABLE AS $$ SELECT 10, interval '1.5 s', interval '0.6 s', interval '30 s' $$;

-- Draws an entry, numbered from 0.
--
-- Called by: lottery_rounds.
--
-- x is the first eight bytes of a SHA-256 as a number. The numbers above the last whole run through the entries would
-- favour the first ones, so such an x is discarded and the next attempt's is used.
CREATE OR REPLACE FUNCTION lottery_index(seed bytea, list_digest bytea, round integer, entries bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    numbers constant numeric := 18446744073709551616;
    x numeric;
BEGIN
    FOR attempt IN 0..255 LOOP
        x := ('x' || encode(substring(sha256(
            seed || list_digest || set_byte(set_byte(decode('0000', 'hex'), 0, round), 1, attempt)) FROM 1 FOR 8), 'hex'))
            ::bit(64)::bigint;
        IF x < 0 THEN x := x + numbers; END IF;
        IF x < numbers - mod(numbers, entries) THEN RETURN mod(x, entries)::bigint; END IF;
    END LOOP;
    RAISE 'no number that is fair in 256 attempts' USING ERRCODE = 'data_exception';
END
$$;

-- Draws the participants that the rounds show. A line of the list is a participant's number, a blank, and 1 for a void
-- entry or 0.
--
-- Called by: start_draw; operators (juliet energy audit).
CREATE OR REPLACE FUNCTION lottery_rounds(seed bytea, list_digest bytea, list text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(split_part(
        lines[juliet.lottery_index(seed, list_digest, round, cardinality(lines)) + 1], ' ', 1)::bigint ORDER BY round)
    FROM string_to_array(rtrim(list, E'\n'), E'\n') AS lines,
        generate_series(1, (SELECT rounds FROM juliet.lottery_rules())) AS round
$$;
