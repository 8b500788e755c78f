-- Every change of a balance is one append-only row: an entry, numbered from 1 for each player. Rows without a number
-- are no changes: they keep the names of operations that changed no balance (a win, a refusal), so that one look finds
-- the name of any operation. The key is that name; an entry that has none is called "entry 17", a name no client can
-- give for the blank in it. One index serves both; an index or a table of its own for names would cost three times as
-- much.
--
-- What an operation was answered is its row: refusal (NULL: done), balance_after, wins, reference (the word that was
-- dealt).
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

-- What the game grants, takes and sells. The planner puts the numbers in the place of the calls.
CREATE FUNCTION starting_energy() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 30';
CREATE FUNCTION game_price() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 5';
CREATE FUNCTION is_product(amount integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT amount IN (5, 30)';

-- What an entry adds to the seal of its ledger, which is the exclusive or of all. So the seal shows when an entry was
-- altered, or the last one cut off and the player wound back, unless it was made to fit as well. The hash functions are
-- those by which PostgreSQL places rows in hash partitions, so every release computes the same.
--
-- In two steps: what is known of an entry before the player's row is, and what comes from there.
CREATE FUNCTION energy_entry_digest(delta integer, reason energy_reason, reference text, created_at timestamptz)
RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT hashtextextended(coalesce(reference, ''), hashtextextended(
        coalesce(reason::text, ''), hashint4extended(delta, (date_part('epoch', created_at) * 1000000)::bigint)))
$$;
CREATE FUNCTION energy_entry_seal(entry_before integer, balance_before integer, digest bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS 'SELECT hashint4extended(balance_before, hashint4extended(entry_before, digest))';
CREATE FUNCTION energy_entry_seal(
    entry integer, delta integer, balance_after integer, reason energy_reason, reference text, created_at timestamptz
) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT energy_entry_seal(
        entry - 1, balance_after - delta, energy_entry_digest(delta, reason, reference, created_at))
$$;

-- The owner's hand: a balance that changes, or begins, without its entry is refused. Neither trigger runs for what the
-- game's functions do: the first compares the entry's number before it calls anything.
CREATE FUNCTION refuse_energy_without_entry() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' OR NOT EXISTS (
        SELECT FROM energy_ledger WHERE user_id = NEW.id AND entry = NEW.ledger_entry AND balance_after = NEW.energy)
    THEN
        RAISE 'energy changes with an entry of the ledger only: give it with juliet energy grant'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER users_energy_guard AFTER UPDATE OF energy ON users FOR EACH ROW
    WHEN (NEW.ledger_entry = OLD.ledger_entry)
    EXECUTE FUNCTION refuse_energy_without_entry();
CREATE TRIGGER users_first_entry_guard AFTER INSERT ON users FOR EACH ROW
    EXECUTE FUNCTION refuse_energy_without_entry();

REVOKE ALL ON FUNCTION starting_energy(), game_price(), is_product(integer),
    energy_entry_digest(integer, energy_reason, text, timestamptz), energy_entry_seal(integer, integer, bigint),
    energy_entry_seal(integer, integer, integer, energy_reason, text, timestamptz),
    refuse_energy_without_entry() FROM PUBLIC;

-- migrate:down
DROP TRIGGER users_first_entry_guard ON users;
DROP TRIGGER users_energy_guard ON users;
DROP FUNCTION refuse_energy_without_entry();
DROP FUNCTION energy_entry_seal(integer, integer, integer, energy_reason, text, timestamptz);
DROP FUNCTION energy_entry_seal(integer, integer, bigint);
DROP FUNCTION energy_entry_digest(integer, energy_reason, text, timestamptz);
DROP FUNCTION is_product(integer);
DROP FUNCTION game_price();
DROP FUNCTION starting_energy();
DROP TABLE energy_ledger;
DROP TYPE energy_reason;
