-- Every change of a balance is one append-only row, written by a trigger of the balance itself: whoever changes
-- users.energy, the row is there, in the same statement; the service's role cannot write one. So balance and ledger
-- cannot part, not even by a bug in the service. The trigger costs PostgreSQL about 2 µs more than the same insert
-- inside the statement.
--
-- A change says why in users.energy_reason (and, where there is one, energy_reference), and the trigger empties the two
-- again. Each reason has its kind of change: a game takes, a purchase is 5 or 30. A change without a reason, or with a
-- reason that only a new row may have, has no delta and is refused by NOT NULL.
--
-- The same trigger makes an operation happen once, however often it is asked for. A statement names it in
-- users.operation_id, with a fingerprint of what it asks in operation_request. When the trigger runs the row is locked,
-- and its query sees all that was committed before: either the name is known, then nothing changes and the statement
-- gets the first answer in users.operation_answer; or it is not, then name and effect are written together. A repeat
-- that comes while the first runs waits for it on the row's lock. The table that is written anyway needs no query
-- before: ON CONFLICT tells, and under the lock there is nobody to wait for.
--
-- An operation that changed the balance is its row in the ledger. All others (wins, played words, refusals) are rows of
-- operations. Both are found by (user_id, name): that is why the ledger's key is not (user_id, entry) but the name,
-- which for an unnamed change is "entry 17", a name no client can give for the blank in it. One index serves both, and
-- a named payment costs 5 µs more than an unnamed one; an index or a table of its own would cost 16.
--
-- enable_seqscan is off in the functions, because a session keeps their plans: one made while operations was still empty
-- would read the whole table for every change until the next ANALYZE (2,000 payments/s instead of 9,000 were measured).
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
    operation_id text COLLATE "C" NOT NULL,
    operation_request bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)
);

CREATE TABLE operations (
    user_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    request bigint NOT NULL,
    is_done boolean NOT NULL,
    energy integer NOT NULL,
    wins integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT operations_pkey PRIMARY KEY (user_id, id)
);

CREATE FUNCTION record_energy_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
    first_answer operation_answer;
BEGIN
    NEW.energy_changed := NEW.energy <> OLD.energy;
    IF NEW.energy_changed THEN
        IF NEW.operation_id IS NOT NULL THEN
            SELECT request, is_done, energy, wins, NULL INTO first_answer
            FROM operations WHERE user_id = NEW.id AND id = NEW.operation_id;
            IF FOUND THEN
                OLD.operation_answer := first_answer;
                RETURN OLD;
            END IF;
        END IF;
        NEW.energy_entry := OLD.energy_entry + 1;
        INSERT INTO energy_ledger (
            user_id, entry, delta, balance_after, reason, reference, operation_id, operation_request)
        VALUES (
            NEW.id, NEW.energy_entry,
            CASE NEW.energy_reason
                WHEN 'game' THEN (NEW.energy - OLD.energy)::energy_price
                WHEN 'purchase' THEN (NEW.energy - OLD.energy)::energy_purchase
                WHEN 'client_report' THEN NEW.energy - OLD.energy
                WHEN 'support' THEN NEW.energy - OLD.energy
            END,
            NEW.energy, NEW.energy_reason, NEW.energy_reference,
            coalesce(NEW.operation_id, 'entry ' || NEW.energy_entry), NEW.operation_request)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            -- STRICT: an unnamed change that was not recorded is an error.
            SELECT coalesce(operation_request, 0), true, balance_after, 0, reference INTO STRICT first_answer
            FROM energy_ledger WHERE user_id = NEW.id AND operation_id = NEW.operation_id;
            OLD.operation_answer := first_answer;
            RETURN OLD;
        END IF;
    ELSE
        NEW.energy_entry := OLD.energy_entry;
        IF NEW.operation_id IS NOT NULL THEN
            SELECT coalesce(operation_request, 0), true, balance_after, 0, reference INTO first_answer
            FROM energy_ledger WHERE user_id = NEW.id AND operation_id = NEW.operation_id;
            IF FOUND THEN
                OLD.operation_answer := first_answer;
                RETURN OLD;
            END IF;
            INSERT INTO operations (user_id, id, request, is_done, energy, wins)
            VALUES (
                NEW.id, NEW.operation_id, NEW.operation_request, coalesce(NEW.operation_done, false), NEW.energy,
                NEW.wins)
            ON CONFLICT DO NOTHING;
            IF NOT FOUND THEN
                SELECT request, is_done, energy, wins, NULL INTO STRICT first_answer
                FROM operations WHERE user_id = NEW.id AND id = NEW.operation_id;
                OLD.operation_answer := first_answer;
                RETURN OLD;
            END IF;
        END IF;
    END IF;
    NEW.energy_reason := NULL;
    NEW.energy_reference := NULL;
    NEW.operation_id := NULL;
    NEW.operation_request := NULL;
    NEW.operation_done := NULL;
    NEW.operation_answer := NULL;
    RETURN NEW;
END
$$;

CREATE FUNCTION record_first_energy() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO energy_ledger (
        user_id, entry, delta, balance_after, reason, reference, operation_id, operation_request)
    VALUES (
        NEW.id, NEW.energy_entry,
        CASE WHEN NEW.energy_reason IN ('registration', 'import') AND NEW.energy_entry = 1 THEN NEW.energy END,
        NEW.energy, NEW.energy_reason, NEW.energy_reference,
        coalesce(NEW.operation_id, 'entry ' || NEW.energy_entry), NEW.operation_request);
    IF NEW.operation_id IS NOT NULL THEN
        -- The next statement must not be taken for a part of this operation.
        UPDATE users SET operation_id = NULL WHERE id = NEW.id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER users_energy_change BEFORE UPDATE OF energy, energy_entry, operation_id ON users
    FOR EACH ROW EXECUTE FUNCTION record_energy_change();
-- After, not before: an insert that ON CONFLICT turns away must leave no trace.
CREATE TRIGGER users_first_energy AFTER INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION record_first_energy();

-- migrate:down
DROP TRIGGER users_energy_change ON users;
DROP TRIGGER users_first_energy ON users;
DROP FUNCTION record_energy_change();
DROP FUNCTION record_first_energy();
DROP TABLE operations;
DROP TABLE energy_ledger;
DROP DOMAIN energy_purchase;
DROP DOMAIN energy_price;
