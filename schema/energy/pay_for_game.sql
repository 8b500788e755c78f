-- Pays for a game.
--
-- Called by: the service (singleGameEnergyUpdate).
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: energy-insufficient, user-unknown.
CREATE OR REPLACE FUNCTION pay_for_game(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    price integer;
BEGIN
    SELECT game_price INTO price FROM rules ORDER BY since DESC LIMIT 1;
    RETURN change_energy(player, -price, 'game', NULL, operation, request, 'pay_for_game');
END
$$;
GRANT EXECUTE ON FUNCTION pay_for_game(text, text, bigint) TO juliet_service;
