-- Changes users and list to those of the two documents. Players stay as they are; users whom the documents no longer
-- name are no longer listed.
--
-- Called by: operators (juliet lottery import).
-- Locks: the table lottery_entries against writers.
-- Answers: how many users were added, changed and hidden, and how many entries came, changed and went. A repeat changes
-- nothing.
CREATE OR REPLACE FUNCTION import_lottery(
    who text, numbers bigint[], given_names text[], given_usernames text[], dates date[], listed bigint[],
    voids boolean[]
) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    counts bigint[];
    changed bigint[];
BEGIN
    LOCK TABLE lottery_entries IN SHARE ROW EXCLUSIVE MODE;
    WITH given AS (
        SELECT * FROM unnest(numbers, given_names, given_usernames, dates)
            AS given (number, name, username, registered_on)),
    written AS (
        INSERT INTO lottery_participants AS p (number, name, username, registered_on)
        SELECT number, name, username, registered_on FROM given
        ON CONFLICT (number) DO UPDATE SET name = EXCLUDED.name, username = EXCLUDED.username,
            registered_on = EXCLUDED.registered_on, is_listed = true
        WHERE (p.name, p.username, p.registered_on, p.is_listed)
            IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.username, EXCLUDED.registered_on, true)
        RETURNING number),
    hidden AS (
        UPDATE lottery_participants SET is_listed = false
        WHERE number < 1000000000 AND is_listed AND number NOT IN (SELECT given.number FROM given) RETURNING number)
    SELECT ARRAY[count(*) FILTER (WHERE p.number IS NULL), count(p.number), (SELECT count(*) FROM hidden)] INTO counts
    FROM written LEFT JOIN lottery_participants AS p USING (number);

    WITH given AS (SELECT * FROM unnest(listed, voids) AS given (participant, is_void)),
    kept AS (SELECT participant, is_void FROM lottery_entries WHERE participant < 1000000000)
    SELECT ARRAY[count(*) FILTER (WHERE kept.participant IS NULL),
        count(*) FILTER (WHERE given.is_void <> kept.is_void),
        count(*) FILTER (WHERE given.participant IS NULL)] INTO changed
    FROM given FULL JOIN kept USING (participant);
    IF listed IS DISTINCT FROM coalesce((SELECT array_agg(participant ORDER BY place) FROM lottery_entries
        WHERE participant < 1000000000), '{}')
    THEN
        DELETE FROM lottery_entries WHERE participant < 1000000000;
        INSERT INTO lottery_entries (participant, is_void)
        SELECT participant, is_void FROM unnest(listed, voids) WITH ORDINALITY AS given (participant, is_void, place)
        ORDER BY place;
    ELSE
        UPDATE lottery_entries SET is_void = given.is_void FROM unnest(listed, voids) AS given (participant, is_void)
        WHERE lottery_entries.participant = given.participant AND lottery_entries.is_void <> given.is_void;
    END IF;
    counts := counts || changed;
    IF counts <> '{0,0,0,0,0,0}' THEN
        PERFORM record_action(who, 'lottery.import', NULL, NULL, NULL, jsonb_build_object('users', cardinality(numbers),
            'entries', cardinality(listed)), NULL, NULL);
    END IF;
    RETURN counts;
END
$$;
