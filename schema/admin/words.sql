-- What operators see of words, and change.

-- Counts the words by language and length.
--
-- Called by: the service (the admin page).
CREATE OR REPLACE FUNCTION admin_word_lists(key bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    IF admin_may(key, 'words') IS NULL THEN RETURN admin_refused(key); END IF;
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
CREATE OR REPLACE FUNCTION admin_word(key bytea, list_language text, spelled text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    found jsonb := show_word(list_language, spelled);
BEGIN
    IF admin_may(key, 'words') IS NULL THEN RETURN admin_refused(key); END IF;
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
-- Answers: the word. Refuses: not-found, word-known, operation-reused; words-busy, when somebody else changes words;
-- promotion-slow, when too many words were played to look for this one.
CREATE OR REPLACE FUNCTION admin_change_word(
    key bytea, list_language text, spelled text, change text, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET lock_timeout = '500ms' AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(key, 'words');
    adds boolean := change IN ('addSecret', 'addGuessable');
    is_changed boolean := false;
    w words;
    earlier admin_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(key); END IF;
    earlier := begin_deed(NULL, why, operation, request);
    IF earlier.refusal IS NOT NULL THEN RETURN earlier; END IF;
    IF earlier IS NULL THEN
        LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
        SELECT * INTO w FROM words WHERE language = list_language AND word = spelled;
        IF FOUND = adds THEN RETURN admin_refusal(CASE WHEN adds THEN 'word-known' ELSE 'not-found' END); END IF;
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
