-- Picks a random secret of a list that is not among the played ones. Each of these is equally likely, whether all are
-- left or one. When none is left, it picks the secret that the player played longest ago.
--
-- Called by: start_game, deal_word, start_judged_game, pick_challenge_word.
-- Answers: the word; NULL when the list has no words.
--
-- It costs the same whether no word or all words are played.
CREATE OR REPLACE FUNCTION pick_word(
    player text, played bit varying, list_language text, list_letters integer
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    unplayed bit varying;
    size integer;
    rank bigint;
    low integer;
    high integer;
    middle integer;
    last_number integer := 0;
    oldest integer;
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
    IF low IS NOT NULL THEN
        SELECT word INTO picked FROM words WHERE place = low - 1;
    ELSE
        LOOP
            SELECT number, word_id INTO last_number, oldest FROM played_words
            WHERE user_id = player AND number > last_number ORDER BY number LIMIT 1;
            EXIT WHEN NOT FOUND;
            SELECT word INTO picked FROM words
            WHERE id = oldest AND is_secret AND place IS NOT NULL AND retired_at IS NULL
                AND language = list_language AND char_length(word) = list_letters;
            EXIT WHEN FOUND;
        END LOOP;
    END IF;
    RETURN picked;
END
$$;
