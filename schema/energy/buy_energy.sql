-- Purchases without a signature: the service believes the client.

-- Adds a purchase, if the rules allow it without the store's signature.
--
-- Called by: the service (handleEnergyPurchase).
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: purchase-unverified, product-unknown, purchase-limit, energy-full, user-unknown.
CREATE OR REPLACE FUNCTION buy_energy(
    player text, amount integer, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    held rules;
BEGIN
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    IF (held.verification IN ('none', 'whenPresent')) IS NOT TRUE THEN
        RETURN refuse(player, 'purchase-unverified', operation, request, 'buy_energy');
    END IF;
    IF is_product(amount) IS NOT TRUE THEN
        RETURN refuse(player, 'product-unknown', operation, request, 'buy_energy');
    END IF;
    IF held.unverified_daily_limit = 0 THEN
        RETURN change_energy(player, amount, 'purchase', NULL, operation, request, 'buy_energy');
    END IF;
    RETURN buy_up_to(player, amount, held.unverified_daily_limit, operation, request);
END
$$;
GRANT EXECUTE ON FUNCTION buy_energy(text, integer, text, bigint) TO juliet_service;

-- Adds a purchase, up to so much energy (most) per player and day.
--
-- Called by: buy_energy.
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: purchase-limit, energy-full, user-unknown.
CREATE OR REPLACE FUNCTION buy_up_to(
    player text, amount integer, most bigint, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.operation_answer;
    bought bigint;
BEGIN
    PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN unknown_user(); END IF;
    IF operation IS NOT NULL THEN
        answer := first_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    SELECT energy INTO bought FROM unverified_purchases WHERE user_id = player AND day = today();
    IF NOT FOUND THEN
        -- The first purchase of the day, or the first since there is a limit.
        SELECT coalesce(sum(delta), 0) INTO bought FROM energy_ledger
        WHERE user_id = player AND entry IS NOT NULL AND reason = 'purchase' AND reference IS NULL
            AND created_at >= today()::timestamp AT TIME ZONE 'UTC';
    END IF;
    IF (bought + amount <= most) IS NOT TRUE THEN
        RETURN refuse(player, 'purchase-limit', operation, request, 'buy_energy');
    END IF;
    answer := change_energy(player, amount, 'purchase', NULL, operation, request, 'buy_energy');
    IF answer.refusal IS NULL THEN
        INSERT INTO unverified_purchases (user_id, day, energy) VALUES (player, today(), bought + amount)
        ON CONFLICT (user_id) DO UPDATE SET day = EXCLUDED.day, energy = EXCLUDED.energy;
    END IF;
    RETURN answer;
END
$$;
