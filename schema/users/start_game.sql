-- Pays for a game and deals a word, both or neither.
--
-- Called by: the service (statNewGameSession).
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
