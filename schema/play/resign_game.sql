-- Gives a game up: it is lost, unless it is over.
--
-- Called by: the service (POST /v2/games/{id}/resign), resign_game_each.
-- Locks: the game's row, then as end_game.
-- Answers: the game. Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION resign_game(token bytea, game uuid) RETURNS game_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    g judged_games;
    answer game_answer;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN with_refusal(answer, CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END);
    END IF;
    IF g.ended_at IS NULL THEN g := end_game(g, false); END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION resign_game(bytea, uuid) TO juliet_service;

-- Gives up a game of each player of a set, as resign_game (operations/sets.sql): one of no day and no challenge, whose
-- word the player had not played. Nothing of it is on a board.
--
-- Called by: the service (POST /v2/games/{id}/resign, several together).
-- Locks: as hold_ends.
CREATE OR REPLACE FUNCTION resign_game_each(tokens bytea[], games uuid[]) RETURNS TABLE (answer game_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    is_checked boolean := check_isolation();
    ids text[] := ARRAY(SELECT token_player(token) FROM unnest(tokens) AS token);
    digests bytea[] := ARRAY(SELECT session_digest(token) FROM unnest(tokens) AS token);
    free boolean[];
    game_rows tid[];
    player_rows tid[];
    user_rows tid[];
    served bigint[];
    answers game_answer[];
    rest bigint;
BEGIN
    PERFORM check_set(ids, set_length(tokens), set_length(games));
    SELECT array_agg(held.is_free), array_agg(held.game_row), array_agg(held.player_row), array_agg(held.user_row)
    INTO free, game_rows, player_rows, user_rows FROM hold_ends(ids, digests, games, NULL) AS held;
    WITH lost AS MATERIALIZED (
        SELECT DISTINCT ON (g.id) asked.*, found.word_id, found.word_place,
            greatest(clock_timestamp(), next_moment(p.last_ended_at)) AS ended
        FROM unnest(game_rows, player_rows, user_rows) WITH ORDINALITY AS asked (game_row, player_row, user_row, n)
        CROSS JOIN LATERAL (SELECT * FROM judged_games WHERE ctid = asked.game_row OFFSET 0) AS g
        CROSS JOIN LATERAL (SELECT last_ended_at FROM players WHERE ctid = asked.player_row OFFSET 0) AS p
        CROSS JOIN LATERAL (SELECT played_secrets FROM users WHERE ctid = asked.user_row OFFSET 0) AS u
        CROSS JOIN LATERAL (
            SELECT w.id AS word_id, w.place AS word_place FROM words AS w
            WHERE w.language = g.language AND w.word = g.word OFFSET 0) AS found
        WHERE g.kind = 'game' AND g.ended_at IS NULL
            AND substring(u.played_secrets FROM found.word_place + 1 FOR 1) <> B'1'),
    counted AS (
        UPDATE players AS p SET played = p.played + 1, current_streak = 0, last_ended_at = lost.ended,
            judged_secrets = with_bit(p.judged_secrets, lost.word_place)
        FROM lost WHERE p.ctid = lost.player_row),
    noted AS (
        UPDATE users AS u SET words_played = u.words_played + 1,
            played_secrets = with_bit(u.played_secrets, lost.word_place)
        FROM lost WHERE u.ctid = lost.user_row RETURNING u.id, u.words_played, lost.word_id),
    written AS (INSERT INTO played_words (user_id, number, word_id) SELECT id, words_played, word_id FROM noted),
    ended AS (
        UPDATE judged_games AS g SET ended_at = lost.ended, session_hash = NULL, session_seen_at = NULL
        FROM lost WHERE g.ctid = lost.game_row
        RETURNING lost.n, ROW(NULL, NULL, NULL, NULL, show_game(g), NULL, NULL, NULL, NULL, NULL)::game_answer AS answer)
    SELECT array_agg(e.n), array_agg(e.answer) INTO served, answers FROM ended AS e;
    RETURN QUERY SELECT done.answer, done.n FROM (
        SELECT answers[i] AS answer, served[i] AS n FROM generate_subscripts(served, 1) AS i) AS done;
    IF cardinality(served) = cardinality(ids) THEN RETURN; END IF;
    RETURN QUERY SELECT CASE WHEN r.is_free THEN resign_game(r.token, r.game) END,
        CASE WHEN r.is_free THEN r.n ELSE -r.n END
    FROM unnest(tokens, games, free) WITH ORDINALITY AS r (token, game, is_free, n)
    WHERE r.n <> ALL (coalesce(served, '{}')) ORDER BY r.n;
    GET DIAGNOSTICS rest = ROW_COUNT;
    PERFORM check_answers(ids, served, rest);
END
$$;
GRANT EXECUTE ON FUNCTION resign_game_each(bytea[], uuid[]) TO juliet_service;
