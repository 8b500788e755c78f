-- Players: those of the app, and those of /v2, who have more in other tables.
--
-- Every column that holds a player's id is text COLLATE "C": ids compare byte by byte, so an index lookup is a memcmp
-- in every locale. In tables with rows of each player the id leads the key, so a distributed PostgreSQL can keep the
-- rows of a player on one server.
--
-- Tables that a game writes to have no CHECK constraints: PostgreSQL parses those of a table again for every statement
-- that writes to it (3 µs each), and counting a win writes to users too.

-- migrate:backward-compatible
-- migrate:up

-- What energy was due at a moment, from which the time for the next runs.
CREATE TYPE refill_clock AS (due integer, since timestamptz);

-- One row per player. The id is the app's vendorID or another account id, as the app spells it. A player of /v2 has a
-- UUID of version 8 in lower case, a form that no account id of the app may have. They alone have a clock (refill).
--
-- ledger_entry is the number of the last entry of the player's ledger, ledger_seal a running checksum of all entries.
-- Both change with the balance and with a row of energy_ledger, in change_energy(). No entry is older than ledger_at, the
-- time of the one before.
--
-- words_played numbers the rows of played_words. played_secrets has a bit for each secret word, at the word's place: 1
-- when the player has played it. The app says which: what the service deals and judges by itself has bits of its own
-- (players.judged_secrets).
--
-- Free space on each page keeps an update of the balance on its page. It changes no indexed column (HOT).
CREATE TABLE users (
    id text COLLATE "C" NOT NULL,
    energy integer NOT NULL,
    ledger_entry integer NOT NULL,
    ledger_seal bigint NOT NULL,
    ledger_at timestamptz NOT NULL DEFAULT now(),
    wins integer NOT NULL DEFAULT 0,
    words_played integer NOT NULL DEFAULT 0,
    played_secrets bit varying NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    refill refill_clock,
    CONSTRAINT users_pkey PRIMARY KEY (id)
) WITH (fillfactor = 80);
-- Operators look at the newest players.
CREATE INDEX users_created_at_idx ON users (created_at, id);

-- migrate:down
DROP TABLE users;
DROP TYPE refill_clock;
