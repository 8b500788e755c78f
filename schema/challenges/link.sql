-- Reads what a link to a challenge shows to everybody who sees it. It tells nothing of the word but its length.
--
-- Called by: the service (GET /c/{code}).
-- Answers: the maker's name, NULL without one; the length; the last day in the host's time zone; whether it is over.
-- Nothing when there is no such challenge.
CREATE OR REPLACE FUNCTION read_challenge_link(wanted text)
RETURNS TABLE (maker_name text, word_length integer, last_day date, is_over boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    c challenges;
BEGIN
    SELECT * INTO c FROM challenges WHERE code = wanted AND deleted_at IS NULL;
    IF NOT FOUND THEN RETURN; END IF;
    SELECT name INTO maker_name FROM players WHERE user_id = c.maker;
    word_length := c.letters;
    -- One that ends at midnight ends with the day before.
    last_day := day_at(c.ends_at - interval '1 microsecond');
    is_over := clock_timestamp() >= c.ends_at;
    RETURN NEXT;
END
$$;
GRANT EXECUTE ON FUNCTION read_challenge_link(text) TO juliet_service;
