-- Words, and which of them a player has played.

-- migrate:backward-compatible
-- migrate:up

-- The words of all languages and lengths. Every word here may be guessed, and some are secrets as well, so a secret
-- that cannot be guessed cannot be stored.
--
-- A word is never deleted, only retired: a retired word is not dealt any more. A word that an operator retired
-- (is_banned) stays retired whatever is imported; a word that a list dropped comes back when the list names it again.
--
-- Each secret has a place, given once: its bit in users.played_secrets and players.judged_secrets. A secret that becomes
-- a word to guess keeps its place, because the bits of players are there; it may become a secret again.
--
-- The meaning is shown with the word when a game is over.
CREATE TABLE words (
    id integer GENERATED ALWAYS AS IDENTITY,
    language text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    is_secret boolean NOT NULL,
    place integer,
    retired_at timestamptz,
    is_banned boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    meaning text,
    CONSTRAINT words_pkey PRIMARY KEY (id),
    CONSTRAINT words_language_word_key UNIQUE (language, word),
    CONSTRAINT words_place_key UNIQUE (place),
    CONSTRAINT words_language_check CHECK (language ~ '^[a-z]{2,3}$'),
    CONSTRAINT words_word_check CHECK (char_length(word) BETWEEN 4 AND 8 AND word !~ '[[:space:][:cntrl:][:digit:]]'),
    CONSTRAINT words_place_check CHECK (place IS NULL OR place >= 0),
    CONSTRAINT words_is_banned_check CHECK (retired_at IS NOT NULL OR NOT is_banned),
    CONSTRAINT words_meaning_check CHECK (char_length(meaning) BETWEEN 1 AND 280 AND meaning !~ '[[:cntrl:]]')
);

-- One row per language and length, with a bit for each place whose word can be dealt. Whatever changes words calls
-- refresh_word_lists() at the end, which gives places to new secrets, sets these bits, and writes the seal, a checksum
-- of the list's words, and the alphabet, their letters, if these are more than a to z and few enough for keys.
CREATE TABLE word_lists (
    language text COLLATE "C" NOT NULL,
    letters integer NOT NULL,
    dealable bit varying NOT NULL,
    seal bigint NOT NULL,
    alphabet text COLLATE "C",
    CONSTRAINT word_lists_pkey PRIMARY KEY (language, letters)
);

-- Words that operators block, beside those that every release blocks (carried_blocked_words), in the spelling of their
-- lists: they are retired in all lists, and no player may choose them for a challenge.
CREATE TABLE blocked_words (
    word text COLLATE "C" NOT NULL,
    reason text,
    blocked_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT blocked_words_pkey PRIMARY KEY (word)
);

-- The words a player has played, each once, in the order in which they were last played: number counts up for each
-- player. When a player has played all secrets, the one with the lowest number is dealt again. Whether a secret was
-- played at all is a bit of users.played_secrets, so there is no index by word, and the primary key gives the order.
--
-- There are no foreign keys: whoever inserts a row holds the player's row of users, and words are never deleted. Two
-- keys would cost as much as the rest of it, and would lock rows of words that all players share.
CREATE TABLE played_words (
    user_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    word_id integer NOT NULL,
    played_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT played_words_pkey PRIMARY KEY (user_id, number)
);

-- migrate:down
DROP TABLE played_words;
DROP TABLE blocked_words;
DROP TABLE word_lists;
DROP TABLE words;
