-- Refunds, and refunds that the store reverses.

-- Records that the store has refunded a transaction, or has not, as of a date (since), and changes the balance to
-- match.
--
-- Called by: apply_notification, take_purchase.
-- Locks: the player's row of users, or of closed_ledgers after a deletion; then the transaction.
-- Answers: true when it changed something. It raises an error when the balance would be too high.
--
-- The newest date counts; of two statements with the same date, the refund counts. So their order does not matter.
--
-- The player is locked before the transaction, which names the player. If that has changed by the time the
-- transaction is locked, the function starts again.
CREATE OR REPLACE FUNCTION decide_purchase(
    env text, transaction text, refunded boolean, since timestamptz
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    p juliet.purchases;
    player text;
    first_entry integer;
    new_entry integer;
    is_settled boolean := false;
BEGIN
    LOOP
        SELECT user_id INTO player FROM purchases WHERE environment = env AND transaction_id = transaction;
        IF NOT FOUND THEN
            INSERT INTO purchases (environment, transaction_id, is_refunded, decided_at)
            VALUES (env, transaction, refunded, since) ON CONFLICT DO NOTHING;
            IF FOUND THEN RETURN true; END IF;
            CONTINUE;
        END IF;
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN PERFORM FROM closed_ledgers WHERE user_id = player FOR NO KEY UPDATE; END IF;
        SELECT * INTO STRICT p FROM purchases WHERE environment = env AND transaction_id = transaction FOR UPDATE;
        EXIT WHEN p.user_id IS NOT DISTINCT FROM player;
    END LOOP;
    IF (p.decided_at, p.is_refunded) >= (since, refunded) THEN RETURN false; END IF;
    first_entry := p.credit_entry;
    new_entry := p.last_entry;
    IF p.is_refunded <> refunded AND p.user_id IS NOT NULL THEN
        is_settled := true;
        IF refunded THEN new_entry := settle_purchase(p, -p.energy, 'refund');
        ELSIF p.credit_entry IS NOT NULL THEN new_entry := settle_purchase(p, p.energy, 'refund');
        ELSE
            new_entry := settle_purchase(p, p.energy, 'purchase');
            first_entry := new_entry;
        END IF;
    END IF;
    UPDATE purchases SET is_refunded = refunded, decided_at = since, credit_entry = first_entry, last_entry = new_entry,
        last_ledger = CASE WHEN NOT is_settled THEN last_ledger END
    WHERE environment = env AND transaction_id = transaction;
    RETURN true;
END
$$;

-- Changes the balance of a transaction's player, who may be deleted.
--
-- Called by: decide_purchase, which holds the player's row.
-- Answers: the number of the entry.
CREATE OR REPLACE FUNCTION settle_purchase(p purchases, change integer, reason energy_reason) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    reference text := purchase_reference(p.environment, p.transaction_id);
    held juliet.rules;
    answer juliet.operation_answer;
BEGIN
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    answer := change_energy(p.user_id, change, reason, reference, NULL, NULL, held => held);
    IF answer.refusal = 'user-unknown' THEN RETURN change_closed_energy(p.user_id, change, reason, reference); END IF;
    IF answer.refusal IS NOT NULL THEN
        RAISE 'the balance would be too high' USING ERRCODE = 'numeric_value_out_of_range';
    END IF;
    RETURN (SELECT ledger_entry FROM users WHERE id = p.user_id);
END
$$;
