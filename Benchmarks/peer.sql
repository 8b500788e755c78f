-- The tables of Benchmarks/peer.c, in a schema of their own: only what the loads need, with the players and the words of
-- the service's tables in the same database.
CREATE SCHEMA peer;
-- Ids compare as bytes, as the service's do.
CREATE TABLE peer.users (
    id text COLLATE "C" PRIMARY KEY,
    energy integer NOT NULL CHECK (energy >= 0),
    wins integer NOT NULL DEFAULT 0,
    entries integer NOT NULL DEFAULT 0
);
CREATE TABLE peer.words (
    id integer PRIMARY KEY,
    word text COLLATE "C" UNIQUE NOT NULL
);
CREATE TABLE peer.played_words (
    user_id text COLLATE "C" NOT NULL,
    word_id integer NOT NULL,
    PRIMARY KEY (user_id, word_id)
);
CREATE TABLE peer.purchases (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL,
    amount integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
-- With --ledger each change of energy has a row here, whose name is unique.
CREATE TABLE peer.ledger (
    user_id text COLLATE "C" NOT NULL,
    operation_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason text NOT NULL,
    reference text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, operation_id)
);
CREATE INDEX ON peer.ledger USING brin (created_at);

-- The words that can be dealt, numbered from 1 without gaps: the peer draws a number.
INSERT INTO peer.words (id, word)
SELECT row_number() OVER (ORDER BY place), word
  FROM juliet.words WHERE language = 'en' AND char_length(word) = 5 AND place IS NOT NULL AND retired_at IS NULL;
-- At random, so that the rows of neighbours in the index are not neighbours in the table.
INSERT INTO peer.users (id, energy, wins) SELECT id, energy, wins FROM juliet.users ORDER BY random();
INSERT INTO peer.played_words (user_id, word_id)
SELECT user_id, words.id FROM juliet.played_words JOIN juliet.words AS theirs ON theirs.id = word_id JOIN peer.words USING (word);
