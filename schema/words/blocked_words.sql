-- Words that are blocked: in no list, and in no challenge.

-- A text in small letters, composed, whatever the locale: how words are stored and compared with blocked ones.
--
-- Called by: create_challenge, tells_word, block_words.
CREATE OR REPLACE FUNCTION folded_word(spelled text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN normalize(lower(normalize(spelled, NFC) COLLATE "und-x-icu"), NFC); END $$;

-- Whether a word is blocked, by the release or by an operator.
--
-- Called by: create_challenge, change_words, block_words, admin_change_word; operators (juliet words restore).
CREATE OR REPLACE FUNCTION is_blocked_word(spelled text) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN spelled = ANY (carried_blocked_words()) OR EXISTS (SELECT FROM blocked_words WHERE word = spelled);
END
$$;

-- Blocks words of any language, retires them in all lists, and writes a line of the audit trail for each word that was not
-- blocked and for each that is retired.
--
-- Called by: operators (juliet words block).
-- Locks: the table words, then what change_words locks.
-- Answers: the words that were not blocked, in order.
CREATE OR REPLACE FUNCTION block_words(who text, listed text[], why text) RETURNS text[]
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    fresh text[] := '{}';
    blocked text;
    list_language text;
BEGIN
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    FOR blocked IN SELECT DISTINCT spelled COLLATE "C" FROM unnest(listed) AS spelled ORDER BY 1 LOOP
        IF (char_length(blocked) BETWEEN 4 AND 8 AND blocked = folded_word(blocked)) IS NOT TRUE THEN
            RAISE 'a word has 4 to 8 small letters, composed' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF NOT is_blocked_word(blocked) THEN fresh := fresh || blocked; END IF;
    END LOOP;
    -- Before they are blocked: then refresh_word_lists would retire them all, in nobody's name.
    FOR list_language IN SELECT DISTINCT language FROM words WHERE word = ANY (fresh) ORDER BY 1 LOOP
        PERFORM change_words(who, list_language, fresh, 'retire', why, NULL, NULL);
    END LOOP;
    FOREACH blocked IN ARRAY fresh LOOP
        INSERT INTO blocked_words (word, reason) VALUES (blocked, why);
        PERFORM record_action(who, 'words.block', NULL, blocked, why, NULL, NULL, NULL);
    END LOOP;
    RETURN fresh;
END
$$;

-- Takes back that operators blocked words. They stay retired. Writes a line of the audit trail for each.
--
-- Called by: operators (juliet words unblock).
-- Locks: the rows of blocked_words.
-- Answers: the words that operators had blocked, in order.
CREATE OR REPLACE FUNCTION unblock_words(who text, listed text[], why text) RETURNS text[]
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    freed text[] := '{}';
    blocked text;
BEGIN
    FOR blocked IN SELECT DISTINCT spelled COLLATE "C" FROM unnest(listed) AS spelled ORDER BY 1 LOOP
        DELETE FROM blocked_words WHERE word = blocked;
        CONTINUE WHEN NOT FOUND;
        PERFORM record_action(who, 'words.unblock', NULL, blocked, why, NULL, NULL, NULL);
        freed := freed || blocked;
    END LOOP;
    RETURN freed;
END
$$;
