-- Pays for a game.
--
-- Called by: the service (singleGameEnergyUpdate), pay_for_game_each.
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: energy-insufficient, user-unknown.
CREATE OR REPLACE FUNCTION pay_for_game(
    player text, operation text, request bigint, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    last_at timestamptz := hold_app_user(player, account);
    price integer;
    priced_at timestamptz;
BEGIN
    IF last_at IS NULL THEN RETURN unknown_user(); END IF;
    SELECT game_price, since INTO price, priced_at FROM rules ORDER BY since DESC LIMIT 1;
    RETURN change_energy(player, -price, 'game', NULL, operation, request, 'pay_for_game',
        not_before => greatest(last_at, priced_at));
END
$$;
GRANT EXECUTE ON FUNCTION pay_for_game(text, text, bigint, text) TO juliet_service;

-- Pays for a game of each player of a set (operations/sets.sql).
--
-- Called by: the service (singleGameEnergyUpdate, several together).
-- Locks: the players' rows of users.
CREATE OR REPLACE FUNCTION pay_for_game_each(players text[], operations text[], requests bigint[])
RETURNS TABLE (answer operation_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    held tid[];
    ruled rules;
    served bigint[];
    balances integer[];
    rest bigint;
BEGIN
    PERFORM check_set(players, set_length(operations), set_length(requests));
    held := hold_app_users(players);
    SELECT * INTO ruled FROM rules ORDER BY since DESC LIMIT 1;
    SELECT c.places, c.balances INTO served, balances FROM change_energies(
        held, array_fill(-ruled.game_price, ARRAY[cardinality(players)]), 'game', NULL, players, operations, requests,
        'pay_for_game', ruled, false) AS c;
    RETURN QUERY SELECT ROW(NULL, done.balance, NULL, NULL, NULL)::operation_answer, done.place
        FROM unnest(served, balances) AS done (place, balance);
    IF cardinality(served) = cardinality(players) THEN RETURN; END IF;
    RETURN QUERY SELECT CASE WHEN NOT r.is_known THEN unknown_user()
            WHEN r.place > 0 THEN pay_for_game(r.player, r.operation, r.request) END, r.place
        FROM rest_of_set(players, operations, requests, held, served) AS r;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(players, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION pay_for_game_each(text[], text[], bigint[]) TO juliet_service;
