-- Energy that comes back to players of /v2 with time, and for the word of the day.

-- migrate:up
ALTER TYPE energy_reason ADD VALUE IF NOT EXISTS 'refill';
ALTER TYPE energy_reason ADD VALUE IF NOT EXISTS 'daily';

-- Each whole refill_every (seconds) makes refill_amount due, up to a balance of refill_up_to. Zero is off. Rules of before
-- get the same: there are no entries that they could be held against.
ALTER TABLE rules ADD COLUMN refill_amount integer NOT NULL DEFAULT 5;
ALTER TABLE rules ADD COLUMN refill_every integer NOT NULL DEFAULT 14400;
ALTER TABLE rules ADD COLUMN refill_up_to integer NOT NULL DEFAULT 30;
ALTER TABLE rules ADD COLUMN daily_reward integer NOT NULL DEFAULT 5;
ALTER TABLE rules ALTER COLUMN refill_amount DROP DEFAULT;
ALTER TABLE rules ALTER COLUMN refill_every DROP DEFAULT;
ALTER TABLE rules ALTER COLUMN refill_up_to DROP DEFAULT;
ALTER TABLE rules ALTER COLUMN daily_reward DROP DEFAULT;
ALTER TABLE rules ADD CONSTRAINT rules_refill_amount_check CHECK (refill_amount BETWEEN 0 AND 1000000);
ALTER TABLE rules ADD CONSTRAINT rules_refill_every_check CHECK (refill_every BETWEEN 0 AND 31536000);
ALTER TABLE rules ADD CONSTRAINT rules_refill_up_to_check CHECK (refill_up_to BETWEEN 0 AND 1000000);
ALTER TABLE rules ADD CONSTRAINT rules_daily_reward_check CHECK (daily_reward BETWEEN 0 AND 1000000);
-- What was due at a moment, from which the time for the next runs.
CREATE TYPE refill_clock AS (due integer, since timestamptz);
-- Every player of /v2 has a clock, and nobody else.
ALTER TABLE users ADD COLUMN refill refill_clock;
UPDATE users SET refill = ROW(0, now())::refill_clock
WHERE id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';

-- What the word of the day brought whoever ended it on its day.
ALTER TABLE judged_games ADD COLUMN reward integer;

ALTER TYPE player_answer ADD ATTRIBUTE refill_due integer, ADD ATTRIBUTE refill_next_at timestamptz;
ALTER TYPE game_answer ADD ATTRIBUTE refill_due integer, ADD ATTRIBUTE refill_next_at timestamptz;
ALTER TYPE shown_game ADD ATTRIBUTE reward integer;
-- The balance after a refill and what is due then; or why there was none, and for how long (seconds).
CREATE TYPE refill_answer AS (
    refusal text, energy integer, is_replay boolean, refill_due integer, refill_next_at timestamptz,
    retry_after integer, taken integer
);

-- migrate:down
DROP TYPE refill_answer;
ALTER TYPE shown_game DROP ATTRIBUTE reward;
ALTER TYPE game_answer DROP ATTRIBUTE refill_next_at, DROP ATTRIBUTE refill_due;
ALTER TYPE player_answer DROP ATTRIBUTE refill_next_at, DROP ATTRIBUTE refill_due;
ALTER TABLE judged_games DROP COLUMN reward;
ALTER TABLE users DROP COLUMN refill;
DROP TYPE refill_clock;
ALTER TABLE rules DROP COLUMN daily_reward;
ALTER TABLE rules DROP COLUMN refill_up_to;
ALTER TABLE rules DROP COLUMN refill_every;
ALTER TABLE rules DROP COLUMN refill_amount;
