-- Everything kept about a player, for the player, in the terms of /v2.

-- Exports what is kept about the player whose session it is. Of a running game it shows neither word nor salt.
--
-- Called by: the service (GET /v2/players/me/export).
-- Answers: JSON; NULL when there is no such session.
CREATE OR REPLACE FUNCTION export_player(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    RETURN all_records(session_player(token));
END
$$;
GRANT EXECUTE ON FUNCTION export_player(bytea) TO juliet_service;

-- Reads everything kept about a player. Of a running game it has neither word nor salt.
--
-- Called by: export_player, admin_export. They print no plan.
-- Answers: JSON; NULL when there is no such player.
CREATE OR REPLACE FUNCTION all_records(player text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    entries jsonb := ledger_records(player);
    elsewhere jsonb := jsonb_build_object('purchases', purchase_records(player))
        || jsonb_strip_nulls(jsonb_build_object('lottery', lottery_records(player)))
        || coalesce(player_records(player), '{}');
BEGIN
    RETURN (SELECT (jsonb_build_object(
        'id', id, 'createdAt', show_time(created_at), 'energy', energy, 'wins', wins,
        'playedWords', (SELECT coalesce(jsonb_agg(jsonb_build_object('word', word, 'language', language,
            'at', show_time(played_at)) ORDER BY number), '[]')
            FROM played_words JOIN words ON words.id = word_id WHERE user_id = player)
        ) || entries || elsewhere)::text
        FROM users WHERE id = player);
END
$$;

-- Reads a ledger, and the names of operations that are kept in it.
--
-- Called by: all_records, merge_records.
-- Answers: a JSON object.
CREATE OR REPLACE FUNCTION ledger_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN jsonb_build_object(
        'energyEntries', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'at', show_time(entries.created_at), 'delta', delta, 'balance', balance_after,
            'reason', CASE reason WHEN 'client_report' THEN 'clientReport' ELSE reason::text END,
            -- As in list_energy.
            'game', CASE WHEN reason IN ('game', 'daily') AND char_length(reference) = 36 THEN reference END,
            'word', CASE WHEN reason = 'game' AND char_length(reference) <> 36 THEN reference END,
            'transaction', CASE WHEN reason IN ('purchase', 'refund') THEN split_part(reference, '/', 2) END,
            'draw', CASE WHEN reason = 'lottery' THEN reference::bigint END,
            'player', CASE WHEN reason = 'merge' THEN reference END,
            'note', CASE WHEN reason = 'support' THEN reference END)) ORDER BY entry), '[]')
            FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                    WHERE user_id = player AND entry IS NOT NULL
                UNION ALL
                SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                    WHERE user_id = player) AS entries),
        'idempotencyKeys', (SELECT coalesce(jsonb_agg(jsonb_build_object('key', operation_id,
            'at', show_time(energy_ledger.created_at)) ORDER BY energy_ledger.created_at, operation_id), '[]')
            FROM energy_ledger WHERE user_id = player AND operation_request IS NOT NULL));
END
$$;

-- Reads who was merged into a player, with their ledgers.
--
-- Called by: player_records.
-- Answers: a JSON array; NULL: nobody was.
CREATE OR REPLACE FUNCTION merge_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    m juliet.merges;
    records jsonb;
BEGIN
    FOR m IN SELECT * FROM merges WHERE holder = player ORDER BY merged_at, user_id LOOP
        records := coalesce(records, '[]') || jsonb_build_array(jsonb_build_object('id', m.user_id,
            'into', m.merged_into, 'mergedAt', show_time(m.merged_at), 'energy', m.energy)
            || ledger_records(m.user_id));
    END LOOP;
    RETURN records;
END
$$;

-- Reads what is kept about a player of /v2 and not about one of the app.
--
-- Called by: all_records; operators (juliet users export).
-- Answers: a JSON object; NULL for a player of the app.
CREATE OR REPLACE FUNCTION player_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = juliet, pg_temp AS $$
DECLARE
    g judged_games;
    this_day date := today();
    games jsonb[] := '{}';
    challenges jsonb := challenge_records(player);
    leagues jsonb := league_records(player);
    merged jsonb := merge_records(player);
    accounts text[] := ARRAY(SELECT account_id FROM claims WHERE user_id = player ORDER BY claimed_at, account_id);
    passkeys jsonb := passkey_records(player);
    identities jsonb := identity_records(player);
    due integer;
    next_at timestamptz;
BEGIN
    FOR g IN SELECT * FROM judged_games WHERE user_id = player ORDER BY id LOOP
        games := array_append(games, game_record(show_game(g)));
    END LOOP;
    SELECT refill.due, refill.next_at INTO due, next_at FROM show_refill(player) AS refill;
    RETURN (SELECT jsonb_strip_nulls(jsonb_build_object(
        'name', name,
        'hiddenName', hidden_name,
        'statistics', jsonb_build_object('played', played, 'won', won, 'currentStreak', current_streak,
            'longestStreak', longest_streak, 'distribution', distribution, 'days', jsonb_build_object(
                'played', days_played, 'won', days_won, 'currentStreak', current_days(day_streak, last_day_won, this_day),
                'longestStreak', longest_day_streak)),
        'refill', CASE WHEN due IS NOT NULL THEN jsonb_build_object('due', due, 'nextAt', show_time(next_at)) END,
        'claimed', accounts[1],
        'claimedToo', CASE WHEN cardinality(accounts) > 1 THEN to_jsonb(accounts[2:]) END,
        'merged', merged,
        'sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'createdAt', show_time(created_at),
            'lastUsedAt', show_time(last_used_at), 'by', opened_by) ORDER BY created_at), '[]')
            FROM sessions WHERE sessions.user_id = player),
        'passkeys', passkeys,
        'identities', identities,
        'games', to_jsonb(games),
        'challenges', challenges,
        'leagues', leagues,
        'leaderboards', (SELECT jsonb_build_object(
            'daily', coalesce(jsonb_agg(jsonb_build_object('day', starts_on, 'guesses', score >> 32,
                'seconds', score & 4294967295, 'reachedAt', show_time(reached_at)) ORDER BY starts_on)
                FILTER (WHERE board = 'daily'), '[]'),
            'wins', coalesce(jsonb_agg(jsonb_build_object('period', board,
                'startsOn', CASE WHEN board <> 'all' THEN starts_on END, 'wins', -score,
                'reachedAt', show_time(reached_at)) ORDER BY board, starts_on)
                FILTER (WHERE board <> 'daily'), '[]'))
            FROM board_entries WHERE board_entries.user_id = player)))
    FROM players WHERE user_id = player);
END
$$;

-- A game as /v2 shows it.
--
-- Called by: player_records.
CREATE OR REPLACE FUNCTION game_record(game shown_game) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    guesses jsonb := (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'word', substr(game.guesses, start, game.letters), 'marks', (
                SELECT jsonb_agg(CASE mark WHEN 'c' THEN 'correct' WHEN 'p' THEN 'present' ELSE 'absent' END
                    ORDER BY place)
                FROM regexp_split_to_table(substr(game.marks, start, game.letters), '')
                    WITH ORDINALITY AS m (mark, place))) ORDER BY start), '[]')
        FROM generate_series(1, char_length(game.guesses), game.letters) AS start);
BEGIN
    RETURN jsonb_strip_nulls(jsonb_build_object('id', game.id,
        'kind', game.kind, 'hard', nullif(game.is_hard, false),
        'state', CASE WHEN game.ended_at IS NULL THEN 'playing' WHEN game.is_won THEN 'won' ELSE 'lost' END,
        'language', game.language, 'length', game.letters, 'maximumGuesses', maximum_guesses(), 'guesses', guesses,
        'commitment', encode(game.commitment, 'hex'), 'startedAt', show_time(game.started_at),
        'endedAt', show_time(game.ended_at), 'secret', game.word, 'salt', replace(game.salt::text, '-', ''), 'meaning', game.meaning,
        'day', game.day, 'challenge', show_share_code(game.challenge), 'reward', game.reward,
        'anyWord', nullif(game.is_any_word, false), 'hint', game.hint));
END
$$;
