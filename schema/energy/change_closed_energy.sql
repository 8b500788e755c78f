-- Changes the balance of a deleted player, whose ledger is kept under a pseudonym: a transaction of theirs was
-- refunded, or its refund reversed.
--
-- Called by: settle_purchase.
-- Locks: the row of closed_ledgers.
-- Answers: the number of the new entry, which has the day for its time, like all of such a ledger.
CREATE OR REPLACE FUNCTION change_closed_energy(
    pseudonym text, change integer, reason energy_reason, reference text
) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    new_entry integer;
    balance integer;
    today timestamptz;
    digest bigint;
BEGIN
    PERFORM FROM closed_ledgers WHERE user_id = pseudonym FOR NO KEY UPDATE;
    SELECT day_of(greatest(clock_timestamp(), max(created_at))) INTO today
    FROM energy_ledger WHERE user_id = pseudonym AND entry IS NOT NULL;
    digest := energy_entry_digest(change, reason, reference, today);
    UPDATE closed_ledgers SET ledger_balance = ledger_balance + change, ledger_entry = ledger_entry + 1,
        ledger_seal = ledger_seal # energy_entry_seal(ledger_entry, ledger_balance, digest)
    WHERE user_id = pseudonym RETURNING ledger_entry, ledger_balance INTO new_entry, balance;
    IF NOT FOUND THEN
        RAISE 'the transaction belongs to no player: its player was not deleted with juliet users delete'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference, created_at)
    VALUES (pseudonym, 'entry ' || new_entry, new_entry, change, balance, reason, reference, today);
    RETURN new_entry;
END
$$;
