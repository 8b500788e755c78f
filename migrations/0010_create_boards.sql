-- Leaderboards: of a day's word, and of wins in a day, a week, a month and ever.
--
-- A rank is not found by reading entries. board_counts has how many entries each range of scores has, so a rank is a
-- sum of some hundred rows, among a thousand entries or among millions. What a game changes there is noted beside the
-- player (board_changes), and tend_boards() adds the notes to the counts. A rank is the counts plus the notes that
-- are left. Notes are only inserted, so no player waits for another player or for tend_boards().

-- migrate:backward-compatible
-- migrate:up
CREATE TYPE board AS ENUM ('daily', 'day', 'week', 'month', 'all');

-- The smaller a score, the better: guesses * 2^32 + seconds on the board of the day's word, minus the wins on the
-- others.
CREATE TABLE board_entries (
    user_id text COLLATE "C" NOT NULL,
    board board NOT NULL,
    starts_on date NOT NULL,
    score bigint NOT NULL,
    reached_at timestamptz NOT NULL,
    CONSTRAINT board_entries_pkey PRIMARY KEY (user_id, board, starts_on)
) WITH (fillfactor = 80);
CREATE INDEX board_entries_score_idx ON board_entries (board, starts_on, score, reached_at, user_id);

-- How many entries each range of scores has, in three steps, each finer than the one before:
--
--   step 1   bucket = score >> 32                                 (the guesses)
--   step 2   bucket = score >> 8, within the bucket of step 1     (256 seconds, or wins)
--   step 3   bucket = score, within the bucket of step 2
--   step 0   of the day's word alone: bucket = guesses, 7 for a lost game; stays when a player is deleted
CREATE TABLE board_counts (
    board board NOT NULL,
    starts_on date NOT NULL,
    step integer NOT NULL,
    bucket bigint NOT NULL,
    count integer NOT NULL,
    CONSTRAINT board_counts_pkey PRIMARY KEY (board, starts_on, step, bucket)
) WITH (fillfactor = 50);

-- An entry that went from one score to another; NULL: it came, or went. outcome is set for the day's word alone: the
-- number of guesses of a game that was won, 7 for one that was lost.
CREATE TYPE board_change AS (board board, starts_on date, old_score bigint, new_score bigint, outcome integer);

-- Changes that are not in board_counts yet.
CREATE TABLE board_changes (
    user_id text COLLATE "C" NOT NULL,
    -- When the game ended. No two games of a player end in the same microsecond.
    noted_at timestamptz NOT NULL,
    changes board_change[] NOT NULL,
    CONSTRAINT board_changes_pkey PRIMARY KEY (user_id, noted_at)
);

-- A line of a board. The first row of an answer holds the refusal, or the number of players. The last one may be the
-- reader's own, added to the page: is_listed is then false.
CREATE TYPE board_answer AS (
    refusal text, players bigint, rank bigint, name text, score bigint, is_me boolean, is_listed boolean
);

-- migrate:down
DROP TYPE board_answer;
DROP TABLE board_changes;
DROP TYPE board_change;
DROP TABLE board_counts;
DROP TABLE board_entries;
DROP TYPE board;
