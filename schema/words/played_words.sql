-- The words that players have played.

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
            played_secrets = with_bit(played_secrets, word_place)
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
-- Called by: the service (updateUserPlayedWordsList), record_played_word_each.
-- Locks: the player's row of users.
-- Refuses: word-unknown, user-unknown.
--
-- The word may be of any length and may be retired: it may have been dealt before it was retired.
CREATE OR REPLACE FUNCTION record_played_word(
    player text, spelled text, list_language text, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    found_id integer;
    found_place integer;
BEGIN
    IF NOT app_changes(player, account) THEN RETURN unknown_user(); END IF;
    SELECT id, place INTO found_id, found_place FROM words WHERE language = list_language AND word = spelled;
    IF NOT FOUND THEN RETURN refuse(player, 'word-unknown', NULL, NULL, NULL); END IF;
    IF NOT note_played_word(player, found_id, found_place) THEN
        RETURN unknown_user();
    END IF;
    RETURN ROW(NULL, 0, 0, NULL, NULL)::operation_answer;
END
$$;
GRANT EXECUTE ON FUNCTION record_played_word(text, text, text, text) TO juliet_service;

-- Records that each player of a set played a word (operations/sets.sql): who had not played it, a word that can be or
-- could be dealt.
--
-- Called by: the service (updateUserPlayedWordsList, several together).
-- Locks: the players' rows of users.
CREATE OR REPLACE FUNCTION record_played_word_each(players text[], spelled text[], languages text[])
RETURNS TABLE (answer operation_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    is_checked boolean := check_isolation();
    held tid[];
    served bigint[];
    rest bigint;
BEGIN
    PERFORM check_set(players, set_length(spelled), set_length(languages));
    held := hold_app_users(players);
    WITH changed AS (
        UPDATE users AS u SET words_played = u.words_played + 1,
            played_secrets = with_bit(u.played_secrets, found.place)
        FROM unnest(held, spelled, languages) WITH ORDINALITY AS asked (row, word, language, n)
        CROSS JOIN LATERAL (
            SELECT w.id, w.place FROM words AS w WHERE w.language = asked.language AND w.word = asked.word OFFSET 0
        ) AS found
        WHERE u.ctid = asked.row AND substring(u.played_secrets FROM found.place + 1 FOR 1) <> B'1'
        RETURNING asked.n, u.id, u.words_played, found.id AS word_id),
    written AS (INSERT INTO played_words (user_id, number, word_id) SELECT id, words_played, word_id FROM changed)
    SELECT array_agg(n) INTO served FROM changed;
    RETURN QUERY SELECT ROW(NULL, 0, 0, NULL, NULL)::operation_answer, n FROM unnest(served) AS n;
    IF cardinality(served) = cardinality(players) THEN RETURN; END IF;
    RETURN QUERY SELECT CASE WHEN NOT r.is_known THEN unknown_user()
            WHEN r.place > 0 THEN record_played_word(r.player, spelled[r.place], languages[r.place]) END, r.place
        FROM rest_of_set(players, NULL, NULL, held, served) AS r;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(players, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION record_played_word_each(text[], text[], text[]) TO juliet_service;

-- Combines the words that two players have played, in the order in which they were last played, and the secrets of
-- their judged games.
--
-- Called by: take_over, which holds both players.
CREATE OR REPLACE FUNCTION merge_played_words(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    own_ids integer[];
    own_times timestamptz[];
    other_ids integer[];
    other_times timestamptz[];
    other_bits bit varying;
    size integer;
    last_number integer;
BEGIN
    SELECT judged_secrets INTO other_bits FROM players WHERE user_id = other;
    SELECT greatest(length(judged_secrets), length(other_bits)) INTO size FROM players WHERE user_id = player;
    UPDATE players SET judged_secrets = "bit"(judged_secrets, size, true) | "bit"(other_bits, size, true)
    WHERE user_id = player;
    SELECT array_agg(word_id ORDER BY number), array_agg(played_at ORDER BY number) INTO other_ids, other_times
    FROM played_words WHERE user_id = other;
    IF other_ids IS NULL THEN RETURN; END IF;
    SELECT array_agg(word_id ORDER BY number), array_agg(played_at ORDER BY number) INTO own_ids, own_times
    FROM played_words WHERE user_id = player;
    SELECT played_secrets INTO other_bits FROM users WHERE id = other;
    SELECT greatest(length(played_secrets), length(other_bits)) INTO size FROM users WHERE id = player;
    DELETE FROM played_words WHERE user_id = other;
    DELETE FROM played_words WHERE user_id = player;
    INSERT INTO played_words (user_id, number, word_id, played_at)
    SELECT player, row_number() OVER (ORDER BY played_at, is_own, place), word_id, played_at FROM (
        SELECT DISTINCT ON (word_id) word_id, played_at, is_own, place FROM (
            SELECT word_id, played_at, true AS is_own, place
            FROM unnest(own_ids, own_times) WITH ORDINALITY AS own (word_id, played_at, place)
            UNION ALL
            SELECT word_id, played_at, false, place
            FROM unnest(other_ids, other_times) WITH ORDINALITY AS others (word_id, played_at, place)) AS played
        ORDER BY word_id, played_at DESC, is_own DESC) AS words;
    GET DIAGNOSTICS last_number = ROW_COUNT;
    UPDATE users SET words_played = last_number,
        played_secrets = "bit"(played_secrets, size, true) | "bit"(other_bits, size, true)
    WHERE id = player;
END
$$;
