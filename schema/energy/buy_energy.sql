-- Purchases without a signature: the service believes the client.

-- Adds a purchase, if the rules allow it without the store's signature.
--
-- Called by: the service (handleEnergyPurchase), buy_energy_each.
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: purchase-unverified, product-unknown, purchase-limit, energy-full, user-unknown.
CREATE OR REPLACE FUNCTION buy_energy(
    player text, amount integer, operation text, request bigint, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    last_at timestamptz := hold_app_user(player, account);
    held rules;
BEGIN
    IF last_at IS NULL THEN RETURN unknown_user(); END IF;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    IF (held.verification IN ('none', 'whenPresent')) IS NOT TRUE THEN
        RETURN refuse(player, 'purchase-unverified', operation, request, 'buy_energy');
    END IF;
    IF is_product(amount) IS NOT TRUE THEN
        RETURN refuse(player, 'product-unknown', operation, request, 'buy_energy');
    END IF;
    last_at := greatest(last_at, held.since);
    IF held.unverified_daily_limit = 0 THEN
        RETURN change_energy(player, amount, 'purchase', NULL, operation, request, 'buy_energy',
            not_before => last_at);
    END IF;
    RETURN buy_up_to(player, amount, held.unverified_daily_limit, last_at, operation, request);
END
$$;
GRANT EXECUTE ON FUNCTION buy_energy(text, integer, text, bigint, text) TO juliet_service;

-- Adds a purchase, up to so much energy (most) per player and day. not_before: as for change_energy.
--
-- Called by: buy_energy, which holds the player's row of users.
-- Answers: the balance. Refuses: purchase-limit, energy-full.
CREATE OR REPLACE FUNCTION buy_up_to(
    player text, amount integer, most bigint, not_before timestamptz, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.operation_answer;
    today date := (greatest(clock_timestamp(), not_before) AT TIME ZONE 'UTC')::date;
    day_of_entry date;
    bought bigint;
BEGIN
    IF operation IS NOT NULL THEN
        answer := first_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    SELECT energy INTO bought FROM unverified_purchases WHERE user_id = player AND day = today;
    IF NOT FOUND THEN
        -- The first purchase of the day, or the first since there is a limit.
        SELECT coalesce(sum(delta), 0) INTO bought FROM energy_ledger
        WHERE user_id = player AND entry IS NOT NULL AND reason = 'purchase' AND reference IS NULL
            AND created_at >= today::timestamp AT TIME ZONE 'UTC';
    END IF;
    IF (bought + amount <= most) IS NOT TRUE THEN
        RETURN refuse(player, 'purchase-limit', operation, request, 'buy_energy');
    END IF;
    answer := change_energy(player, amount, 'purchase', NULL, operation, request, 'buy_energy',
        not_before => not_before);
    IF answer.refusal IS NULL THEN
        -- It may be midnight since.
        SELECT (ledger_at AT TIME ZONE 'UTC')::date INTO day_of_entry FROM users WHERE id = player;
        IF day_of_entry <> today THEN bought := 0; END IF;
        INSERT INTO unverified_purchases (user_id, day, energy) VALUES (player, day_of_entry, bought + amount)
        ON CONFLICT (user_id) DO UPDATE SET day = EXCLUDED.day, energy = EXCLUDED.energy;
    END IF;
    RETURN answer;
END
$$;

-- Adds a purchase of each player of a set (operations/sets.sql). If there is a limit for a day, the complete function
-- does it all.
--
-- Called by: the service (handleEnergyPurchase, several together).
-- Locks: the players' rows of users, and of unverified_purchases for what is left. It waits for none of them.
CREATE OR REPLACE FUNCTION buy_energy_each(players text[], amounts integer[], operations text[], requests bigint[])
RETURNS TABLE (answer operation_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    held tid[];
    valid integer[];
    ruled rules;
    served bigint[];
    balances integer[];
    rest bigint;
BEGIN
    PERFORM check_set(players, set_length(amounts), set_length(operations), set_length(requests));
    held := hold_app_users(players);
    SELECT * INTO ruled FROM rules ORDER BY since DESC LIMIT 1;
    IF ruled.verification IN ('none', 'whenPresent') AND ruled.unverified_daily_limit = 0 THEN
        valid := ARRAY(SELECT CASE WHEN is_product(amount) THEN amount END FROM unnest(amounts) AS amount);
    END IF;
    SELECT c.places, c.balances INTO served, balances
    FROM change_energies(held, valid, 'purchase', NULL, players, operations, requests, 'buy_energy', ruled,
        false) AS c;
    RETURN QUERY SELECT ROW(NULL, done.balance, NULL, NULL, NULL)::operation_answer, done.place
        FROM unnest(served, balances) AS done (place, balance);
    IF cardinality(served) = cardinality(players) THEN RETURN; END IF;
    -- Who changes the limit holds rows of unverified_purchases.
    RETURN QUERY SELECT CASE WHEN NOT r.is_known THEN unknown_user()
            WHEN r.n > 0 THEN buy_energy(r.player, amounts[r.n], r.operation, r.request) END, r.n
        FROM (SELECT r.*, CASE WHEN EXISTS (SELECT FROM unverified_purchases WHERE user_id = r.player OFFSET 0)
                    AND NOT EXISTS (SELECT FROM unverified_purchases WHERE user_id = r.player
                        FOR UPDATE SKIP LOCKED OFFSET 0)
                THEN -abs(r.place) ELSE r.place END AS n
            FROM rest_of_set(players, operations, requests, held, served) AS r OFFSET 0) AS r;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(players, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION buy_energy_each(text[], integer[], text[], bigint[]) TO juliet_service;
