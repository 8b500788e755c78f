-- The player as shown to themselves, and the player's name.

-- How many days in a row are won now: up to today or, until today's word is ended, up to yesterday. today() is given: on
-- several servers a query of players may call nothing that reads a table.
--
-- Called by: show_player, read_player_each, player_records, admin_player.
CREATE OR REPLACE FUNCTION current_days(streak integer, last_won date, this_day date) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN last_won >= this_day - 1 THEN streak ELSE 0 END $$;

-- Shows a player as /v2 does.
--
-- Called by: create_player, create_session, read_player, rename_player, merge_players, open_identity_session,
-- open_passkey_session.
-- Answers: the player; a row of NULLs when there is none.
CREATE OR REPLACE FUNCTION show_player(player text) RETURNS player_answer
LANGUAGE plpgsql STABLE AS $$
DECLARE
    this_day date := today();
    answer juliet.player_answer;
BEGIN
    SELECT NULL, user_id, name, NULL, NULL, played, won, current_streak, longest_streak, distribution, NULL, NULL,
        days_played, days_won, current_days(day_streak, last_day_won, this_day), longest_day_streak
    INTO answer
    FROM players WHERE user_id = player;
    SELECT energy, created_at INTO answer.energy, answer.created_at FROM users WHERE id = player;
    SELECT due, next_at INTO answer.refill_due, answer.refill_next_at FROM show_refill(player);
    RETURN answer;
END
$$;

-- Reads the player whose session it is.
--
-- Called by: the service (GET /v2/players/me), read_player_each.
-- Refuses: unauthorized.
CREATE OR REPLACE FUNCTION read_player(token bytea) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer player_answer := show_player(session_player(token));
BEGIN
    IF answer.id IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_player(bytea) TO juliet_service;

-- Reads the players of a set of sessions (operations/sets.sql). It locks nobody, so it serves everybody: by one statement
-- those whose session was noted within the hour, and whose clock of refills was moved under the rules of now, if they
-- have one.
--
-- Called by: the service (GET /v2/players/me, several together).
CREATE OR REPLACE FUNCTION read_player_each(tokens bytea[]) RETURNS TABLE (answer player_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    ids text[] := ARRAY(SELECT token_player(token) FROM unnest(tokens) AS token);
    hour_ago timestamptz := now() - interval '1 hour';
    moment timestamptz := clock_timestamp();
    this_day date := today();
    ruled rules;
BEGIN
    PERFORM check_set(ids, set_length(tokens));
    SELECT * INTO ruled FROM rules ORDER BY since DESC LIMIT 1;
    RETURN QUERY
    SELECT coalesce(found.answer, read_player(asked.token)), asked.n
    FROM unnest(tokens, ids) WITH ORDINALITY AS asked (token, id, n)
    LEFT JOIN LATERAL (
        SELECT ROW(NULL, p.user_id, p.name, u.energy, u.created_at, p.played, p.won, p.current_streak, p.longest_streak,
            p.distribution, CASE WHEN next.at IS NOT NULL OR next.due > 0 THEN next.due END, next.at,
            p.days_played, p.days_won, current_days(p.day_streak, p.last_day_won, this_day), p.longest_day_streak)::player_answer
            AS answer
        FROM sessions AS s JOIN players AS p ON p.user_id = s.user_id JOIN users AS u ON u.id = s.user_id
        LEFT JOIN LATERAL (
            SELECT clock.due, CASE WHEN u.energy + clock.due::bigint < ruled.refill_up_to
                THEN clock.since + ruled.refill_every * interval '1 second' END AS at
            FROM advance_refill_under(
                u.refill, u.energy, moment, ruled.refill_amount, ruled.refill_every, ruled.refill_up_to) AS clock
            WHERE (u.refill).since IS NOT NULL
                AND 0 NOT IN (ruled.refill_amount, ruled.refill_every, ruled.refill_up_to)) AS next ON true
        WHERE s.user_id = asked.id AND s.token_hash = session_digest(asked.token) AND s.last_used_at >= hour_ago
            AND coalesce((u.refill).since >= ruled.since, true) OFFSET 0) AS found ON true;
END
$$;
GRANT EXECUTE ON FUNCTION read_player_each(bytea[]) TO juliet_service;

-- Gives the player another name; NULL changes nothing. A name that was hidden is forgotten.
--
-- Called by: the service (PATCH /v2/players/me).
-- Locks: the player's row of players.
-- Answers: the player. Refuses: unauthorized, name-refused.
CREATE OR REPLACE FUNCTION rename_player(token bytea, given_name text) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    -- Not of nobody's: to look at a name takes longer than all the rest.
    new_name text := CASE WHEN player IS NOT NULL THEN player_name(given_name) END;
    answer player_answer;
BEGIN
    IF player IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF given_name IS NOT NULL AND new_name IS NULL THEN RETURN with_refusal(answer, 'name-refused'); END IF;
    UPDATE players SET name = new_name, hidden_name = NULL WHERE user_id = player AND given_name IS NOT NULL;
    IF given_name IS NOT NULL THEN PERFORM note_lottery_name(player); END IF;
    answer := show_player(player);
    -- The player was deleted meanwhile.
    IF answer.id IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION rename_player(bytea, text) TO juliet_service;
