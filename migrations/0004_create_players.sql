-- Players of /v2, who prove who they are. Each also has a row of users, which has the balance, the ledger and the wins.
--
-- A token or a recovery code is a secret of its owner: only its SHA-256 is stored. Both are too long to be guessed,
-- so the digest needs no salt.

-- migrate:up

-- A name in the form in which it is searched: in lower case, whatever the locale, as bytes of UTF-8. Bytes, because an
-- explicit collation does not reach the other servers of a distributed database.
CREATE FUNCTION folded_name(name text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN convert_to(lower(name COLLATE "und-x-icu"), 'UTF8'); END $$;
REVOKE ALL ON FUNCTION folded_name(text) FROM PUBLIC;

-- The statistics count the games that the service judged. end_game() changes them with the row of the game that ended.
-- last_ended_at grows with each, so the games of a player ended one after the other.
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
    -- With the player's id, because a distributed PostgreSQL demands it of a unique key.
    CONSTRAINT players_recovery_hash_key UNIQUE (recovery_hash, user_id)
) WITH (fillfactor = 80);
-- Operators search names by how they begin.
CREATE INDEX players_name_idx ON players (folded_name(name), user_id);

-- One row per device. last_used_at is cut to the hour, so it is written at most once an hour.
CREATE TABLE sessions (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT date_trunc('hour', now(), 'UTC'),
    CONSTRAINT sessions_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT sessions_token_hash_key UNIQUE (token_hash, user_id)
) WITH (fillfactor = 80);

-- Players of the app who became players of /v2: the account id they had, and the id they have now.
CREATE TABLE claims (
    account_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT claims_pkey PRIMARY KEY (account_id),
    CONSTRAINT claims_user_id_key UNIQUE (user_id)
);

-- A player as they see themselves.
CREATE TYPE player_answer AS (
    refusal text, id text, name text, energy integer, created_at timestamptz, played integer, won integer,
    current_streak integer, longest_streak integer, distribution integer[]
);
-- A session of a player. The first row of an answer holds the refusal alone.
CREATE TYPE session_answer AS (
    refusal text, id uuid, created_at timestamptz, last_used_at timestamptz, is_current boolean
);
-- A change of the balance. The first row of an answer holds the refusal alone.
CREATE TYPE energy_answer AS (
    refusal text, entry integer, created_at timestamptz, delta integer, balance integer, reason text, game text
);

-- migrate:down
DROP TYPE energy_answer;
DROP TYPE session_answer;
DROP TYPE player_answer;
DROP TABLE claims;
DROP TABLE sessions;
DROP TABLE players;
DROP FUNCTION folded_name(text);
