-- One row a player. The id is the app's vendorID or any other account id, as the app spells it; it compares byte by
-- byte (collation "C"), so an index probe is a memcmp whatever the cluster's locale is.
--
-- The limits of single values are domains, not CHECK constraints of the table: PostgreSQL parses a table's CHECKs anew
-- for every statement that writes to it (about 2 µs each, a third of what a payment costs with a dozen of them), and
-- keeps those of domains.
--
-- energy_entry numbers the changes of the balance. The columns after it carry the reason of a change, and the name of
-- the operation it belongs to, to the ledger's trigger (0002) and are empty at rest, but for the reason that a row was
-- made with. Two carry an answer back, so that a statement learns it from its own UPDATE ... RETURNING and so under the
-- row's lock: energy_changed says whether the last statement that set the balance changed it (a payment did not when
-- there was not enough), and operation_answer holds what an operation was answered that had been done before.

-- migrate:up
CREATE DOMAIN account_id AS text COLLATE "C"
    CONSTRAINT account_id_check CHECK (char_length(VALUE) BETWEEN 1 AND 128);
CREATE DOMAIN energy_balance AS integer CONSTRAINT energy_balance_check CHECK (VALUE >= 0);
CREATE DOMAIN win_count AS integer CONSTRAINT win_count_check CHECK (VALUE >= 0);
CREATE TYPE energy_reason AS ENUM ('registration', 'import', 'game', 'purchase', 'client_report', 'support');
CREATE TYPE operation_answer AS (request bigint, is_done boolean, energy integer, wins integer, word text);

CREATE TABLE users (
    id account_id NOT NULL,
    energy energy_balance NOT NULL,
    wins win_count NOT NULL DEFAULT 0,
    energy_entry integer NOT NULL DEFAULT 1,
    energy_reason energy_reason,
    energy_reference text,
    energy_changed boolean NOT NULL DEFAULT true,
    operation_id text COLLATE "C",
    operation_request bigint,
    operation_done boolean,
    operation_answer operation_answer,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_pkey PRIMARY KEY (id)
) WITH (fillfactor = 80);
-- Room on each page keeps updates of the balance on it, where they touch no index (HOT).

-- migrate:down
DROP TABLE users;
DROP TYPE operation_answer;
DROP TYPE energy_reason;
DROP DOMAIN win_count;
DROP DOMAIN energy_balance;
DROP DOMAIN account_id;
