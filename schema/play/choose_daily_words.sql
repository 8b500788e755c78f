-- The word of the day is chosen thirty days ahead, so a request for a day does not have to wait for that, unless a clock
-- has jumped over these days.

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
-- Locks: the rows of daily_words that it writes.
CREATE OR REPLACE FUNCTION choose_daily_words(list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    FOR ahead IN 0..30 LOOP
        PERFORM choose_daily_word(today() + ahead, list_language, list_letters);
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION choose_daily_words(text, integer) TO juliet_service;

-- Chooses the words of coming days again, each from its own list, after the lists have changed.
--
-- Tomorrow's commitment has been shown. One more day is not changed, in case this transaction lasts past midnight.
--
-- Called by: operators (juliet words import, retire, restore).
-- Locks: these rows of daily_words.
CREATE OR REPLACE FUNCTION choose_days_again() RETURNS void
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    last_kept date := (clock_timestamp() AT TIME ZONE 'UTC')::date + 2;
    days date[];
    languages text[];
    lengths integer[];
BEGIN
    SELECT array_agg(day ORDER BY day), array_agg(language ORDER BY day), array_agg(char_length(word) ORDER BY day)
    INTO days, languages, lengths FROM daily_words WHERE day > last_kept;
    DELETE FROM daily_words WHERE day > last_kept;
    FOR number IN 1..coalesce(cardinality(days), 0) LOOP
        PERFORM choose_daily_word(days[number], languages[number], lengths[number]);
    END LOOP;
END
$$;
