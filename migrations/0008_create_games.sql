-- Games that the service judges, and the word of each day.
--
-- Nothing that the service may call or read tells the word or the salt of a game before the game is over.

-- migrate:backward-compatible
-- migrate:up

-- When each day begins: at the first moment whose date in time_zone is that day. A row is written two days before its day
-- and never changed, so what was said of a day's end stays true. Before the first row, days are those of UTC. seal is a
-- checksum of the row.
CREATE TABLE days (
    day date NOT NULL,
    starts_at timestamptz NOT NULL,
    time_zone text COLLATE "C" NOT NULL,
    seal bigint NOT NULL,
    CONSTRAINT days_pkey PRIMARY KEY (day),
    CONSTRAINT days_starts_at_key UNIQUE (starts_at)
);

-- The word of each day. It is chosen thirty days ahead; or an operator has planned it. seal is a checksum of the row.
CREATE TABLE daily_words (
    day date NOT NULL,
    language text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    salt uuid NOT NULL,
    commitment bytea NOT NULL,
    is_planned boolean NOT NULL,
    seal bigint NOT NULL,
    CONSTRAINT daily_words_pkey PRIMARY KEY (day)
);

-- id is a UUID of version 7, so the order of ids is the order of games.
--
-- kind: game (paid for, with a word of its own); daily (the day's word, begun on that day); archive (the word of a day
-- that was over, which counts nowhere); challenge (the word of the challenge with that code). is_hard: each guess has to
-- use what the guesses before have shown.
--
-- commitment is the SHA-256 of "salt:word", the salt as 32 hex digits. The player sees it when the game starts, and
-- salt and word when it is over.
--
-- The guesses stand one after the other in one text, each as long as the word. Their marks stand beside them, a
-- letter for a letter: c correct, p present, a absent. So a guess is one update of one row that changes no indexed
-- column (HOT).
--
-- reward is the energy that the word of the day brought whoever ended it on its day.
--
-- A running game knows the session that plays it, by its digest (session_hash), so a guess looks up no session. Until
-- an hour after session_seen_at the use of the session need not be noted. When a session ends, its games forget it in
-- the same transaction.
--
-- is_any_word and hint are the challenge's, so that a guess and a game that is shown need no other row.
--
-- The game of a merged player becomes that of the player who goes on; ledger is then the id under which it was paid. Of
-- what both have played one game is of the kind archive; former_day and former_challenge say what it was of.
CREATE TABLE judged_games (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    day date,
    challenge text COLLATE "C",
    is_hard boolean NOT NULL,
    language text COLLATE "C" NOT NULL,
    letters integer NOT NULL,
    word text COLLATE "C" NOT NULL,
    salt uuid NOT NULL,
    commitment bytea NOT NULL,
    guesses text COLLATE "C" NOT NULL DEFAULT '',
    marks text COLLATE "C" NOT NULL DEFAULT '',
    guess_count integer NOT NULL DEFAULT 0,
    is_won boolean NOT NULL DEFAULT false,
    reward integer,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    session_hash bytea,
    session_seen_at timestamptz,
    ledger text COLLATE "C",
    former_day date,
    former_challenge text COLLATE "C",
    is_any_word boolean NOT NULL DEFAULT false,
    hint text,
    CONSTRAINT judged_games_pkey PRIMARY KEY (user_id, id)
) WITH (fillfactor = 70);
-- A player plays one ordinary game at a time; a day's word once, whatever the kind of the game; and a challenge once.
CREATE UNIQUE INDEX judged_games_playing_key ON judged_games (user_id) WHERE kind = 'game' AND ended_at IS NULL;
CREATE UNIQUE INDEX judged_games_day_key ON judged_games (user_id, day) WHERE day IS NOT NULL;
CREATE UNIQUE INDEX judged_games_challenge_key ON judged_games (user_id, challenge) WHERE challenge IS NOT NULL;
-- Finds the results of a challenge.
CREATE INDEX judged_games_challenge_idx ON judged_games (challenge) WHERE challenge IS NOT NULL;
-- Finds the games of a day. Rows are written in the order of time, so a BRIN index needs a few bytes per range of
-- blocks.
CREATE INDEX judged_games_days_idx ON judged_games USING brin (started_at, ended_at) WITH (autosummarize = on);

-- A game as it may be shown: word, its meaning and salt only when it is over.
CREATE TYPE shown_game AS (
    id uuid, day date, language text, letters integer, guesses text, marks text, is_won boolean, commitment bytea,
    started_at timestamptz, ended_at timestamptz, word text, salt uuid, reward integer, kind text, is_hard boolean,
    challenge text, meaning text, is_any_word boolean, hint text
);
-- A game after an operation: the balance where it was paid for, and what energy is due; is_new when the game was started
-- just now; the rule of hard mode that a guess breaks: the letter, and its place or how often the guess must have it.
CREATE TYPE game_answer AS (
    refusal text, energy integer, is_replay boolean, is_new boolean, game shown_game, refill_due integer,
    refill_next_at timestamptz, rule_letter text, rule_position integer, rule_count integer
);
-- A day: its commitment and tomorrow's, the word, its meaning and the figures when it is over, and the player's game; the
-- ends of the day and of tomorrow.
CREATE TYPE daily_answer AS (
    refusal text, day date, letters integer, commitment bytea, next_commitment bytea, word text, salt uuid,
    figures bigint[], game shown_game, language text, next_language text, next_letters integer, meaning text,
    is_planned boolean, next_is_planned boolean, ends_at timestamptz, next_ends_at timestamptz
);

-- migrate:down
DROP TYPE daily_answer;
DROP TYPE game_answer;
DROP TYPE shown_game;
DROP TABLE judged_games;
DROP TABLE daily_words;
DROP TABLE days;
