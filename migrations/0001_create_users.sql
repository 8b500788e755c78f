-- One row a player. The id is the app's vendorID or any other account id, as the app spells it; it compares byte by
-- byte (collation "C"), so an index probe is a memcmp whatever the cluster's locale is.
--
-- energy_entry numbers the changes of the balance; the three columns after it carry the reason of a change to the
-- ledger's trigger (0002) and are empty at rest, but for the reason that a row was made with.

-- migrate:up
CREATE TABLE users (
    id text COLLATE "C" NOT NULL,
    energy integer NOT NULL,
    wins integer NOT NULL DEFAULT 0,
    energy_entry integer NOT NULL DEFAULT 1,
    energy_reason text,
    energy_reference text,
    energy_operation_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_id_check CHECK (char_length(id) BETWEEN 1 AND 128),
    CONSTRAINT users_energy_check CHECK (energy >= 0),
    CONSTRAINT users_wins_check CHECK (wins >= 0),
    CONSTRAINT users_energy_entry_check CHECK (energy_entry >= 1)
) WITH (fillfactor = 80);
-- Room on each page keeps updates of the balance on it, where they touch no index (HOT).

-- migrate:down
DROP TABLE users;
