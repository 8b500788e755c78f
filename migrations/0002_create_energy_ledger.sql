-- Every change of a balance is one append-only row: an entry, numbered from 1 for each player. Rows without a number are no
-- changes: they keep the names of operations that changed no balance (a win, a refusal), so that one look finds the name of
-- any operation. The key is that name; an entry that has none is called "entry 17", a name no client can give for the blank
-- in it. One index serves both; an index or a table of its own for names would cost three times as much.
--
-- What an operation was answered is its row: refusal (NULL: done), balance_after, wins, reference (the word that was dealt).
--
-- No foreign key to users: the ledger outlives a player who is deleted, under a pseudonym.

-- migrate:up
CREATE TYPE energy_reason AS ENUM ('registration', 'import', 'game', 'purchase', 'client_report', 'support');

CREATE TABLE energy_ledger (
    user_id text COLLATE "C" NOT NULL,
    operation_id text COLLATE "C" NOT NULL,
    entry integer,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason energy_reason,
    reference text,
    operation_request bigint,
    refusal text,
    wins integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)
);

-- What the game grants, takes and sells. These numbers stand here and nowhere else; the planner puts them in the place of
-- the calls.
CREATE FUNCTION starting_energy() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 30';
CREATE FUNCTION game_price() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 5';
CREATE FUNCTION is_product(amount integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT amount IN (5, 30)';

-- What an entry says besides its number and its balance, as 64 bits. The hash functions are those by which PostgreSQL places
-- rows in hash partitions, so every release computes the same.
CREATE FUNCTION energy_entry_digest(reason energy_reason, reference text, created_at timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT hashtextextended(
        coalesce(reference, ''), hashtextextended(reason::text, (date_part('epoch', created_at) * 1000000)::bigint))
$$;

-- What an entry adds to the seal of its ledger, which is the exclusive or of all. So the seal shows when an entry was
-- altered, or the last one cut off and the player wound back, unless it was made to fit as well.
CREATE FUNCTION energy_entry_seal(entry integer, balance_after integer, digest bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS 'SELECT hashint8extended(entry, digest # balance_after)';

REVOKE ALL ON FUNCTION starting_energy(), game_price(), is_product(integer),
    energy_entry_digest(energy_reason, text, timestamptz), energy_entry_seal(integer, integer, bigint) FROM PUBLIC;

-- migrate:down
DROP FUNCTION energy_entry_seal(integer, integer, bigint);
DROP FUNCTION energy_entry_digest(energy_reason, text, timestamptz);
DROP FUNCTION is_product(integer);
DROP FUNCTION game_price();
DROP FUNCTION starting_energy();
DROP TABLE energy_ledger;
DROP TYPE energy_reason;
