-- Sees to it that today and tomorrow have a word: a secret of the list that was no day's in the 365 days before, or
-- else, when the list is that short, the one whose day is longest ago.
CREATE OR REPLACE FUNCTION choose_daily_words(list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    ahead date;
    chosen text;
    new_salt uuid;
BEGIN
    FOR days IN 0..1 LOOP
        ahead := today() + days;
        CONTINUE WHEN EXISTS (SELECT FROM daily_words WHERE day = ahead);
        new_salt := gen_random_uuid();
        SELECT words.word INTO chosen FROM words
        LEFT JOIN (SELECT language, word, max(day) AS day FROM daily_words WHERE day <= ahead
            GROUP BY language, word) AS held ON held.language = words.language AND held.word = words.word
        WHERE words.language = list_language AND char_length(words.word) = list_letters
            AND is_secret AND retired_at IS NULL
        ORDER BY CASE WHEN held.day >= ahead - 365 THEN held.day END NULLS FIRST, gen_random_uuid()
        LIMIT 1;
        CONTINUE WHEN chosen IS NULL;
        INSERT INTO daily_words (day, language, word, salt, commitment)
        VALUES (ahead, list_language, chosen, new_salt, commitment(new_salt, chosen))
        ON CONFLICT (day) DO NOTHING;
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION choose_daily_words(text, integer) TO juliet_service;
