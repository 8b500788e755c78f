-- The words of the day that operators plan. A planned day is a row of daily_words like the others, chosen before its turn.
--
-- A day can be planned from the third after today on, so its commitment is shown at the earliest when the day after today
-- has begun: a midnight that passes before the transaction commits does no harm.

-- Plans the words of days, all of them or none. A word can repeat one of a day that is over or planned if may_repeat says
-- so. Days chosen by chance are not compared, since a refusal would tell their words: those that have one of these words
-- within a year are chosen again.
--
-- Called by: admin_plan_day; operators (juliet words plan).
-- Locks: the tables words and rules against changes, the table daily_words against other plans; its rows. The service's
-- choose_daily_words waits only where it lacks the word of one of these days.
-- Answers: the places, from 1 on, of the days that changed, with NULL; or of those at fault, with day-early, day-late,
-- day-twice, word-unknown, word-retired or word-repeated, and nothing has changed.
CREATE OR REPLACE FUNCTION plan_days(
    who text, wanted_days date[], wanted_words text[], may_repeat boolean, why text
) RETURNS TABLE (place integer, fault text)
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    last_kept date;
    held rules;
    asked record;
    wanted date;
BEGIN
    LOCK TABLE words IN SHARE MODE;
    LOCK TABLE rules IN SHARE MODE;
    LOCK TABLE daily_words IN SHARE UPDATE EXCLUSIVE MODE;
    last_kept := last_kept_day();
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT n::integer AS n, a.day, a.word FROM unnest(wanted_days, wanted_words) WITH ORDINALITY AS a (day, word, n)),
    judged AS (
        SELECT a.n, CASE
            WHEN a.day <= last_kept THEN 'day-early'
            WHEN a.day > last_kept + 398 THEN 'day-late'
            WHEN EXISTS (SELECT FROM asked AS b WHERE b.n < a.n AND b.day = a.day) THEN 'day-twice'
            WHEN w.word IS NULL THEN 'word-unknown'
            WHEN w.retired_at IS NOT NULL OR w.is_banned THEN 'word-retired'
            WHEN may_repeat THEN NULL
            WHEN EXISTS (SELECT FROM asked AS b WHERE b.n < a.n AND b.word = a.word AND abs(b.day - a.day) <= 365)
                OR EXISTS (SELECT FROM daily_words AS d WHERE d.language = held.language AND d.word = a.word
                    AND abs(d.day - a.day) <= 365 AND (d.is_planned OR d.day < last_kept - 2)
                    AND d.day <> ALL (wanted_days)) THEN 'word-repeated' END AS reason
        FROM asked AS a LEFT JOIN words AS w ON w.language = held.language AND w.word = a.word
            AND char_length(w.word) = held.letters)
    SELECT judged.n, judged.reason FROM judged WHERE judged.reason IS NOT NULL ORDER BY judged.n;
    IF FOUND THEN RETURN; END IF;
    FOR asked IN
        SELECT n::integer AS n, a.day, a.word FROM unnest(wanted_days, wanted_words) WITH ORDINALITY AS a (day, word, n)
        WHERE NOT EXISTS (SELECT FROM daily_words AS d WHERE d.day = a.day AND d.is_planned
            AND (d.language, d.word) = (held.language, a.word))
        ORDER BY a.day
    LOOP
        PERFORM write_daily_word(asked.day, held.language, asked.word, true);
        PERFORM record_action(who, 'day.plan', NULL, to_char(asked.day, 'YYYY-MM-DD'), why, NULL, NULL, NULL);
        place := asked.n;
        RETURN NEXT;
    END LOOP;
    FOR wanted IN SELECT d.day FROM daily_words AS d WHERE d.day > last_kept AND NOT d.is_planned
        AND EXISTS (SELECT FROM daily_words AS p WHERE p.is_planned AND (p.language, p.word) = (d.language, d.word)
            AND abs(p.day - d.day) <= 365)
        ORDER BY d.day
    LOOP
        DELETE FROM daily_words WHERE day = wanted;
        PERFORM choose_daily_word(wanted, held.language, held.letters);
    END LOOP;
END
$$;

-- Gives planned days back to chance, all of them or none.
--
-- Called by: admin_clear_day; operators (juliet words plan --clear).
-- Locks: the tables words and rules against changes, the table daily_words against other plans; its rows. The service's
-- choose_daily_words waits only where it lacks the word of one of these days.
-- Answers: the places of the days, from 1 on, that changed, with NULL, and of those that were not planned, with
-- not-planned; or of those that are over or too near, with day-early, and nothing has changed.
CREATE OR REPLACE FUNCTION unplan_days(
    who text, wanted_days date[], why text
) RETURNS TABLE (place integer, fault text)
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    last_kept date;
    held rules;
BEGIN
    LOCK TABLE words IN SHARE MODE;
    LOCK TABLE rules IN SHARE MODE;
    LOCK TABLE daily_words IN SHARE UPDATE EXCLUSIVE MODE;
    last_kept := last_kept_day();
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    RETURN QUERY SELECT n, 'day-early' FROM generate_subscripts(wanted_days, 1) AS n WHERE wanted_days[n] <= last_kept;
    IF FOUND THEN RETURN; END IF;
    FOR place IN SELECT n FROM generate_subscripts(wanted_days, 1) AS n ORDER BY n LOOP
        DELETE FROM daily_words WHERE day = wanted_days[place] AND is_planned;
        fault := CASE WHEN NOT FOUND THEN 'not-planned' END;
        RETURN NEXT;
        CONTINUE WHEN fault IS NOT NULL;
        PERFORM record_action(who, 'day.clear', NULL, to_char(wanted_days[place], 'YYYY-MM-DD'), why, NULL, NULL, NULL);
        IF wanted_days[place] <= last_kept + 28 THEN
            PERFORM choose_daily_word(wanted_days[place], held.language, held.letters);
        ELSE
            PERFORM seal_next_day(wanted_days[place]);
        END IF;
    END LOOP;
END
$$;

-- Lists the planned days from today on; of those that can be planned again with their words, and whether these have been
-- retired since.
--
-- Called by: admin_planned_days; operators (juliet words plan --list, juliet words check).
CREATE OR REPLACE FUNCTION list_planned_days() RETURNS TABLE (
    planned_day date, planned_language text, planned_word text, is_retired boolean
)
LANGUAGE plpgsql STABLE SET search_path = juliet, pg_temp AS $$
DECLARE
    last_kept date := last_kept_day();
BEGIN
    RETURN QUERY SELECT d.day, d.language, CASE WHEN d.day > last_kept THEN d.word END,
        CASE WHEN d.day > last_kept THEN w.retired_at IS NOT NULL OR w.is_banned END
    FROM daily_words AS d LEFT JOIN words AS w ON w.language = d.language AND w.word = d.word
    WHERE d.is_planned AND d.day >= last_kept - 2 ORDER BY d.day;
END
$$;
