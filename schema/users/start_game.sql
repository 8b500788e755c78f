-- Pays for a game and deals a word, both or neither.
--
-- Called by: the service (statNewGameSession), start_game_each.
-- Locks: the player's row of users.
-- Answers: the balance and the word. Refuses: energy-insufficient, user-unknown, and no-words, which is not kept
-- under the operation's name.
CREATE OR REPLACE FUNCTION start_game(
    player text, list_language text, list_letters integer, operation text, request bigint, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    answer operation_answer;
    last_at timestamptz;
    price integer;
    priced_at timestamptz;
    played bit varying;
    dealt text;
BEGIN
    IF operation IS NOT NULL THEN PERFORM check_operation(operation, request); END IF;
    IF app_changes(player, account) THEN
        SELECT played_secrets, ledger_at INTO played, last_at FROM users WHERE id = player FOR NO KEY UPDATE;
    END IF;
    IF last_at IS NULL THEN RETURN unknown_user(); END IF;
    SELECT game_price, since INTO price, priced_at FROM rules ORDER BY since DESC LIMIT 1;
    dealt := pick_word(player, played, list_language, list_letters);
    IF dealt IS NULL THEN
        IF operation IS NOT NULL THEN answer := first_answer(player, operation, request, answer); END IF;
        RETURN CASE WHEN answer.is_replay OR answer.refusal IS NOT NULL THEN answer
            ELSE ROW('no-words', 0, 0, NULL, NULL)::operation_answer END;
    END IF;
    answer := change_energy(player, -price, 'game', dealt, operation, request, 'start_game',
        not_before => greatest(last_at, priced_at));
    IF answer.refusal IS NULL AND answer.is_replay IS NULL THEN answer.word := dealt; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION start_game(text, text, integer, text, bigint, text) TO juliet_service;

-- Pays for a game of each player of a set and deals each a word (operations/sets.sql).
--
-- Called by: the service (statNewGameSession, several together).
-- Locks: the players' rows of users.
CREATE OR REPLACE FUNCTION start_game_each(
    players text[], languages text[], letters integer[], operations text[], requests bigint[]
) RETURNS TABLE (answer operation_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    is_checked boolean := check_isolation();
    held tid[];
    dealt text[];
    ruled rules;
    served bigint[];
    balances integer[];
    rest bigint;
BEGIN
    PERFORM check_set(players, set_length(languages), set_length(letters), set_length(operations), set_length(requests));
    held := hold_app_users(players);
    dealt := pick_unplayed_each(players, languages, letters, false);
    SELECT * INTO ruled FROM rules ORDER BY since DESC LIMIT 1;
    SELECT c.places, c.balances INTO served, balances FROM change_energies(
        held, ARRAY(SELECT CASE WHEN word IS NOT NULL THEN -ruled.game_price END FROM unnest(dealt) AS word), 'game',
        dealt, players, operations, requests, 'start_game', ruled, false) AS c;
    RETURN QUERY SELECT ROW(NULL, done.balance, NULL, dealt[done.place], NULL)::operation_answer, done.place
        FROM unnest(served, balances) AS done (place, balance);
    IF cardinality(served) = cardinality(players) THEN RETURN; END IF;
    RETURN QUERY SELECT CASE WHEN NOT r.is_known THEN unknown_user() WHEN r.place > 0
            THEN start_game(r.player, languages[r.place], letters[r.place], r.operation, r.request) END, r.place
        FROM rest_of_set(players, operations, requests, held, served) AS r;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(players, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION start_game_each(text[], text[], integer[], text[], bigint[]) TO juliet_service;
