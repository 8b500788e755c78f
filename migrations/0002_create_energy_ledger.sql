-- Every change of a balance is one append-only row, written by a trigger of the balance itself: whoever changes
-- users.energy, the row is there, in the same statement; the service's role cannot write one. So balance and ledger
-- cannot part, not even by a bug in the service. The trigger costs PostgreSQL about 2 µs more than the same insert
-- inside the statement.
--
-- A change says why in users.energy_reason (and, where there is one, energy_reference and energy_operation_id), and
-- the trigger empties the three again. Each reason has its kind of change: a game takes, a purchase is 5 or 30. A
-- change without a reason, or with a reason that only a new row may have, has no delta and is refused by NOT NULL.
--
-- No foreign key to users: the ledger outlives a player who is deleted, under a pseudonym.

-- migrate:up
CREATE DOMAIN energy_price AS integer CONSTRAINT energy_price_check CHECK (VALUE < 0);
CREATE DOMAIN energy_purchase AS integer CONSTRAINT energy_purchase_check CHECK (VALUE IN (5, 30));

CREATE TABLE energy_ledger (
    user_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    delta integer NOT NULL,
    balance_after energy_balance NOT NULL,
    reason energy_reason NOT NULL,
    reference text,
    operation_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, entry)
);

CREATE FUNCTION record_energy_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    NEW.energy_changed := NEW.energy <> OLD.energy;
    IF NEW.energy_changed THEN
        NEW.energy_entry := OLD.energy_entry + 1;
        INSERT INTO energy_ledger (user_id, entry, delta, balance_after, reason, reference, operation_id)
        VALUES (
            NEW.id, NEW.energy_entry,
            CASE NEW.energy_reason
                WHEN 'game' THEN (NEW.energy - OLD.energy)::energy_price
                WHEN 'purchase' THEN (NEW.energy - OLD.energy)::energy_purchase
                WHEN 'client_report' THEN NEW.energy - OLD.energy
                WHEN 'support' THEN NEW.energy - OLD.energy
            END,
            NEW.energy, NEW.energy_reason, NEW.energy_reference, NEW.energy_operation_id);
    ELSE
        NEW.energy_entry := OLD.energy_entry;
    END IF;
    NEW.energy_reason := NULL;
    NEW.energy_reference := NULL;
    NEW.energy_operation_id := NULL;
    RETURN NEW;
END
$$;

CREATE FUNCTION record_first_energy() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO energy_ledger (user_id, entry, delta, balance_after, reason, reference, operation_id)
    VALUES (
        NEW.id, NEW.energy_entry,
        CASE WHEN NEW.energy_reason IN ('registration', 'import') AND NEW.energy_entry = 1 THEN NEW.energy END,
        NEW.energy, NEW.energy_reason, NEW.energy_reference, NEW.energy_operation_id);
    RETURN NULL;
END
$$;

CREATE TRIGGER users_energy_change BEFORE UPDATE OF energy, energy_entry ON users
    FOR EACH ROW EXECUTE FUNCTION record_energy_change();
-- After, not before: an insert that ON CONFLICT turns away must leave no trace.
CREATE TRIGGER users_first_energy AFTER INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION record_first_energy();

-- migrate:down
DROP TRIGGER users_energy_change ON users;
DROP TRIGGER users_first_energy ON users;
DROP FUNCTION record_energy_change();
DROP FUNCTION record_first_energy();
DROP TABLE energy_ledger;
DROP DOMAIN energy_purchase;
DROP DOMAIN energy_price;
