-- What operators see of players.

-- Reads a player.
--
-- Called by: the service (the admin page).
-- Refuses: not-found.
CREATE OR REPLACE FUNCTION admin_player(session bytea, player text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    this_day date := today();
    clock record;
    found jsonb;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    SELECT due, next_at INTO clock FROM show_refill(player);
    SELECT jsonb_strip_nulls(jsonb_build_object('id', id, 'createdAt', show_time(created_at), 'energy', energy,
        'due', clock.due, 'moreAt', show_time(clock.next_at),
        'wins', wins, 'wordsPlayed', words_played, 'name', name, 'hiddenName', hidden_name,
        'statistics', CASE WHEN name IS NOT NULL THEN jsonb_build_object('played', played, 'won', won,
            'currentStreak', current_streak, 'longestStreak', longest_streak, 'distribution', distribution,
            'days', jsonb_build_object('played', days_played, 'won', days_won,
                'currentStreak', current_days(day_streak, last_day_won, this_day), 'longestStreak', longest_day_streak)) END,
        'running', (SELECT count(*) FROM judged_games WHERE judged_games.user_id = player AND ended_at IS NULL),
        'sessions', (SELECT count(*) FROM sessions WHERE sessions.user_id = player),
        'lastUsedAt', (SELECT show_time(max(last_used_at)) FROM sessions WHERE sessions.user_id = player),
        'account', (SELECT account_id FROM claims WHERE claims.user_id = player ORDER BY claimed_at LIMIT 1),
        'claimedAt', (SELECT show_time(min(claimed_at)) FROM claims WHERE claims.user_id = player),
        'merged', (SELECT nullif(count(*), 0) FROM merges WHERE holder = player)))
    INTO found FROM users LEFT JOIN players ON players.user_id = id WHERE id = player;
    IF found IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, found::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_player(bytea, text) TO juliet_service;

-- Lists the changes of a player's balance before an entry, newest first. Which word a game of the app was dealt is
-- left out, because it is not known whether that game is over.
--
-- Called by: the service (the admin page).
-- Refuses: not-found.
CREATE OR REPLACE FUNCTION admin_ledger(session bytea, player text, before_entry integer, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    entries jsonb;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    PERFORM FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry, 'at', show_time(created_at),
        'delta', delta, 'balance', balance_after, 'reason', reason,
        'reference', CASE WHEN reason <> 'game' OR char_length(reference) = 36 THEN reference END))
        ORDER BY entry DESC), '[]')
    INTO entries
    FROM (SELECT * FROM (
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                WHERE user_id = player AND entry IS NOT NULL
            UNION ALL
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                WHERE user_id = player) AS entries
        WHERE entry < coalesce(before_entry, 2147483647) ORDER BY entry DESC LIMIT most) AS page;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('entries', entries,
        'next', CASE WHEN (entries -> -1 ->> 'entry')::integer > 1 THEN entries -> -1 -> 'entry' END))::text
        )::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_ledger(bytea, text, integer, integer) TO juliet_service;

-- Shows a game, without the word if it is running.
--
-- Called by: admin_games, admin_end_game. They print no plan.
CREATE OR REPLACE FUNCTION admin_show_game(g judged_games) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    shown juliet.shown_game := show_game(g);
BEGIN
    RETURN jsonb_strip_nulls(jsonb_build_object('id', shown.id, 'kind', shown.kind,
        'hard', nullif(shown.is_hard, false), 'day', shown.day,
        'language', shown.language, 'length', shown.letters, 'guesses', shown.guesses, 'marks', shown.marks,
        'state', CASE WHEN shown.ended_at IS NULL THEN 'playing' WHEN shown.is_won THEN 'won' ELSE 'lost' END,
        'startedAt', show_time(shown.started_at), 'endedAt', show_time(shown.ended_at), 'reward', shown.reward,
        'secret', shown.word));
END
$$;

-- Lists a player's games before one, newest first, without the words of running games.
--
-- Called by: the service (the admin page).
-- Refuses: not-found.
CREATE OR REPLACE FUNCTION admin_games(session bytea, player text, before_game uuid, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    games jsonb := '[]';
    has_more boolean := false;
    g judged_games;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    PERFORM FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    FOR g IN SELECT * FROM judged_games
        WHERE user_id = player AND id < coalesce(before_game, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        ORDER BY id DESC LIMIT most + 1
    LOOP
        has_more := jsonb_array_length(games) = most;
        EXIT WHEN has_more;
        games := games || admin_show_game(g);
    END LOOP;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('games', games,
        'next', CASE WHEN has_more THEN games -> -1 -> 'id' END))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_games(bytea, text, uuid, integer) TO juliet_service;
