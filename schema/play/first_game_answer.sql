-- What is kept under an operation's name of this contract: the game it was about and how many guesses it had then.
-- Whoever calls it holds the lock on the player's row of users. No row (NULL refusal, game and is_replay): the name is
-- new.
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
    IF kept.operation_request IS DISTINCT FROM request THEN
        answer.refusal := 'operation-reused';
        RETURN answer;
    END IF;
    answer.refusal := kept.refusal;
    answer.energy := kept.balance_after;
    answer.is_replay := true;
    answer.is_new := true;
    IF kept.reference IS NOT NULL THEN
        SELECT * INTO STRICT g FROM judged_games WHERE user_id = player AND id = kept.reference::uuid;
        -- Other refusals show no game, or one that is over.
        answer.game := CASE WHEN coalesce(kept.refusal, 'game-unfinished') = 'game-unfinished'
            THEN show_game_after(g, coalesce(kept.wins, 0)) ELSE show_game(g) END;
    END IF;
    RETURN answer;
END
$$;
