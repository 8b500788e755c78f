-- Counts a win.
--
-- Called by: the service (updateUserWins).
-- Locks: the player's row of users.
-- Answers: the balance and the wins. Refuses: wins-full, user-unknown.
CREATE OR REPLACE FUNCTION add_win(
    player text, operation text, request bigint, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer operation_answer;
BEGIN
    IF NOT app_changes(player, account) THEN RETURN unknown_user(); END IF;
    LOOP
        UPDATE users SET wins = wins + 1 WHERE id = player AND wins < 2147483647
        RETURNING energy, wins INTO answer.energy, answer.wins;
        EXIT WHEN FOUND;
        -- Refuse by the count under the lock: the player may have been registered in between.
        SELECT wins INTO answer.wins FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN RETURN unknown_user(); END IF;
        IF answer.wins = 2147483647 THEN
            RETURN refuse(player, 'wins-full', operation, request, 'add_win');
        END IF;
    END LOOP;
    IF operation IS NOT NULL THEN
        IF NOT keep_answer(player, operation, request, 'add_win', NULL, answer.energy,
            jsonb_build_object('wins', answer.wins))
        THEN
            -- The name is known: undo the change.
            UPDATE users SET wins = wins - 1 WHERE id = player;
            RETURN first_answer(player, operation, request, NULL::operation_answer);
        END IF;
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION add_win(text, text, bigint, text) TO juliet_service;
