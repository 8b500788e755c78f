-- The services that run on this database. Each renews its row every ten seconds, so that `juliet migrate prune` knows
-- which releases still call functions that no file has any more.

-- migrate:backward-compatible
-- migrate:up

-- A hundred rows, which are there from the beginning: a service takes one that is free, or whose service was last seen
-- more than a minute ago. So whoever has taken a service over cannot make the list longer, and nobody waits for a row.
CREATE TABLE services (
    place smallint NOT NULL,
    id uuid,
    release text COLLATE "C",
    code_checksum text COLLATE "C",
    started_at timestamptz,
    seen_at timestamptz,
    CONSTRAINT services_pkey PRIMARY KEY (place),
    CONSTRAINT services_id_key UNIQUE (id),
    CONSTRAINT services_place_check CHECK (place BETWEEN 1 AND 100),
    CONSTRAINT services_free_check CHECK (num_nulls(id, release, code_checksum, started_at, seen_at) IN (0, 5))
) WITH (fillfactor = 50);
INSERT INTO services (place) SELECT generate_series(1, 100);

-- migrate:down
DROP TABLE services;
