-- Which word a player is dealt: the first of some random candidates that they have not played; else, when all happen to
-- be played, the first unplayed word after a random one, once around; else the word played longest ago.
--
-- A function rather than one expression in the statement that deals: there, PostgreSQL sets up all four searches for
-- every deal, and the last three, which almost none needs, took a third of the statement's time.

-- migrate:up
CREATE FUNCTION deal_word(
    player text, candidates integer[], start integer, list_language text, list_length integer
) RETURNS text
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
    candidate integer;
    dealt text;
BEGIN
    FOREACH candidate IN ARRAY candidates LOOP
        SELECT word INTO dealt FROM words
        WHERE id = candidate AND retired_at IS NULL
            AND NOT EXISTS (SELECT FROM played_words WHERE user_id = player AND word_id = candidate);
        IF FOUND THEN RETURN dealt; END IF;
    END LOOP;

    -- OFFSET 0 keeps the planner from reading the player's whole list for each probe.
    SELECT word INTO dealt FROM words
    WHERE language = list_language AND char_length(word) = list_length AND is_secret AND retired_at IS NULL
        AND id >= start
        AND NOT EXISTS (SELECT FROM played_words WHERE user_id = player AND word_id = id OFFSET 0)
    ORDER BY id LIMIT 1;
    IF FOUND THEN RETURN dealt; END IF;

    SELECT word INTO dealt FROM words
    WHERE language = list_language AND char_length(word) = list_length AND is_secret AND retired_at IS NULL
        AND id < start
        AND NOT EXISTS (SELECT FROM played_words WHERE user_id = player AND word_id = id OFFSET 0)
    ORDER BY id LIMIT 1;
    IF FOUND THEN RETURN dealt; END IF;

    SELECT word INTO dealt FROM played_words JOIN words ON id = word_id
    WHERE user_id = player
        AND language = list_language AND char_length(word) = list_length AND is_secret AND retired_at IS NULL
    ORDER BY played_at, id LIMIT 1;
    RETURN dealt;
END
$$;

-- migrate:down
DROP FUNCTION deal_word(text, integer[], integer, text, integer);
