-- Operators: the keys to the admin page, and the audit trail.

-- migrate:up

-- One row per key. Only the SHA-256 of a key is stored. A key is too long to be guessed, so the digest needs no salt.
CREATE TABLE admin_keys (
    key_hash bytea NOT NULL,
    name text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT admin_keys_pkey PRIMARY KEY (key_hash)
);
-- A person has one key at a time. A name whose key was revoked may get a new one.
CREATE UNIQUE INDEX admin_keys_name_key ON admin_keys (name) WHERE revoked_at IS NULL;

-- The audit trail: who changed what, when and why. The function that makes a change writes the row in the same
-- transaction; the service has no other way to write here. A row outlives a player who is deleted, under the
-- pseudonym of the ledger, and follows a player who is claimed.
--
-- actor is the name of a key, or "os:" and the name of the system's user who ran a command. user_id is the player it
-- is about, subject what else it is about, such as "en/music". operation_id names a change of a word; that of a grant
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

-- The answer to a request of the admin page: refusal (NULL: done), or the JSON to send.
CREATE TYPE admin_answer AS (refusal text, body text);

-- migrate:down
DROP TYPE admin_answer;
DROP TABLE admin_actions;
DROP TABLE admin_keys;
