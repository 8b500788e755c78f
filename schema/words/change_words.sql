-- Retires or restores words of a language, or makes them secret or guessable, and writes a line of the audit trail for
-- each word that changed.
--
-- Called by: operators (juliet words retire, restore), admin_change_word, block_words.
-- Locks: the table words, then what refresh_word_lists() locks.
-- Answers: the words that changed, in order.
CREATE OR REPLACE FUNCTION change_words(
    who text, list_language text, listed text[], change text, why text, operation text, request bigint
) RETURNS text[]
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    changed text[];
    -- All servers of a distributed database get the same time.
    moment timestamptz := now();
BEGIN
    -- Rows first and the table at the end would close a circle with somebody else who changes words.
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    IF change = 'restore' AND EXISTS (SELECT FROM unnest(listed) AS spelled WHERE is_blocked_word(spelled)) THEN
        RAISE 'a blocked word cannot come back' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF change = 'retire' OR change = 'restore' THEN
        WITH changes AS (
            UPDATE words SET retired_at = CASE WHEN change = 'retire' THEN coalesce(retired_at, moment) END,
                is_banned = change = 'retire'
            WHERE language = list_language AND word = ANY (listed)
                AND (is_banned <> (change = 'retire') OR (retired_at IS NOT NULL) <> (change = 'retire'))
            RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSIF change = 'secret' OR change = 'guessable' THEN
        WITH changes AS (
            UPDATE words SET is_secret = change = 'secret'
            WHERE language = list_language AND word = ANY (listed) AND is_secret <> (change = 'secret') RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSE
        RAISE 'words can be retired, restored, made secret or guessable' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM record_action(who, 'word.' || change, NULL, list_language || '/' || word, why,
        jsonb_build_object('isSecret', is_secret, 'isRetired', retired_at IS NOT NULL), operation, request)
    FROM unnest(changed) AS word JOIN words USING (word) WHERE language = list_language ORDER BY word;
    PERFORM refresh_word_lists();
    RETURN coalesce(changed, '{}');
END
$$;
