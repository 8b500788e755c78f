-- What becomes of ledgers when an operator tends them.
--
-- Old entries go to the archive (juliet energy archive): always a prefix of a player's entries, never the last one.
-- From there they may go out to files (juliet energy archive --to). energy_checkpoints says where the rest goes on: for
-- each player, after which entry, balance and seal the ledger begins, and the archive. Files do not name players: each
-- part of a player's is known by file_id, and what leads from the player to it stands here alone, so a deleted player's
-- files lead back to nobody.
--
-- The ledger of a deleted player goes on under a random pseudonym with a tab in it, which no client can register.
-- closed_ledgers says how it ends, as users does for a living player.
--
-- No right of the service's: it neither reads nor writes them. Who moves rows between these tables locks
-- energy_ledger_archive first, so that no two do it at once.

-- migrate:up
CREATE TABLE energy_ledger_archive (
    user_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason energy_reason NOT NULL,
    reference text,
    operation_id text COLLATE "C" NOT NULL,
    operation_request bigint,
    created_at timestamptz NOT NULL,
    CONSTRAINT energy_ledger_archive_pkey PRIMARY KEY (user_id, entry)
);

CREATE TYPE ledger_part AS ENUM ('archive', 'ledger');

CREATE TABLE energy_checkpoints (
    user_id text COLLATE "C" NOT NULL,
    begins ledger_part NOT NULL,
    entry integer NOT NULL,
    balance integer NOT NULL,
    seal bigint NOT NULL,
    file_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_checkpoints_pkey PRIMARY KEY (user_id, begins)
);

CREATE TABLE closed_ledgers (
    user_id text COLLATE "C" NOT NULL,
    ledger_entry integer NOT NULL,
    ledger_balance integer NOT NULL,
    ledger_seal bigint NOT NULL,
    closed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT closed_ledgers_pkey PRIMARY KEY (user_id)
);

-- migrate:down
DROP TABLE closed_ledgers;
DROP TABLE energy_checkpoints;
DROP TYPE ledger_part;
DROP TABLE energy_ledger_archive;
