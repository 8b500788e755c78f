-- Two players become one: what is one player's (the other) becomes that of the player who asks for it.
--
-- A ledger never moves. The other's is closed (closed_ledgers) and goes on under the id that they had, which is
-- nobody's any more. What has entries in it and becomes the player's keeps the name of that ledger (ledger); NULL: the
-- entries are in the ledger of whose it is.

-- migrate:up
ALTER TYPE energy_reason ADD VALUE IF NOT EXISTS 'merge';

-- user_id: the other. merged_into: the player who asked for it, who may have been merged since. holder: whose it all is
-- now. energy came over, by the entry of that number in the ledger of merged_into (NULL: none came). When the holder is
-- deleted, all three are pseudonyms, and of the time the day stays.
CREATE TABLE merges (
    user_id text COLLATE "C" NOT NULL,
    merged_into text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    energy integer NOT NULL,
    entry integer,
    merged_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT merges_pkey PRIMARY KEY (user_id)
);
CREATE INDEX merges_holder_idx ON merges (holder);
CREATE INDEX merges_merged_into_idx ON merges (merged_into, merged_at);

-- Several accounts of the app may go on as one player.
ALTER TABLE claims DROP CONSTRAINT claims_user_id_key;
CREATE INDEX claims_user_id_idx ON claims (user_id);
ALTER TABLE claims ADD COLUMN ledger text COLLATE "C";
ALTER TABLE challenges ADD COLUMN ledger text COLLATE "C";
-- In whose ledgers credit_entry and last_entry are.
ALTER TABLE purchases ADD COLUMN credit_ledger text COLLATE "C";
ALTER TABLE purchases ADD COLUMN last_ledger text COLLATE "C";
-- Of what both have played one game is of the kind archive and counts nowhere; former_day and former_challenge say what
-- it was of.
ALTER TABLE judged_games ADD COLUMN ledger text COLLATE "C";
ALTER TABLE judged_games ADD COLUMN former_day date;
ALTER TABLE judged_games ADD COLUMN former_challenge text COLLATE "C";
-- A number that a player has had as well: the one under which they take part.
ALTER TABLE lottery_participants ADD COLUMN merged_into bigint;
-- What the entries in files brought that a merge takes over; NULL: they went there before this was noted.
ALTER TABLE energy_checkpoints ADD COLUMN lasting bigint;

-- game: the one that is in the way.
CREATE TYPE merge_answer AS (refusal text, is_replay boolean, player player_answer, game shown_game);

-- migrate:down
DROP TYPE merge_answer;
ALTER TABLE energy_checkpoints DROP COLUMN lasting;
ALTER TABLE lottery_participants DROP COLUMN merged_into;
ALTER TABLE judged_games DROP COLUMN former_challenge;
ALTER TABLE judged_games DROP COLUMN former_day;
ALTER TABLE judged_games DROP COLUMN ledger;
ALTER TABLE purchases DROP COLUMN last_ledger;
ALTER TABLE purchases DROP COLUMN credit_ledger;
ALTER TABLE challenges DROP COLUMN ledger;
-- The release before knows one account of a player.
DELETE FROM claims AS later USING claims AS first
WHERE first.user_id = later.user_id AND (first.claimed_at, first.account_id) < (later.claimed_at, later.account_id);
ALTER TABLE claims DROP COLUMN ledger;
DROP INDEX claims_user_id_idx;
ALTER TABLE claims ADD CONSTRAINT claims_user_id_key UNIQUE (user_id);
DROP TABLE merges;
