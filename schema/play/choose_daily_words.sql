-- The word of the day is chosen thirty days ahead, so a request for a day does not have to wait for that, unless a clock
-- has jumped over these days. It is of the language and length of the rules. Operators may plan it (plan_days).

-- Chooses the word of a day: a secret of the list that is no day's word in the 365 days before and after. If the list
-- is that short, the word whose nearest day is farthest away.
--
-- A day keeps its word. A transaction may commit days after it began, so nothing that the service calls without an
-- operator's key replaces one.
--
-- Called by: choose_daily_words, choose_days_again, plan_days, unplan_days.
-- Locks: the row of daily_words.
CREATE OR REPLACE FUNCTION choose_daily_word(wanted date, list_language text, list_letters integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    chosen text;
BEGIN
    IF EXISTS (SELECT FROM daily_words WHERE day = wanted) THEN RETURN; END IF;
    SELECT words.word INTO chosen FROM words
    LEFT JOIN (SELECT language, word, min(abs(day - wanted)) AS distance FROM daily_words WHERE day <> wanted
        GROUP BY language, word) AS held ON held.language = words.language AND held.word = words.word
    WHERE words.language = list_language AND char_length(words.word) = list_letters
        AND is_secret AND retired_at IS NULL
    ORDER BY CASE WHEN held.distance <= 365 THEN held.distance END DESC NULLS FIRST, gen_random_uuid()
    LIMIT 1;
    IF chosen IS NOT NULL THEN PERFORM write_daily_word(wanted, list_language, chosen, false); END IF;
END
$$;

-- Commits to the word of a day: one that is planned takes the place of another, one by chance does not.
--
-- Called by: choose_daily_word, plan_days.
-- Locks: the row of daily_words, then the next day's.
CREATE OR REPLACE FUNCTION write_daily_word(
    wanted date, list_language text, chosen text, has_planned boolean
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    new_salt uuid := gen_random_uuid();
    promise bytea := commitment(new_salt, chosen);
    follows boolean := EXISTS (SELECT FROM daily_words WHERE day = wanted - 1);
BEGIN
    INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
    VALUES (wanted, list_language, chosen, new_salt, promise, has_planned,
        daily_word_seal(wanted, promise, has_planned, follows))
    ON CONFLICT (day) DO UPDATE SET language = EXCLUDED.language, word = EXCLUDED.word, salt = EXCLUDED.salt,
        commitment = EXCLUDED.commitment, is_planned = true, seal = EXCLUDED.seal WHERE EXCLUDED.is_planned;
    PERFORM seal_next_day(wanted);
END
$$;

-- Seals the day after a day again, which may have been planned when that day had no word, or the other way round.
--
-- Called by: write_daily_word, choose_days_again, unplan_days.
-- Locks: the row of daily_words, if its seal changes.
CREATE OR REPLACE FUNCTION seal_next_day(before date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    follows boolean := EXISTS (SELECT FROM daily_words WHERE day = before);
BEGIN
    UPDATE daily_words SET seal = daily_word_seal(day, commitment, is_planned, follows)
    WHERE day = before + 1 AND seal <> daily_word_seal(day, commitment, is_planned, follows);
END
$$;

-- Writes when the coming days begin, and chooses the words of today and the thirty days after, unless they have one.
--
-- Called by: the service, at its start, every half a minute, and when somebody asks for a day that has no word.
-- Locks: if one of them is missing the table rules, shared, so that no other list or time zone comes to hold meanwhile; the
-- rows of days and daily_words that it writes.
CREATE OR REPLACE FUNCTION choose_daily_words() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    first_day date := today();
    held rules;
BEGIN
    IF (SELECT count(*) FROM daily_words WHERE day BETWEEN first_day AND first_day + 30) = 31
        AND (SELECT count(*) FROM days WHERE starts_at > clock_timestamp()) >= 2
    THEN RETURN; END IF;
    LOCK TABLE rules IN SHARE MODE;
    PERFORM write_days();
    first_day := today();
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
-- Called by: choose_days_again, plan_days, unplan_days, list_planned_days, admin_planned_days, read_rules; operators
-- (juliet words plan).
CREATE OR REPLACE FUNCTION last_kept_day() RETURNS date
LANGUAGE sql AS $$ SELECT juliet.day_at(clock_timestamp()) + 2 $$;

-- Chooses the words of coming days again, after the lists or the rules have changed, but those that were planned and are
-- in the list of the rules. While that list is empty they stay as they are. who: for the audit trail, which has a line for
-- each planned day that was lost.
--
-- Called by: apply_rules; operators (juliet words import, retire, restore).
-- Locks: the table rules, shared, so that no other list comes to hold meanwhile; these rows of daily_words.
CREATE OR REPLACE FUNCTION choose_days_again(who text) RETURNS void
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    last_kept date := last_kept_day();
    replaced date[];
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
    SELECT array_agg(day ORDER BY day) INTO replaced FROM daily_words WHERE day > last_kept
        AND NOT (is_planned AND language = held.language AND char_length(word) = held.letters);
    PERFORM record_action(who, 'day.clear', NULL, to_char(day, 'YYYY-MM-DD'), 'another list', NULL, NULL, NULL)
    FROM daily_words WHERE day = ANY (replaced) AND is_planned ORDER BY day;
    DELETE FROM daily_words WHERE day = ANY (replaced);
    FOREACH wanted IN ARRAY coalesce(replaced, '{}') LOOP
        -- A day that was planned far ahead has its turn later.
        IF wanted <= last_kept + 28 THEN
            PERFORM choose_daily_word(wanted, held.language, held.letters);
        ELSE
            PERFORM seal_next_day(wanted);
        END IF;
    END LOOP;
END
$$;
