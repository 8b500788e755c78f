-- How a game's request with an Idempotency-Key takes effect once, as operations/answers.sql does for energy. The
-- answer kept under the key is the game and how many guesses it had (in the column wins); for energy-insufficient, the
-- due energy and when more would be due.

-- Reads the first answer to an operation about a game.
--
-- Called by: start_judged_game, guess. They hold the player's row of users.
-- Answers: the first answer with is_replay; a row of NULLs when the name is new. Refuses: operation-reused, when the
-- fingerprint is another.
CREATE OR REPLACE FUNCTION first_game_answer(player text, operation text, request bigint) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    g juliet.judged_games;
    kept juliet.energy_ledger;
    answer juliet.game_answer;
BEGIN
    PERFORM check_operation(operation, request);
    SELECT * INTO kept FROM energy_ledger WHERE user_id = player AND operation_id = operation;
    IF NOT FOUND THEN RETURN answer; END IF;
    IF kept.operation_request IS DISTINCT FROM request THEN RETURN with_refusal(answer, 'operation-reused'); END IF;
    answer.refusal := kept.refusal;
    answer.energy := kept.balance_after;
    answer.is_replay := true;
    answer.is_new := true;
    IF kept.refusal = 'energy-insufficient' THEN
        answer.refill_due := nullif(split_part(kept.reference, ' ', 1), '');
        answer.refill_next_at := nullif(split_part(kept.reference, ' ', 2), '');
    ELSIF kept.reference IS NOT NULL THEN
        SELECT * INTO STRICT g FROM judged_games WHERE user_id = player AND id = kept.reference::uuid;
        -- Other refusals show no game, or one that is over; of guess-hard the game makes the rule.
        answer.game := CASE WHEN coalesce(kept.refusal, 'game-unfinished') IN ('game-unfinished', 'guess-hard')
            THEN show_game_after(g, coalesce(kept.wins, 0)) ELSE show_game(g) END;
    END IF;
    RETURN answer;
END
$$;

-- Keeps an answer about a game under the operation's name. kept: the game, or what was due.
--
-- Called by: start_judged_game, guess, create_challenge, create_league, link_identity, merge_players. They hold the
-- player's row of users and have found the name new.
CREATE OR REPLACE FUNCTION keep_game_answer(
    player text, operation text, request bigint, why text, kept text, guess_count integer
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    -- As keep_answer.
    IF why IS NULL AND is_payment(request) THEN
        RAISE 'a payment has an entry' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO energy_ledger (
        user_id, operation_id, delta, balance_after, reference, operation_request, refusal, wins)
    SELECT id, operation, 0, energy, kept, request, why, guess_count FROM users WHERE id = player;
END
$$;
