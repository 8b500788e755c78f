-- Which words a player has played.

-- Records that a player played a word. A word that they played before becomes their latest.
--
-- Called by: record_played_word, end_game.
-- Locks: the player's row of users.
-- Answers: false when there is no such user.
CREATE OR REPLACE FUNCTION note_played_word(player text, word integer, word_place integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    new_number integer;
BEGIN
    LOOP
        UPDATE users SET words_played = words_played + 1,
            played_secrets = set_bit(
                "bit"(played_secrets, greatest(length(played_secrets), (word_place / 512 + 1) * 512), true),
                word_place, 1)
        WHERE id = player AND substring(played_secrets FROM word_place + 1 FOR 1) <> B'1'
        RETURNING words_played INTO new_number;
        EXIT WHEN FOUND;
        UPDATE users SET words_played = words_played + 1
        WHERE id = player AND (word_place IS NULL OR substring(played_secrets FROM word_place + 1 FOR 1) = B'1')
        RETURNING words_played INTO new_number;
        IF FOUND THEN
            -- Search from the first on: when all words have been played, the one that was dealt again is found at once.
            DELETE FROM played_words WHERE user_id = player AND number = (
                SELECT number FROM played_words WHERE user_id = player AND word_id = word ORDER BY number LIMIT 1);
            EXIT;
        END IF;
        -- The player is unknown, or was registered since the first UPDATE.
        PERFORM FROM users WHERE id = player;
        IF NOT FOUND THEN RETURN false; END IF;
    END LOOP;
    INSERT INTO played_words (user_id, number, word_id) VALUES (player, new_number, word);
    RETURN true;
END
$$;

-- Records that a player played a word.
--
-- Called by: the service (updateUserPlayedWordsList).
-- Locks: the player's row of users.
-- Refuses: word-unknown, user-unknown.
--
-- The word may be of any length and may be retired: it may have been dealt before it was retired.
CREATE OR REPLACE FUNCTION record_played_word(player text, spelled text, list_language text) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    found_id integer;
    found_place integer;
BEGIN
    SELECT id, place INTO found_id, found_place FROM words WHERE language = list_language AND word = spelled;
    IF NOT FOUND THEN RETURN refuse(player, 'word-unknown', NULL, NULL); END IF;
    IF NOT note_played_word(player, found_id, found_place) THEN
        RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer;
    END IF;
    RETURN ROW(NULL, 0, 0, NULL, NULL)::operation_answer;
END
$$;
GRANT EXECUTE ON FUNCTION record_played_word(text, text, text) TO juliet_service;
