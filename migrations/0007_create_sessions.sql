-- Sessions of players, and the ways to open one beside the recovery code: passkeys, and the identities that providers
-- vouch for.
--
-- Passkeys and identities are looked up by names that tell no player, and are unique among all players: so in a cluster
-- their tables stay on the coordinator.

-- migrate:backward-compatible
-- migrate:up

-- One row per device. Only a digest of its token is stored (session_digest), as of a recovery code. opened_by is
-- registration, recoveryCode, passkey, or a provider's name. last_used_at is cut to the hour, so it is written at most
-- once an hour.
CREATE TABLE sessions (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    opened_by text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT date_trunc('hour', now(), 'UTC'),
    CONSTRAINT sessions_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT sessions_token_hash_key UNIQUE (token_hash, user_id)
) WITH (fillfactor = 80);

-- Passkeys (WebAuthn). user_handle is what the authenticator keeps beside its key: the 16 bytes of the id of the player
-- who registered it, which stay when that player becomes part of another. public_key is a COSE_Key. is_backup_eligible
-- (BE) never changes, is_backed_up (BS) is as last seen, last_used_at is cut to the hour.
CREATE TABLE passkeys (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    credential_id bytea NOT NULL,
    user_handle bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    is_backup_eligible boolean NOT NULL,
    is_backed_up boolean NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_used_at timestamptz,
    CONSTRAINT passkeys_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id)
) WITH (fillfactor = 80);

-- Who a player is to a provider (OpenID Connect). Who one is depends on issuer and subject; provider is the name that
-- the settings gave when it was linked. No column is an e-mail address or a name: nothing else of a token is kept.
CREATE TABLE identities (
    issuer text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    provider text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject),
    CONSTRAINT identities_user_id_key UNIQUE (user_id, provider)
);

-- Challenges of WebAuthn and nonces of OpenID Connect that were answered: 32 bytes, the first four of which are the
-- second at which it ends. So the key is in the order in which they end, and those that have ended are its beginning.
CREATE TABLE used_nonces (
    nonce bytea NOT NULL,
    CONSTRAINT used_nonces_pkey PRIMARY KEY (nonce)
);

-- What all services sign challenges and nonces with; the newest row holds. Who has it can make some, and signs nobody
-- in with them alone.
CREATE TABLE nonce_keys (
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    key bytea NOT NULL,
    CONSTRAINT nonce_keys_pkey PRIMARY KEY (since)
);
-- As random_seed() makes it, which is not there yet.
INSERT INTO nonce_keys (key)
VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- A session of a player. The first row of an answer holds the refusal alone.
CREATE TYPE session_answer AS (
    refusal text, id uuid, created_at timestamptz, last_used_at timestamptz, is_current boolean, opened_by text
);
-- What it takes to ask for a new passkey. The credentials are those that the player has.
CREATE TYPE passkey_options AS (refusal text, player text, name text, credentials bytea[]);
-- A passkey as its player sees it. The first row of a list holds the refusal alone. reason: why a new one is refused.
CREATE TYPE passkey_answer AS (
    refusal text, reason text, id uuid, credential_id bytea, name text, created_at timestamptz, last_used_at timestamptz,
    is_synced boolean
);
-- A passkey as the service needs it to verify what it signed, and whose it is.
CREATE TYPE passkey_record AS (
    player text, user_handle bytea, public_key bytea, sign_count bigint, is_backup_eligible boolean
);
-- An identity as its player sees it. The first row of a list holds the refusal alone.
CREATE TYPE identity_answer AS (
    refusal text, reason text, is_replay boolean, is_known boolean, provider text, created_at timestamptz
);

-- migrate:down
DROP TYPE identity_answer;
DROP TYPE passkey_record;
DROP TYPE passkey_answer;
DROP TYPE passkey_options;
DROP TYPE session_answer;
DROP TABLE nonce_keys;
DROP TABLE used_nonces;
DROP TABLE identities;
DROP TABLE passkeys;
DROP TABLE sessions;
