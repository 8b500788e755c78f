-- Refuses a balance that changes, or begins, without an entry of the ledger, as when an owner edits users by hand.
--
-- Called by: the triggers below. For the game's functions it costs one comparison for each change (the trigger's
-- WHEN), and one lookup at the end of the transaction for a new player.
--
-- The first-entry guard is deferred, because on a distributed database the two INSERTs of a new player run one after
-- the other. It then runs as the role of the session, which may not read the tables: so SECURITY DEFINER and the
-- settings. By then the player may be gone.
CREATE OR REPLACE FUNCTION refuse_energy_without_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' OR NOT EXISTS (
        SELECT FROM energy_ledger WHERE user_id = NEW.id AND entry = NEW.ledger_entry AND balance_after = NEW.energy)
        AND EXISTS (SELECT FROM users WHERE id = NEW.id)
    THEN
        RAISE 'energy may change only together with an entry of the ledger: use juliet energy grant'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER users_energy_guard AFTER UPDATE OF energy ON users FOR EACH ROW
    WHEN (NEW.ledger_entry = OLD.ledger_entry) EXECUTE FUNCTION refuse_energy_without_entry();

CREATE CONSTRAINT TRIGGER users_first_entry_guard AFTER INSERT ON users
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_energy_without_entry();
