-- Pays for a game.
--
-- Called by: the service (singleGameEnergyUpdate).
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
