-- Every change of a balance is one append-only row, written by a trigger of the balance itself: whoever changes
-- users.energy, the row is there, in the same statement; nobody else can write one. So balance and ledger cannot
-- part, not even by a bug in the service. The trigger costs PostgreSQL about 2 µs more than the same insert inside
-- the statement.
--
-- A change says why in users.energy_reason (and, where there is one, energy_reference and energy_operation_id); a
-- change that does not is refused by the constraints. The trigger empties the three again.
--
-- No foreign key to users: the ledger outlives a player who is deleted, under a pseudonym.

-- migrate:up
CREATE TABLE energy_ledger (
    user_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason text NOT NULL,
    reference text,
    operation_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, entry),
    CONSTRAINT energy_ledger_entry_check CHECK (entry >= 1),
    CONSTRAINT energy_ledger_delta_check CHECK (delta <> 0 OR entry = 1),
    CONSTRAINT energy_ledger_balance_after_check CHECK (balance_after >= 0),
    CONSTRAINT energy_ledger_reason_check CHECK (
        reason IN ('registration', 'import', 'game', 'purchase', 'client_report', 'support')),
    -- A player's first entry, and no other, is the balance that the player was made with.
    CONSTRAINT energy_ledger_first_entry_check CHECK (
        (entry = 1) = (reason IN ('registration', 'import')) AND (entry > 1 OR delta = balance_after)),
    CONSTRAINT energy_ledger_game_check CHECK (reason <> 'game' OR delta < 0),
    CONSTRAINT energy_ledger_purchase_check CHECK (reason <> 'purchase' OR delta IN (5, 30))
);
CREATE UNIQUE INDEX energy_ledger_operation_id_key ON energy_ledger (user_id, operation_id)
    WHERE operation_id IS NOT NULL;

CREATE FUNCTION record_energy_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF NEW.energy <> OLD.energy THEN
        NEW.energy_entry := OLD.energy_entry + 1;
        INSERT INTO energy_ledger (user_id, entry, delta, balance_after, reason, reference, operation_id)
        VALUES (NEW.id, NEW.energy_entry, NEW.energy - OLD.energy, NEW.energy,
                NEW.energy_reason, NEW.energy_reference, NEW.energy_operation_id);
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
    VALUES (NEW.id, NEW.energy_entry, NEW.energy, NEW.energy,
            NEW.energy_reason, NEW.energy_reference, NEW.energy_operation_id);
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
