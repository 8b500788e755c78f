-- Places of secrets, and the lists of what can be dealt.

-- A number of bits, none of them set.
CREATE OR REPLACE FUNCTION no_bits(size integer) RETURNS bit varying
LANGUAGE sql IMMUTABLE AS $$ SELECT "bit"(B'', size, true) $$;

-- Bits of places, and the one at a place set; as they are when the place is NULL. They grow by 512, so seldom.
--
-- Called by: note_played_word, record_played_word_each, end_game, resign_game_each.
CREATE OR REPLACE FUNCTION with_bit(bits bit varying, place integer) RETURNS bit varying
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(set_bit("bit"(bits, greatest(length(bits), (place / 512 + 1) * 512), true), place, 1), bits)
$$;

-- The letters of words, which are joined to one text, each once, by their code points; NULL when they are all of ASCII, or
-- more than 64, which no keyboard has room for.
--
-- Called by: refresh_word_lists; operators (juliet audit).
CREATE OR REPLACE FUNCTION alphabet_of(joined text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(letter, '' ORDER BY letter)
    FROM (SELECT DISTINCT letter COLLATE "C" AS letter FROM string_to_table(joined, NULL) AS letter
        WHERE octet_length(joined) > char_length(joined)) AS letters
    HAVING count(*) <= 64
$$;

-- Retires words that are blocked, gives places to secrets that have none, updates word_lists to the words that can be dealt,
-- seals the lists, and notes their letters. Every function that changes words calls this at the end.
--
-- Called by: change_words, admin_change_word; operators (juliet words import).
-- Locks: the table words; the rows of users whose players have played a new secret, by id, as batches do.
--
-- A word may have been played before it became a secret, when it could only be guessed: then its players get the bit.
-- That goes player by player, because on a distributed database no statement locks the rows of several players.
CREATE OR REPLACE FUNCTION refresh_word_lists() RETURNS void
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    blocked text[];
    moment timestamptz := now();
    w words;
    promoted integer[];
    size integer;
    played record;
BEGIN
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    blocked := carried_blocked_words() || ARRAY(SELECT word FROM blocked_words);
    FOR w IN UPDATE words SET retired_at = coalesce(retired_at, moment), is_banned = true
        WHERE word = ANY (blocked) AND NOT is_banned RETURNING *
    LOOP
        PERFORM record_action('juliet', 'word.retire', NULL, w.language || '/' || w.word, 'it is blocked',
            jsonb_build_object('isSecret', w.is_secret, 'isRetired', true), NULL, NULL);
    END LOOP;
    SELECT array_agg(id) INTO promoted FROM words WHERE is_secret AND place IS NULL AND created_at < now();
    UPDATE words SET place = fresh.place
    FROM (SELECT id, (SELECT coalesce(max(place), -1) FROM words) + row_number() OVER (ORDER BY id) AS place
        FROM words WHERE is_secret AND place IS NULL) AS fresh
    WHERE words.id = fresh.id;
    -- In steps of 512, so that the bits of a player seldom grow.
    SELECT (max(place) / 512 + 1) * 512 INTO size FROM words;

    IF promoted IS NOT NULL THEN
        FOR played IN
            SELECT user_id, bit_or(set_bit(no_bits(size), place, 1)) AS bits
            FROM played_words JOIN words ON words.id = word_id
            WHERE word_id = ANY (promoted) GROUP BY user_id ORDER BY user_id
        LOOP
            UPDATE users SET played_secrets = "bit"(played_secrets, size, true) | played.bits WHERE id = played.user_id;
        END LOOP;
    END IF;

    INSERT INTO word_lists (language, letters, dealable, seal, alphabet)
    SELECT language, char_length(word), bit_or(CASE WHEN is_secret AND retired_at IS NULL
            THEN set_bit(no_bits(size), place, 1) ELSE no_bits(size) END) FILTER (WHERE place IS NOT NULL),
        bit_xor(word_part(id, language, word, is_secret, place, retired_at IS NOT NULL, is_banned, meaning)),
        alphabet_of(string_agg(word, ''))
    FROM words GROUP BY language, char_length(word) HAVING count(place) > 0
    ON CONFLICT (language, letters) DO UPDATE SET dealable = EXCLUDED.dealable, seal = EXCLUDED.seal,
        alphabet = EXCLUDED.alphabet
    WHERE word_lists.dealable <> EXCLUDED.dealable OR word_lists.seal IS DISTINCT FROM EXCLUDED.seal
        OR word_lists.alphabet IS DISTINCT FROM EXCLUDED.alphabet;
END
$$;
