-- Takes the price of a game, deals a word that no judged game of the player has had, and starts the game. A language or a
-- length that is NULL is the one of the rules.
--
-- Called by: the service (POST /v2/games), start_judged_game_each.
-- Locks: the player's row of users, then the session's row, shared.
-- Answers: the game and the balance; is_new, when it was started. Refuses: unauthorized, operation-reused,
-- game-unfinished with the game that is not over, list-unknown, energy-insufficient; no-words, if the list of the rules is
-- empty, which is not remembered.
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
    dealt_language text;
    dealt_letters integer;
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
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    dealt_language := coalesce(list_language, held.language);
    dealt_letters := coalesce(list_letters, held.letters);
    dealt := pick_judged_word(played, dealt_language, dealt_letters);
    IF dealt IS NULL THEN
        IF list_language IS NULL AND list_letters IS NULL THEN RETURN with_refusal(answer, 'no-words'); END IF;
        answer.refusal := 'list-unknown';
        PERFORM keep_answer(player, operation, request, 'start_judged_game', answer.refusal, balance, NULL);
        RETURN answer;
    END IF;
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
        VALUES (player, game_id, 'game', hard, dealt_language, dealt_letters, dealt, new_salt,
            commitment(new_salt, dealt), moment, token_digest, seen_at)
        RETURNING * INTO g;
        answer.game := show_game(g);
        answer.is_new := true;
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION start_judged_game(bytea, text, integer, boolean, text, bigint) TO juliet_service;

-- Starts a game of each player of a set, as start_judged_game (operations/sets.sql).
--
-- Called by: the service (POST /v2/games, several together).
-- Locks: the players' rows of users, and the sessions' rows, shared.
CREATE OR REPLACE FUNCTION start_judged_game_each(
    tokens bytea[], languages text[], letters integer[], hard boolean[], operations text[], requests bigint[]
) RETURNS TABLE (answer game_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    is_checked boolean := check_isolation();
    ids text[] := ARRAY(SELECT token_player(token) FROM unnest(tokens) AS token);
    digests bytea[] := ARRAY(SELECT session_digest(token) FROM unnest(tokens) AS token);
    hour_ago timestamptz := now() - interval '1 hour';
    rows tid[];
    seen timestamptz[];
    dealt_languages text[];
    dealt_letters integer[];
    dealt text[];
    games uuid[];
    ruled rules;
    moment timestamptz;
    served bigint[];
    balances integer[];
    rest bigint;
BEGIN
    PERFORM check_set(ids, set_length(tokens), set_length(languages), set_length(letters), set_length(hard),
        set_length(operations), set_length(requests));
    SELECT array_agg(held.row ORDER BY asked.n), array_agg(held.last_used_at ORDER BY asked.n) INTO rows, seen
    FROM unnest(ids, digests) WITH ORDINALITY AS asked (id, digest, n)
    LEFT JOIN LATERAL (
        SELECT u.ctid AS row, s.last_used_at FROM sessions AS s JOIN users AS u ON u.id = s.user_id
        WHERE s.user_id = asked.id AND s.token_hash = asked.digest
        FOR NO KEY UPDATE OF u SKIP LOCKED FOR KEY SHARE OF s SKIP LOCKED OFFSET 0) AS held ON true;
    SELECT * INTO ruled FROM rules ORDER BY since DESC LIMIT 1;
    dealt_languages := ARRAY(SELECT coalesce(language, ruled.language) FROM unnest(languages) AS language);
    dealt_letters := ARRAY(SELECT coalesce(number, ruled.letters) FROM unnest(letters) AS number);
    dealt := pick_unplayed_each(ids, dealt_languages, dealt_letters, true);
    games := ARRAY(SELECT ordered_uuid(clock_timestamp()) FROM unnest(ids));
    -- Whose use of the session is to be noted, and who has an unfinished game, is for the complete function.
    SELECT c.places, c.balances INTO served, balances FROM change_energies(
        rows, ARRAY(SELECT CASE WHEN asked.seen_at >= hour_ago AND asked.word IS NOT NULL AND asked.hard IS NOT NULL
                AND NOT EXISTS (SELECT FROM judged_games AS g
                    WHERE g.user_id = asked.id AND g.kind = 'game' AND g.ended_at IS NULL OFFSET 0)
                THEN -ruled.game_price END
            FROM unnest(ids, seen, dealt, hard) AS asked (id, seen_at, word, hard)),
        'game', games::text[], ids, operations, requests, 'start_judged_game', ruled, true) AS c;
    moment := clock_timestamp();
    RETURN QUERY
    WITH new AS MATERIALIZED (
        SELECT done.*, commitment(done.salt, done.word) AS commitment FROM (
            SELECT n, balance, games[n] AS id, dealt[n] AS word, gen_random_uuid() AS salt
            FROM unnest(served, balances) AS s (n, balance) OFFSET 0) AS done),
    started AS (
        INSERT INTO judged_games (user_id, id, kind, is_hard, language, letters, word, salt, commitment, started_at,
            session_hash, session_seen_at)
        SELECT ids[n], id, 'game', hard[n], dealt_languages[n], dealt_letters[n], word, salt, commitment, moment,
            digests[n], seen[n]
        FROM new)
    SELECT ROW(NULL, new.balance, NULL, true, ROW(new.id, NULL, dealt_languages[n], dealt_letters[n], '', '', false,
        new.commitment, moment, NULL, NULL, NULL, NULL, 'game', hard[n], NULL, NULL, false, NULL)::shown_game,
        NULL, NULL, NULL, NULL, NULL)::game_answer, n FROM new;
    IF cardinality(served) = cardinality(ids) THEN RETURN; END IF;
    RETURN QUERY SELECT CASE WHEN r.is_free
            THEN start_judged_game(r.token, r.language, r.letters, r.hard, r.operation, r.request) END,
            CASE WHEN r.is_free THEN r.n ELSE -r.n END
        FROM (SELECT asked.*, asked.hard IS NOT NULL
                AND (asked.operation IS NULL OR is_operation(asked.operation, asked.request))
                AND (asked.row IS NOT NULL OR NOT EXISTS (SELECT FROM sessions AS s
                    WHERE s.user_id = asked.id AND s.token_hash = asked.digest OFFSET 0)) AS is_free
            FROM unnest(tokens, ids, digests, rows, languages, letters, hard, operations, requests) WITH ORDINALITY
                AS asked (token, id, digest, row, language, letters, hard, operation, request, n)
            WHERE asked.n <> ALL (coalesce(served, '{}')) OFFSET 0) AS r
        ORDER BY r.n;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(ids, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION start_judged_game_each(bytea[], text[], integer[], boolean[], text[], bigint[])
    TO juliet_service;
