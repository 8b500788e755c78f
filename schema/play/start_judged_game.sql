-- Takes the price of a game, deals a word that no judged game of the player has had, and starts the game.
--
-- Called by: the service (POST /v2/games).
-- Locks: the player's row of users, then the session's row, shared.
-- Answers: the game and the balance; is_new, when it was started. Refuses: unauthorized, operation-reused,
-- game-unfinished with the game that is not over, energy-insufficient; no-words, which is not remembered.
CREATE OR REPLACE FUNCTION start_judged_game(
    token bytea, list_language text, list_letters integer, hard boolean, operation text, request bigint
) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    played bit varying;
    balance integer;
    last_at timestamptz;
    dealt text;
    held rules;
    paid operation_answer;
    g judged_games;
    answer game_answer;
    game_id uuid;
    new_salt uuid := gen_random_uuid();
    seen_at timestamptz;
    moment timestamptz;
BEGIN
    IF hard IS NULL THEN RAISE 'a game is hard or not' USING ERRCODE = 'invalid_parameter_value'; END IF;
    SELECT energy, ledger_at INTO balance, last_at FROM users WHERE id = player FOR NO KEY UPDATE;
    seen_at := hold_session(player, token_digest);
    IF seen_at IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF operation IS NOT NULL THEN
        answer := first_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    answer.energy := balance;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND kind = 'game' AND ended_at IS NULL;
    IF FOUND THEN
        answer.refusal := 'game-unfinished';
        answer.game := show_game(g);
        PERFORM keep_answer(player, operation, request, 'start_judged_game', answer.refusal, balance,
            jsonb_build_object('game_id', g.id, 'guess_count', g.guess_count));
        RETURN answer;
    END IF;
    SELECT judged_secrets INTO played FROM players WHERE user_id = player;
    dealt := pick_judged_word(played, list_language, list_letters);
    IF dealt IS NULL THEN RETURN with_refusal(answer, 'no-words'); END IF;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    IF balance < held.game_price THEN
        answer.refusal := 'energy-insufficient';
        SELECT due, next_at INTO answer.refill_due, answer.refill_next_at FROM show_refill(player);
        PERFORM keep_answer(player, operation, request, 'start_judged_game', answer.refusal, balance,
            jsonb_build_object('refill_due', answer.refill_due, 'refill_next_at', answer.refill_next_at));
        RETURN answer;
    END IF;
    game_id := ordered_uuid(clock_timestamp());
    paid := change_energy(player, -held.game_price, 'game', game_id::text, operation, request,
        'start_judged_game', held, not_before => last_at);
    answer.refusal := paid.refusal;
    answer.energy := paid.energy;
    IF paid.refusal IS NULL THEN
        moment := clock_timestamp();
        INSERT INTO judged_games (user_id, id, kind, is_hard, language, letters, word, salt, commitment, started_at,
            session_hash, session_seen_at)
        VALUES (player, game_id, 'game', hard, list_language, list_letters, dealt, new_salt,
            commitment(new_salt, dealt), moment, token_digest, seen_at)
        RETURNING * INTO g;
        answer.game := show_game(g);
        answer.is_new := true;
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION start_judged_game(bytea, text, integer, boolean, text, bigint) TO juliet_service;
