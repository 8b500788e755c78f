-- Picks secrets of a list. Each that is not among the played ones is equally likely, whether all are left or one.

-- Picks a word for the app: one that the player has not played. When none is left, the secret that the player played
-- longest ago.
--
-- Called by: start_game, deal_word.
-- Answers: the word; NULL when the list has no words.
CREATE OR REPLACE FUNCTION pick_word(
    player text, played bit varying, list_language text, list_letters integer
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    picked text := pick_unplayed(played, list_language, list_letters);
    last_number integer := 0;
    oldest integer;
BEGIN
    WHILE picked IS NULL LOOP
        SELECT number, word_id INTO last_number, oldest FROM played_words
        WHERE user_id = player AND number > last_number ORDER BY number LIMIT 1;
        EXIT WHEN NOT FOUND;
        SELECT word INTO picked FROM words
        WHERE id = oldest AND is_secret AND place IS NOT NULL AND retired_at IS NULL
            AND language = list_language AND char_length(word) = list_letters;
    END LOOP;
    RETURN picked;
END
$$;

-- Picks a word for what the service judges: one that is not among the played ones. When none is left, any of them.
--
-- Called by: start_judged_game, pick_challenge_word.
-- Answers: the word; NULL when the list has no words.
CREATE OR REPLACE FUNCTION pick_judged_word(played bit varying, list_language text, list_letters integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    picked text := pick_unplayed(played, list_language, list_letters);
BEGIN
    IF picked IS NULL THEN picked := pick_unplayed(B'', list_language, list_letters); END IF;
    RETURN picked;
END
$$;

-- Picks for each player of a set a word that is not among the played ones, from the list of the first of them. is_judged:
-- as pick_judged_word; else as pick_word, for ids that the app gave.
--
-- Called by: start_game_each, deal_word_each, start_judged_game_each.
-- Answers: the words, in the order of the array; NULL where four tries have not found one, there is no such player, or
-- the list is another.
CREATE OR REPLACE FUNCTION pick_unplayed_each(
    ids text[], languages text[], letters integer[], is_judged boolean
) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
    list_language text := languages[1];
    list_letters integer := letters[1];
    list bit varying;
BEGIN
    SELECT dealable INTO list FROM word_lists AS l WHERE l.language = list_language AND l.letters = list_letters;
    -- The tries mention the player, so that each has tries of their own.
    RETURN (SELECT array_agg(picked.word ORDER BY asked.n)
        FROM unnest(ids, languages, letters) WITH ORDINALITY AS asked (id, language, letters, n)
        LEFT JOIN LATERAL (
            SELECT words.word FROM (
                SELECT list & ~ "bit"(CASE WHEN is_judged
                        THEN (SELECT judged_secrets FROM players AS p WHERE p.user_id = asked.id)
                        ELSE (SELECT played_secrets FROM users WHERE id = asked.id AND is_app_id(asked.id)) END,
                    length(list), true) AS bits
                WHERE asked.language = list_language AND asked.letters = list_letters OFFSET 0) AS unplayed
            CROSS JOIN LATERAL (
                SELECT tries.place FROM (
                    SELECT random_below(length(list))::integer AS place FROM generate_series(1, 4)
                    WHERE asked.n > 0 OFFSET 0) AS tries
                WHERE get_bit(unplayed.bits, tries.place) = 1 LIMIT 1) AS hit
            JOIN words ON words.place = hit.place OFFSET 0) AS picked ON true);
END
$$;

-- Picks a word that is not among the played ones.
--
-- Called by: pick_word, pick_judged_word.
-- Answers: the word; NULL when there is none.
--
-- It costs the same whether no word or all words are played.
CREATE OR REPLACE FUNCTION pick_unplayed(played bit varying, list_language text, list_letters integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    unplayed bit varying;
    size integer;
    rank bigint;
    low integer;
    high integer;
    middle integer;
    picked text;
BEGIN
    SELECT dealable & ~ "bit"(played, length(dealable), true) INTO unplayed
    FROM word_lists WHERE language = list_language AND letters = list_letters;
    size := length(unplayed);
    -- Try a few random places. That nearly always suffices while few words are played.
    FOR attempt IN 1..4 LOOP
        low := random_below(size) + 1;
        EXIT WHEN get_bit(unplayed, low - 1) = 1;
        low := NULL;
    END LOOP;
    IF low IS NULL THEN
        -- Choose a rank among the bits that are set, and find its place by halving.
        rank := random_below(bit_count(unplayed)) + 1;
        IF rank IS NOT NULL THEN
            low := 1;
            high := size;
            WHILE low < high LOOP
                middle := (low + high) / 2;
                IF bit_count(substring(unplayed FROM 1 FOR middle)) < rank THEN low := middle + 1;
                ELSE high := middle;
                END IF;
            END LOOP;
        END IF;
    END IF;
    SELECT word INTO picked FROM words WHERE place = low - 1;
    RETURN picked;
END
$$;
