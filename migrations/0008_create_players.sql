-- The players of the second contract (/v2), who prove who they are. Each has a row of users too, whose id is a UUID of
-- version 8 in lower case, a form that is theirs alone: what the app sends never names one. Balance, ledger and wins are
-- there, as for any player.
--
-- A token or a recovery code is a secret of its owner: only its SHA-256 is stored. Both are too long to be guessed, so
-- the digest needs no salt.
--
-- The statistics count the games the service judged. They change with the row of the game that ended, in end_game()
-- (0011), and last_ended_at makes the ends of a player's games follow one another.

-- migrate:up
CREATE TABLE players (
    user_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    recovery_hash bytea NOT NULL,
    played integer NOT NULL DEFAULT 0,
    won integer NOT NULL DEFAULT 0,
    current_streak integer NOT NULL DEFAULT 0,
    longest_streak integer NOT NULL DEFAULT 0,
    distribution integer[] NOT NULL DEFAULT '{0,0,0,0,0,0}',
    last_ended_at timestamptz NOT NULL DEFAULT '-infinity',
    CONSTRAINT players_pkey PRIMARY KEY (user_id),
    CONSTRAINT players_recovery_hash_key UNIQUE (recovery_hash)
) WITH (fillfactor = 80);

-- One row a device. last_used_at is cut to the hour, so that it is written once an hour.
CREATE TABLE sessions (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT date_trunc('hour', now(), 'UTC'),
    CONSTRAINT sessions_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT sessions_token_hash_key UNIQUE (token_hash)
) WITH (fillfactor = 80);

-- Players of the app who became players of the second contract, and under which id they go on.
CREATE TABLE claims (
    account_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT claims_pkey PRIMARY KEY (account_id),
    CONSTRAINT claims_user_id_key UNIQUE (user_id)
);

-- migrate:down
DROP TABLE claims;
DROP TABLE sessions;
DROP TABLE players;
