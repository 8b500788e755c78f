-- Operators: the keys to the admin page, who is signed in, and the audit trail.

-- migrate:backward-compatible
-- migrate:up

-- One row per key. Only a digest of a key is stored: the SHA-256 of the one that functions get. A key is too long to be
-- guessed, so the digest needs no salt.
-- role is what the key may do: support, words, or owner, which is everything. The line of the trail that says who made a
-- key says its role, too.
CREATE TABLE admin_keys (
    key_hash bytea NOT NULL,
    name text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    CONSTRAINT admin_keys_pkey PRIMARY KEY (key_hash),
    CONSTRAINT admin_keys_role_check CHECK (role IN ('support', 'words', 'owner'))
);
-- A person has one key at a time. A name whose key was revoked may get a new one.
CREATE UNIQUE INDEX admin_keys_name_key ON admin_keys (name) WHERE revoked_at IS NULL;

-- When a key was last used, cut to the hour; NULL: never. Services write here, and not to admin_keys: no revocation waits
-- for a row that a service holds.
CREATE TABLE admin_key_uses (
    key_hash bytea NOT NULL,
    used_at timestamptz,
    CONSTRAINT admin_key_uses_pkey PRIMARY KEY (key_hash)
);

-- Who is signed in to the admin page. session_hash is the SHA-256 of the digest that functions get, as key_hash is. A
-- session is worth no more than its key: with a revoked one it does nothing. Services write here, and no revocation waits
-- for a row here either.
CREATE TABLE admin_sessions (
    session_hash bytea NOT NULL,
    key_hash bytea NOT NULL,
    ends_at timestamptz NOT NULL,
    CONSTRAINT admin_sessions_pkey PRIMARY KEY (session_hash)
);

-- The audit trail: who changed what, when and why. The function that makes a change writes the row in the same
-- transaction; the service has no other way to write here. A row outlives a player who is deleted, under the
-- pseudonym of the ledger and with the day of its time, and follows a player who is claimed.
--
-- actor is the name of a key, or "os:" and the name of the system's user who ran a command. user_id is the player it
-- is about, subject what else it is about, such as "en/music". operation_id is the name of the change; that of a grant
-- is in the ledger.
CREATE TABLE admin_actions (
    id bigint GENERATED ALWAYS AS IDENTITY,
    done_at timestamptz NOT NULL DEFAULT now(),
    actor text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    user_id text COLLATE "C",
    subject text COLLATE "C",
    reason text,
    details jsonb,
    operation_id text COLLATE "C",
    operation_request bigint,
    CONSTRAINT admin_actions_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX admin_actions_operation_key ON admin_actions (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX admin_actions_user_id_idx ON admin_actions (user_id, id) WHERE user_id IS NOT NULL;
INSERT INTO trail_seals (trail, writer)
VALUES ('admin_actions', 'operators'), ('admin_actions', 'service'),
    ('admin_keys', 'operators'), ('admin_keys', 'service');

-- What operators did to players who are deleted since: the SHA-256 of the id that the player had, and of the trail's
-- line the day, who, what and why. Nothing leads from here to the line, and so to the ledger's pseudonym.
CREATE TABLE former_actions (
    player bytea NOT NULL,
    done_on date NOT NULL,
    actor text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    reason text
);
CREATE INDEX former_actions_player_idx ON former_actions (player);

-- The answer to a request of the admin page: refusal (NULL: done), or the JSON to send.
CREATE TYPE admin_answer AS (refusal text, body text);

-- migrate:down
DROP TYPE admin_answer;
DROP TABLE former_actions;
DELETE FROM trail_seals WHERE trail IN ('admin_actions', 'admin_keys');
DROP TABLE admin_actions;
DROP TABLE admin_sessions;
DROP TABLE admin_key_uses;
DROP TABLE admin_keys;
