-- The words a player has played, each once, in the order in which they were played last: number counts up for each
-- player. When all secrets have been played the one with the lowest number comes round again. Whether a secret has been
-- played at all is a bit of users.played_secrets, so no index by word is needed, and the one there is serves the order.
--
-- No foreign keys: rows are written by record_played_word() (0006) alone, which holds the player's row and has just
-- read the word's. Two keys would cost as much as the rest of it, and lock rows of words that all players share.

-- migrate:up
CREATE TABLE played_words (
    user_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    word_id integer NOT NULL,
    played_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT played_words_pkey PRIMARY KEY (user_id, number)
);

-- So many bits, none of them set.
CREATE FUNCTION no_bits(size integer) RETURNS bit varying
LANGUAGE sql IMMUTABLE AS $$ SELECT "bit"(B'', size, true) $$;

-- Gives places to secrets that have none, and has word_lists say what can be dealt. A word that could only be guessed
-- before it became a secret may have been played: its players get the bit.
CREATE FUNCTION refresh_word_lists() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    promoted integer[];
    size integer;
BEGIN
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    SELECT array_agg(id) INTO promoted FROM words WHERE is_secret AND place IS NULL AND created_at < now();
    UPDATE words SET place = fresh.place
    FROM (SELECT id, (SELECT coalesce(max(place), -1) FROM words) + row_number() OVER (ORDER BY id) AS place
        FROM words WHERE is_secret AND place IS NULL) AS fresh
    WHERE words.id = fresh.id;
    -- In steps, so that a player's bits seldom grow.
    SELECT (max(place) / 512 + 1) * 512 INTO size FROM words;

    IF promoted IS NOT NULL THEN
        PERFORM FROM users WHERE id IN (SELECT user_id FROM played_words WHERE word_id = ANY (promoted))
        ORDER BY id FOR NO KEY UPDATE;
        UPDATE users SET played_secrets = "bit"(played_secrets, size, true) | bits
        FROM (SELECT user_id, bit_or(set_bit(no_bits(size), place, 1)) AS bits
            FROM played_words JOIN words ON words.id = word_id WHERE word_id = ANY (promoted) GROUP BY user_id) AS played
        WHERE users.id = played.user_id;
    END IF;

    INSERT INTO word_lists (language, letters, dealable)
    SELECT language, char_length(word),
        bit_or(CASE WHEN retired_at IS NULL THEN set_bit(no_bits(size), place, 1) ELSE no_bits(size) END)
    FROM words WHERE place IS NOT NULL GROUP BY language, char_length(word)
    ON CONFLICT (language, letters) DO UPDATE SET dealable = EXCLUDED.dealable
    WHERE word_lists.dealable <> EXCLUDED.dealable;
END
$$;
REVOKE ALL ON FUNCTION no_bits(integer), refresh_word_lists() FROM PUBLIC;

-- migrate:down
DROP FUNCTION refresh_word_lists();
DROP FUNCTION no_bits(integer);
DROP TABLE played_words;
