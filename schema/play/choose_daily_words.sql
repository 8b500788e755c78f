-- The word of the day is chosen thirty days ahead, so a request for a day does not have to wait for that, unless a clock
-- has jumped over these days. It is of the language and length of the rules.

-- Chooses the word of a day: a secret of the list that is no day's word in the 365 days before and after. If the list
-- is that short, the word whose nearest day is farthest away.
--
-- A day keeps its word. A transaction may commit days after it began, so nothing that the service calls replaces one.
--
-- Called by: choose_daily_words, choose_days_again.
-- Locks: the row of daily_words.
CREATE OR REPLACE FUNCTION choose_daily_word(wanted date, list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    chosen text;
    new_salt uuid := gen_random_uuid();
    promise bytea;
    follows boolean;
BEGIN
    IF EXISTS (SELECT FROM daily_words WHERE day = wanted) THEN RETURN; END IF;
    SELECT words.word INTO chosen FROM words
    LEFT JOIN (SELECT language, word, min(abs(day - wanted)) AS distance FROM daily_words WHERE day <> wanted
        GROUP BY language, word) AS held ON held.language = words.language AND held.word = words.word
    WHERE words.language = list_language AND char_length(words.word) = list_letters
        AND is_secret AND retired_at IS NULL
    ORDER BY CASE WHEN held.distance <= 365 THEN held.distance END DESC NULLS FIRST, gen_random_uuid()
    LIMIT 1;
    IF chosen IS NULL THEN RETURN; END IF;
    promise := commitment(new_salt, chosen);
    follows := EXISTS (SELECT FROM daily_words WHERE day = wanted - 1);
    INSERT INTO daily_words (day, language, word, salt, commitment, seal)
    VALUES (wanted, list_language, chosen, new_salt, promise, daily_word_seal(wanted, promise, follows))
    ON CONFLICT (day) DO NOTHING;
END
$$;

-- Chooses the words of today and the thirty days after, unless they have one.
--
-- Called by: the service, at its start, every half a minute, and when somebody asks for a day that has no word.
-- Locks: if a word is missing the table rules, shared, so that no other list comes to hold meanwhile; the rows of
-- daily_words that it writes.
CREATE OR REPLACE FUNCTION choose_daily_words() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    first_day date := today();
    held rules;
BEGIN
    IF (SELECT count(*) FROM daily_words WHERE day BETWEEN first_day AND first_day + 30) = 31 THEN RETURN; END IF;
    LOCK TABLE rules IN SHARE MODE;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    FOR ahead IN 0..30 LOOP
        PERFORM choose_daily_word(first_day + ahead, held.language, held.letters);
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION choose_daily_words() TO juliet_service;

-- The last day whose word a change of lists or rules keeps. Tomorrow's commitment has been shown. One more day is not
-- changed, in case the transaction lasts past midnight.
--
-- Called by: choose_days_again, read_rules.
CREATE OR REPLACE FUNCTION last_kept_day() RETURNS date
LANGUAGE sql AS $$ SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date + 2 $$;

-- Chooses the words of coming days again, after the lists or the rules have changed. While the list of the rules is empty
-- they stay as they are.
--
-- Called by: apply_rules; operators (juliet words import, retire, restore).
-- Locks: the table rules, shared, so that no other list comes to hold meanwhile; these rows of daily_words.
CREATE OR REPLACE FUNCTION choose_days_again() RETURNS void
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    last_kept date := last_kept_day();
    days date[];
    wanted date;
    held rules;
BEGIN
    LOCK TABLE rules IN SHARE MODE;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    IF NOT EXISTS (SELECT FROM words WHERE language = held.language AND char_length(word) = held.letters
        AND is_secret AND retired_at IS NULL)
    THEN
        RETURN;
    END IF;
    SELECT array_agg(day ORDER BY day) INTO days FROM daily_words WHERE day > last_kept;
    DELETE FROM daily_words WHERE day > last_kept;
    FOREACH wanted IN ARRAY coalesce(days, '{}') LOOP
        PERFORM choose_daily_word(wanted, held.language, held.letters);
    END LOOP;
END
$$;
