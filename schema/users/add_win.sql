-- Counts a win.
--
-- Called by: the service (updateUserWins), add_win_each.
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

-- Counts a win of each player of a set (operations/sets.sql).
--
-- Called by: the service (updateUserWins, several together).
-- Locks: the players' rows of users.
CREATE OR REPLACE FUNCTION add_win_each(players text[], operations text[], requests bigint[])
RETURNS TABLE (answer operation_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    held tid[];
    served bigint[];
    answers operation_answer[];
    rest bigint;
BEGIN
    PERFORM check_set(players, set_length(operations), set_length(requests));
    held := hold_app_users(players);
    WITH changed AS (
        UPDATE users AS u SET wins = u.wins + 1
        FROM unnest(held, players, operations, requests) WITH ORDINALITY
            AS asked (row, player, operation, request, place)
        WHERE u.ctid = asked.row AND u.wins < 2147483647
            AND (asked.operation IS NULL OR is_operation(asked.operation, asked.request))
            AND NOT EXISTS (SELECT FROM energy_ledger
                WHERE user_id = asked.player AND operation_id = asked.operation OFFSET 0)
        RETURNING asked.place, asked.operation, asked.request, u.id, u.energy, u.wins),
    kept AS (
        INSERT INTO energy_ledger (
            user_id, operation_id, delta, balance_after, operation_request, operation_kind, answer, created_at)
        SELECT id, operation, 0, energy, request, 'add_win', jsonb_build_object('wins', wins), clock_timestamp()
        FROM changed WHERE operation IS NOT NULL)
    SELECT array_agg(c.place), array_agg(ROW(NULL, c.energy, c.wins, NULL, NULL)::operation_answer)
    INTO served, answers FROM changed AS c;
    RETURN QUERY SELECT answers[n], served[n] FROM generate_subscripts(served, 1) AS n;
    IF cardinality(served) = cardinality(players) THEN RETURN; END IF;
    RETURN QUERY SELECT CASE WHEN NOT r.is_known THEN unknown_user()
            WHEN r.place > 0 THEN add_win(r.player, r.operation, r.request) END, r.place
        FROM rest_of_set(players, operations, requests, held, served) AS r;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(players, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION add_win_each(text[], text[], bigint[]) TO juliet_service;
