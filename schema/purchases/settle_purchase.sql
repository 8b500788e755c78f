-- Moves the energy of a transaction's player, living or deleted, whose row is locked. Returns the entry.
CREATE OR REPLACE FUNCTION settle_purchase(p purchases, change integer, reason energy_reason) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    reference text := purchase_reference(p.environment, p.transaction_id);
    answer juliet.operation_answer := change_energy(p.user_id, change, reason, reference, NULL, NULL);
BEGIN
    IF answer.refusal = 'user-unknown' THEN RETURN change_closed_energy(p.user_id, change, reason, reference); END IF;
    IF answer.refusal IS NOT NULL THEN
        RAISE 'the balance has no room for the change' USING ERRCODE = 'numeric_value_out_of_range';
    END IF;
    RETURN (SELECT ledger_entry FROM users WHERE id = p.user_id);
END
$$;
