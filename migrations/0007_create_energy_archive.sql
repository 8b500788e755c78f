-- Where old entries of the ledger go when an operator moves them out (juliet energy archive): always a prefix of a
-- player's entries, never the last one. A checkpoint says where the rest goes on, so the audit needs nothing that was
-- moved: the archive can be dumped, stored elsewhere and emptied.
--
-- No right of the service's: it neither reads nor writes them.

-- migrate:up
CREATE TABLE energy_ledger_archive (
    user_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    delta integer NOT NULL,
    balance_after energy_balance NOT NULL,
    reason energy_reason NOT NULL,
    reference text,
    operation_id text COLLATE "C" NOT NULL,
    operation_request bigint,
    created_at timestamptz NOT NULL,
    CONSTRAINT energy_ledger_archive_pkey PRIMARY KEY (user_id, entry)
);

CREATE TABLE energy_checkpoints (
    user_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    balance energy_balance NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_checkpoints_pkey PRIMARY KEY (user_id)
);

-- migrate:down
DROP TABLE energy_checkpoints;
DROP TABLE energy_ledger_archive;
