-- The word of the day is chosen a day ahead.

-- Chooses the word of a day, unless it has one: a secret of the list that was no day's word in the 365 days before. If
-- the list is that short, the word whose day is longest ago.
--
-- Called by: choose_daily_words; by read_today and start_daily_game, when nobody has called that yet.
CREATE OR REPLACE FUNCTION choose_daily_word(wanted date, list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    chosen text;
    new_salt uuid := gen_random_uuid();
BEGIN
    IF EXISTS (SELECT FROM daily_words WHERE day = wanted) THEN RETURN; END IF;
    SELECT words.word INTO chosen FROM words
    LEFT JOIN (SELECT language, word, max(day) AS day FROM daily_words WHERE day <= wanted
        GROUP BY language, word) AS held ON held.language = words.language AND held.word = words.word
    WHERE words.language = list_language AND char_length(words.word) = list_letters
        AND is_secret AND retired_at IS NULL
    ORDER BY CASE WHEN held.day >= wanted - 365 THEN held.day END NULLS FIRST, gen_random_uuid()
    LIMIT 1;
    IF chosen IS NULL THEN RETURN; END IF;
    INSERT INTO daily_words (day, language, word, salt, commitment)
    VALUES (wanted, list_language, chosen, new_salt, commitment(new_salt, chosen))
    ON CONFLICT (day) DO NOTHING;
END
$$;

-- Chooses the words of today and tomorrow, unless they have one.
--
-- Called by: the service, at its start and every hour.
CREATE OR REPLACE FUNCTION choose_daily_words(list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
BEGIN
    PERFORM choose_daily_word(today(), list_language, list_letters);
    PERFORM choose_daily_word(today() + 1, list_language, list_letters);
END
$$;
GRANT EXECUTE ON FUNCTION choose_daily_words(text, integer) TO juliet_service;
