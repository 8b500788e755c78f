-- What operators see of words, and change.

-- Counts the words by language and length.
--
-- Called by: the service (the admin page).
CREATE OR REPLACE FUNCTION admin_word_lists(session bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    IF admin_may(session, 'words') IS NULL THEN RETURN admin_refused(session); END IF;
    RETURN ROW(NULL, (SELECT jsonb_build_object('lists', coalesce(jsonb_agg(jsonb_build_object(
            'language', language, 'length', letters, 'guessable', guessable, 'secret', secret, 'retired', retired)
            ORDER BY language, letters), '[]'))
        FROM (SELECT language, char_length(word) AS letters,
            count(*) FILTER (WHERE retired_at IS NULL) AS guessable,
            count(*) FILTER (WHERE retired_at IS NULL AND is_secret) AS secret,
            count(*) FILTER (WHERE retired_at IS NOT NULL) AS retired
            FROM words GROUP BY language, char_length(word)) AS counts)::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_word_lists(bytea) TO juliet_service;

-- Reads a word.
--
-- Called by: the service (the admin page).
-- Refuses: not-found.
CREATE OR REPLACE FUNCTION admin_word(session bytea, list_language text, spelled text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    found jsonb := show_word(list_language, spelled);
BEGIN
    IF admin_may(session, 'words') IS NULL THEN RETURN admin_refused(session); END IF;
    IF found IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, found::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_word(bytea, text, text) TO juliet_service;

-- Changes a word, once under a name: retire, restore, secret, guessable; addSecret and addGuessable add it. Words of
-- days that are chosen stay as they are.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed; the table words against writers; for both it waits 0.5 s; rows of users, as change_words does.
-- Answers: the word. Refuses: not-found, word-known, word-refused (it is blocked), operation-reused; words-busy, when somebody else changes words;
-- promotion-slow, when too many words were played to look for this one.
CREATE OR REPLACE FUNCTION admin_change_word(
    session bytea, list_language text, spelled text, change text, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET lock_timeout = '500ms' AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'words');
    adds boolean := change IN ('addSecret', 'addGuessable');
    is_changed boolean := false;
    w words;
    earlier admin_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    earlier := begin_deed(NULL, why, operation, request);
    IF earlier.refusal IS NOT NULL THEN RETURN earlier; END IF;
    IF earlier IS NULL THEN
        LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
        SELECT * INTO w FROM words WHERE language = list_language AND word = spelled;
        IF FOUND = adds THEN RETURN admin_refusal(CASE WHEN adds THEN 'word-known' ELSE 'not-found' END); END IF;
        IF (adds OR change = 'restore') AND is_blocked_word(spelled) THEN RETURN admin_refusal('word-refused'); END IF;
        IF adds THEN
            INSERT INTO words (language, word, is_secret) VALUES (list_language, spelled, change = 'addSecret');
            PERFORM record_action(who, 'word.add', NULL, list_language || '/' || spelled, why,
                jsonb_build_object('isSecret', change = 'addSecret', 'isRetired', false), operation, request);
            PERFORM refresh_word_lists();
            is_changed := true;
        ELSE
            -- Who has played a word that could only be guessed is found by reading all that was played.
            IF change = 'secret' AND w.place IS NULL
                AND (SELECT reltuples FROM pg_class WHERE oid = 'played_words'::regclass) > 1000000
            THEN RETURN admin_refusal('promotion-slow'); END IF;
            is_changed := change_words(who, list_language, ARRAY[spelled], change, why, operation, request) <> '{}';
        END IF;
    END IF;
    RETURN ROW(NULL, (show_word(list_language, spelled)
        || jsonb_build_object('isChanged', is_changed, 'isReplay', NOT earlier IS NULL))::text)::admin_answer;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN admin_refusal('words-busy');
    -- The table says what a word is, but with the whole row.
    WHEN check_violation OR not_null_violation THEN
        RAISE 'this is not a word of the language' USING ERRCODE = 'invalid_parameter_value';
END
$$;
GRANT EXECUTE ON FUNCTION admin_change_word(bytea, text, text, text, text, text, bigint) TO juliet_service;

-- Lists the planned days, the first and the last day that can be planned, and the list that their words are of.
--
-- Called by: the service (the admin page).
CREATE OR REPLACE FUNCTION admin_planned_days(session bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    last_kept date := last_kept_day();
    held rules;
BEGIN
    IF admin_may(session, 'words') IS NULL THEN RETURN admin_refused(session); END IF;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    RETURN ROW(NULL, jsonb_build_object('language', held.language, 'length', held.letters, 'from', last_kept + 1,
        'to', last_kept + 398, 'days', (
            SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('day', planned_day, 'word', planned_word,
                'isRetired', nullif(is_retired, false))) ORDER BY planned_day), '[]')
            FROM list_planned_days()))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_planned_days(bytea) TO juliet_service;

-- Plans the word of a day.
--
-- Called by: the service (the admin page).
-- Locks: as plan_days; for each table it waits 0.5 s.
-- Answers: the day, and whether that changed anything. Refuses: day-early, day-late, word-unknown, word-retired,
-- word-repeated; words-busy, when somebody else changes words or rules.
CREATE OR REPLACE FUNCTION admin_plan_day(
    session bytea, wanted date, spelled text, may_repeat boolean
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET lock_timeout = '500ms' AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'words');
    planned record;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    IF wanted IS NULL OR spelled IS NULL OR may_repeat IS NULL THEN
        RAISE 'a plan needs a day, a word and whether it may repeat one' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT * INTO planned FROM plan_days(who, ARRAY[wanted], ARRAY[spelled], may_repeat, NULL);
    IF planned.fault IS NOT NULL THEN RETURN admin_refusal(planned.fault); END IF;
    RETURN ROW(NULL, jsonb_build_object(
        'day', wanted, 'word', spelled, 'isChanged', planned.place IS NOT NULL)::text)::admin_answer;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN admin_refusal('words-busy');
END
$$;
GRANT EXECUTE ON FUNCTION admin_plan_day(bytea, date, text, boolean) TO juliet_service;

-- Gives a planned day back to chance.
--
-- Called by: the service (the admin page).
-- Locks: as unplan_days; for each table it waits 0.5 s.
-- Answers: the day, and whether it was planned. Refuses: day-early; words-busy, when somebody else changes words or rules.
CREATE OR REPLACE FUNCTION admin_clear_day(session bytea, wanted date, why text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET lock_timeout = '500ms' AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'words');
    cleared record;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    IF wanted IS NULL THEN RAISE 'a day is missing' USING ERRCODE = 'invalid_parameter_value'; END IF;
    PERFORM check_reason(why);
    SELECT * INTO cleared FROM unplan_days(who, ARRAY[wanted], why);
    IF cleared.fault = 'day-early' THEN RETURN admin_refusal(cleared.fault); END IF;
    RETURN ROW(NULL, jsonb_build_object('day', wanted, 'isChanged', cleared.fault IS NULL)::text)::admin_answer;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN admin_refusal('words-busy');
END
$$;
GRANT EXECUTE ON FUNCTION admin_clear_day(bytea, date, text) TO juliet_service;
