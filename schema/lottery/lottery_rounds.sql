-- Whom the rounds of a frozen list show. A line of the list is a number, a blank, and 1 for void or 0.
CREATE OR REPLACE FUNCTION lottery_rounds(seed bytea, list_digest bytea, list text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(split_part(lines[juliet.lottery_index(seed, list_digest, round, cardinality(lines)) + 1], ' ', 1)::bigint
        ORDER BY round)
    FROM string_to_array(rtrim(list, E'\n'), E'\n') AS lines, generate_series(1, (SELECT rounds FROM juliet.lottery_rules())) AS round
$$;
