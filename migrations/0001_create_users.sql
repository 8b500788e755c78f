-- One row a player. The id is the app's vendorID or any other account id, as the app spells it. It compares byte by
-- byte (collation "C"), so an index probe is a memcmp whatever the cluster's locale is. Everywhere a column holds a
-- player's id it has this very type, and it is the leading key column: so a distributed PostgreSQL can keep what is a
-- player's together.
--
-- ledger_entry and ledger_seal say how the player's ledger (0002) ends: the number of its last entry, and a running
-- digest of all. They and the balance change together with a row of the ledger, in change_energy() (0006).
--
-- played_secrets has a bit for each secret word, at the word's place (0003): 1 when the player has played it.
-- words_played numbers the rows of played_words (0004).

-- migrate:up
CREATE TABLE users (
    id text COLLATE "C" NOT NULL,
    energy integer NOT NULL,
    ledger_entry integer NOT NULL,
    ledger_seal bigint NOT NULL,
    wins integer NOT NULL DEFAULT 0,
    words_played integer NOT NULL DEFAULT 0,
    played_secrets bit varying NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    -- No checks: PostgreSQL parses a table's anew for every statement that writes to it (3 µs each), wins among them.
    CONSTRAINT users_pkey PRIMARY KEY (id)
) WITH (fillfactor = 80);
-- Room on each page keeps updates of the balance on it, where they touch no index (HOT).

-- migrate:down
DROP TABLE users;
