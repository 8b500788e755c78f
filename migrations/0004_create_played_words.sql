-- The words a player has played, each once, with the time it was played last: when all have been played, the one
-- played longest ago comes round again.

-- migrate:up
CREATE TABLE played_words (
    user_id account_id NOT NULL,
    word_id integer NOT NULL,
    played_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT played_words_pkey PRIMARY KEY (user_id, word_id),
    CONSTRAINT played_words_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT played_words_word_id_fkey FOREIGN KEY (word_id) REFERENCES words (id)
);
-- No index on word_id alone: words are retired, never deleted, so nothing looks for the players of a word.

-- migrate:down
DROP TABLE played_words;
