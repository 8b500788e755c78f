-- Players who go on as another player: a player of the app, who claims a player of /v2 (claims), and a player of /v2,
-- who is merged into another one (merges).
--
-- A claim gives the account's ledger the new id. In a merge a ledger never moves: that of the merged player is closed
-- (closed_ledgers) and goes on under the id that they had, which is nobody's any more. What has entries in it and
-- becomes the other player's (claims, judged_games, challenges, purchases) keeps the name of that ledger; NULL: the
-- entries are in the ledger of whose it is.

-- migrate:backward-compatible
-- migrate:up

-- account_id: the account of the app; user_id: the id that the player has now. Several accounts may go on as one player.
CREATE TABLE claims (
    account_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    ledger text COLLATE "C",
    CONSTRAINT claims_pkey PRIMARY KEY (account_id)
);
CREATE INDEX claims_user_id_idx ON claims (user_id);

-- user_id: the player who was merged. merged_into: the player who asked for it, who may have been merged since. holder:
-- whose it all is now. energy came over, by the entry of that number in the ledger of merged_into (NULL: none came).
-- When the holder is deleted, all three are pseudonyms, and of the time the day stays.
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

-- game: the one that is in the way.
CREATE TYPE merge_answer AS (refusal text, is_replay boolean, player player_answer, game shown_game);

-- migrate:down
DROP TYPE merge_answer;
DROP TABLE merges;
DROP TABLE claims;
