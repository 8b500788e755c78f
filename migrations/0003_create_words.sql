-- The words of all languages and lengths. Every word here may be guessed; some are secrets as well, so a secret that
-- cannot be guessed cannot be stored. A word is never deleted, only retired: a retired word is not dealt any more. What
-- an operator retired by hand stays retired whatever is imported (is_banned); what lists no longer name comes back when
-- they do again.
--
-- Each secret has a place, given once and for good: its bit in users.played_secrets. word_lists has a row for each
-- language and length, whose bits say which places can be dealt. What changes words calls refresh_word_lists() at its
-- end, which gives places to new secrets and sets the bits.

-- migrate:up
CREATE TABLE words (
    id integer GENERATED ALWAYS AS IDENTITY,
    language text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    is_secret boolean NOT NULL,
    place integer,
    retired_at timestamptz,
    is_banned boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT words_pkey PRIMARY KEY (id),
    CONSTRAINT words_language_word_key UNIQUE (language, word),
    CONSTRAINT words_place_key UNIQUE (place),
    CONSTRAINT words_language_check CHECK (language ~ '^[a-z]{2,3}$'),
    CONSTRAINT words_word_check CHECK (char_length(word) BETWEEN 4 AND 8 AND word !~ '[[:space:][:cntrl:][:digit:]]'),
    CONSTRAINT words_place_check CHECK (place IS NULL OR place >= 0 AND is_secret),
    CONSTRAINT words_is_banned_check CHECK (retired_at IS NOT NULL OR NOT is_banned)
);

CREATE TABLE word_lists (
    language text COLLATE "C" NOT NULL,
    letters integer NOT NULL,
    dealable bit varying NOT NULL,
    CONSTRAINT word_lists_pkey PRIMARY KEY (language, letters)
);

-- migrate:down
DROP TABLE word_lists;
DROP TABLE words;
