-- The words of all languages and lengths. Every word here may be guessed; some are secrets as well, so a secret that
-- cannot be guessed cannot be stored. A word is never deleted once it was played, only retired: a retired word is not
-- dealt any more.

-- migrate:up
CREATE TABLE words (
    id integer GENERATED ALWAYS AS IDENTITY,
    language text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    is_secret boolean NOT NULL,
    retired_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT words_pkey PRIMARY KEY (id),
    CONSTRAINT words_language_word_key UNIQUE (language, word),
    CONSTRAINT words_language_check CHECK (language ~ '^[a-z]{2,3}$'),
    CONSTRAINT words_word_check CHECK (char_length(word) BETWEEN 4 AND 8 AND word !~ '[[:space:][:cntrl:][:digit:]]')
);
-- The secrets that can be dealt, in the order in which the statement that deals walks them.
CREATE INDEX words_dealable_idx ON words (language, char_length(word), id) WHERE is_secret AND retired_at IS NULL;

-- migrate:down
DROP TABLE words;
