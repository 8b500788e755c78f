-- Challenges: one word that friends play by its code, each for themselves, and see how the others did.
--
-- As of any game, nothing that the service may call or read tells the word before its reader may know it.

-- migrate:backward-compatible
-- migrate:up

-- code: 8 characters of Crockford's base 32. maker is NULL when the maker was deleted, or has deleted the challenge;
-- then deleted_at is set, and nobody finds it any more, but the games that were begun go on. players: how many began.
-- ledger: the id under which it was paid, when its maker was merged since.
CREATE TABLE challenges (
    code text COLLATE "C" NOT NULL,
    maker text COLLATE "C",
    is_own_word boolean NOT NULL,
    is_hard boolean NOT NULL,
    language text COLLATE "C" NOT NULL,
    letters integer NOT NULL,
    word text COLLATE "C" NOT NULL,
    salt uuid NOT NULL,
    commitment bytea NOT NULL,
    created_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    players integer NOT NULL DEFAULT 0,
    deleted_at timestamptz,
    ledger text COLLATE "C",
    is_any_word boolean NOT NULL DEFAULT false,
    hint text,
    CONSTRAINT challenges_pkey PRIMARY KEY (code),
    CONSTRAINT challenges_hint_check CHECK (hint IS NULL OR is_own_word AND char_length(hint) BETWEEN 1 AND 80),
    CONSTRAINT challenges_is_any_word_check CHECK (is_own_word OR NOT is_any_word)
) WITH (fillfactor = 70);
CREATE INDEX challenges_maker_idx ON challenges (maker, created_at) WHERE maker IS NOT NULL;

-- A challenge as it may be shown: word, its meaning and salt only to whom is_open says so, and results as well. reader_name is what
-- the player who asks is called, if they have a game.
CREATE TYPE shown_challenge AS (
    code text, maker_name text, is_mine boolean, is_own_word boolean, language text, letters integer, is_hard boolean,
    commitment bytea, created_at timestamptz, ends_at timestamptz, players integer, game shown_game, is_open boolean,
    word text, salt uuid, reader_name text, meaning text, is_any_word boolean, hint text
);
-- A line of a challenge's results. game is for the service, to know whose line it is.
CREATE TYPE challenge_result AS (
    game uuid, rank integer, name text, is_won boolean, guess_count integer, seconds bigint, marks text
);
-- A challenge after a request: the balance where it was paid for, the results where they come with it.
CREATE TYPE challenge_answer AS (
    refusal text, energy integer, is_replay boolean, refill_due integer, refill_next_at timestamptz,
    challenge shown_challenge, results challenge_result[]
);

-- migrate:down
DROP TYPE challenge_answer;
DROP TYPE challenge_result;
DROP TYPE shown_challenge;
DROP TABLE challenges;
