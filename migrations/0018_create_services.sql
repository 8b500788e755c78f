-- The services that run on this database. Each renews its row every ten seconds, so that `juliet migrate prune` knows
-- which releases still call functions that no file has any more.

-- migrate:backward-compatible
-- migrate:up
CREATE TABLE services (
    id uuid NOT NULL,
    release text COLLATE "C" NOT NULL,
    code_checksum text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT services_pkey PRIMARY KEY (id)
) WITH (fillfactor = 50);

-- migrate:down
DROP TABLE services;
