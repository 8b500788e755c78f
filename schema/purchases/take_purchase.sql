-- One transaction of the App Store counts once, for one player.

-- Credits a transaction that a player presents, unless that was done. amount is the energy that it must be worth;
-- NULL allows any.
--
-- Called by: credit_purchase, present_purchase.
-- Locks: the player's row of users; for a revoked transaction, what decide_purchase locks, which may be another
-- player's row (the two in the order of their keys); then the transaction.
-- Answers: the balance and what was credited; is_new, when this call credited it.
-- Refuses: user-unknown, operation-reused, purchase-full; purchase-revoked, also when the store took it back before it
-- was presented; purchase-account and purchase-used, when it is another player's; purchase-product, when it is worth
-- another amount, or is new and its product is not sold any more.
CREATE OR REPLACE FUNCTION take_purchase(
    player text, t store_transaction, amount integer, operation text, request bigint
) RETURNS purchase_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.purchase_answer;
    first juliet.purchase_answer;
    changed juliet.operation_answer;
    p juliet.purchases;
    next_entry integer;
    holder text;
    is_theirs boolean;
    is_credited boolean;
BEGIN
    PERFORM check_transaction(t);
    IF t.revoked_at IS NOT NULL THEN
        -- Two players may present each other's transactions, so nobody locks theirs first.
        SELECT user_id INTO holder FROM purchases WHERE environment = t.environment AND transaction_id = t.id;
        PERFORM FROM users WHERE id = least(player, holder) FOR NO KEY UPDATE;
    END IF;
    SELECT energy, ledger_entry + 1 INTO answer.energy, next_entry FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'user-unknown'); END IF;
    IF operation IS NOT NULL THEN
        first := first_answer(player, operation, request, first);
        IF first.is_replay OR first.refusal IS NOT NULL THEN RETURN first; END IF;
    END IF;

    is_theirs := t.account IS NULL OR t.account = lower(player)
        OR EXISTS (SELECT FROM claims WHERE user_id = player AND lower(account_id) = t.account)
        OR EXISTS (SELECT FROM merges WHERE merges.holder = player AND user_id = t.account);
    -- A revoked transaction counts like the store's notification of the refund, whoever presents it.
    IF t.revoked_at IS NOT NULL THEN PERFORM decide_purchase(t.environment, t.id, true, t.revoked_at); END IF;
    LOOP
        SELECT * INTO p FROM purchases WHERE environment = t.environment AND transaction_id = t.id FOR UPDATE;
        is_credited := t.revoked_at IS NULL AND NOT coalesce(p.is_refunded, false);
        IF t.revoked_at IS NOT NULL THEN
            answer.refusal := 'purchase-revoked';
            -- It stays refused if the store has reversed the refund since: a newer copy of the transaction says so.
            EXIT WHEN p.user_id IS NOT NULL OR NOT p.is_refunded OR NOT is_theirs OR t.energy IS NULL;
        ELSE
            answer.refusal := CASE WHEN NOT is_theirs THEN 'purchase-account'
                WHEN p.user_id <> player THEN 'purchase-used'
                WHEN p.user_id IS NULL AND t.energy IS NULL THEN 'purchase-product'
                WHEN amount <> coalesce(p.energy, t.energy) THEN 'purchase-product'
                WHEN p.user_id IS NOT NULL AND p.credit_entry IS NOT NULL THEN NULL
                WHEN p.is_refunded THEN 'purchase-revoked'
                WHEN answer.energy > 2147483647 - t.energy THEN 'purchase-full' END;
            IF p.user_id IS NOT NULL OR answer.refusal <> 'purchase-revoked' THEN
                is_credited := false;
                EXIT;
            END IF;
        END IF;
        p := keep_purchase(player, t, CASE WHEN is_credited THEN next_entry END);
        EXIT WHEN p.transaction_id IS NOT NULL;
        -- Another session has changed the transaction since it was read: look again.
    END LOOP;

    IF is_credited THEN
        changed := change_energy(player, t.energy, 'purchase', purchase_reference(t.environment, t.id), operation,
            request, 'credit_purchase');
        answer.energy := changed.energy;
    ELSE
        SELECT energy INTO answer.energy FROM users WHERE id = player;
        PERFORM keep_answer(player, operation, request, 'credit_purchase', answer.refusal, answer.energy, NULL);
    END IF;
    answer.is_new := is_credited;
    IF answer.refusal IS NULL THEN
        answer.product := p.product;
        answer.quantity := p.quantity;
        answer.credited := p.energy;
    END IF;
    RETURN answer;
END
$$;

-- Raises an error unless a transaction can be one of the store's.
--
-- Called by: take_purchase.
CREATE OR REPLACE FUNCTION check_transaction(t store_transaction) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF (t.environment IN ('Production', 'Sandbox') AND octet_length(t.id) BETWEEN 1 AND 64 AND t.id !~ '[^!-~]'
        AND t.quantity BETWEEN 1 AND 10 AND (t.energy IS NULL OR t.energy > 0 AND t.energy % t.quantity = 0)
        AND t.product IS NOT NULL AND isfinite(t.signed_at) AND isfinite(coalesce(t.purchased_at, now()))
        AND isfinite(coalesce(t.revoked_at, now()))) IS NOT TRUE
    THEN
        RAISE 'this transaction cannot be credited: a value is missing or not valid' USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

-- Records who presents a transaction, even a revoked one: if the refund is reversed, that player gets the energy.
--
-- Called by: take_purchase.
-- Locks: the transaction.
-- Answers: the transaction; a row of NULLs when another player has it by now, or when it was refunded, or its refund
-- reversed, since the caller read it.
CREATE OR REPLACE FUNCTION keep_purchase(player text, t store_transaction, entry integer) RETURNS purchases
LANGUAGE plpgsql AS $$
DECLARE
    p juliet.purchases;
BEGIN
    INSERT INTO purchases AS known (
        environment, transaction_id, user_id, product, quantity, energy, purchased_at, signed_at, credit_entry,
        last_entry, seal)
    VALUES (t.environment, t.id, player, t.product, t.quantity, t.energy, t.purchased_at, t.signed_at, entry, entry,
        purchase_seal(t, now()))
    ON CONFLICT (environment, transaction_id) DO UPDATE SET user_id = EXCLUDED.user_id, product = EXCLUDED.product,
        quantity = EXCLUDED.quantity, energy = EXCLUDED.energy, purchased_at = EXCLUDED.purchased_at,
        signed_at = EXCLUDED.signed_at, credit_entry = EXCLUDED.credit_entry, last_entry = EXCLUDED.last_entry,
        created_at = EXCLUDED.created_at, seal = EXCLUDED.seal
    WHERE known.user_id IS NULL AND known.is_refunded <> (entry IS NOT NULL)
    RETURNING * INTO p;
    RETURN p;
END
$$;

-- The seal of a transaction as a player presented it.
--
-- Called by: keep_purchase, blur_records; operators (juliet audit).
CREATE OR REPLACE FUNCTION purchase_seal(t store_transaction, presented_at timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT juliet.row_seal(t.environment, t.id, t.product, t.quantity::text, t.energy::text,
        extract(epoch FROM t.purchased_at)::text, extract(epoch FROM t.signed_at)::text,
        extract(epoch FROM presented_at)::text)
$$;
