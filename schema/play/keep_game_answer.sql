-- Keeps an answer about a game under the operation's name. Whoever calls it holds the lock, and has found the name new.
CREATE OR REPLACE FUNCTION keep_game_answer(
    player text, operation text, request bigint, why text, game uuid, guess_count integer
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO energy_ledger (
        user_id, operation_id, delta, balance_after, reference, operation_request, refusal, wins)
    SELECT id, operation, 0, energy, game::text, request, why, guess_count FROM users WHERE id = player;
END
$$;
