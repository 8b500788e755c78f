-- Everything kept about a player, for the player.

-- Exports what is kept about the player whose session it is. Of a running game it shows neither word nor salt.
--
-- Called by: the service (GET /v2/players/me/export).
-- Answers: JSON; NULL when the session is nobody's.
CREATE OR REPLACE FUNCTION export_player(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    player text := session_player(token);
    elsewhere jsonb := jsonb_build_object('purchases', purchase_records(player))
        || jsonb_strip_nulls(jsonb_build_object('lottery', lottery_records(player)))
        || coalesce(player_records(player), '{}');
BEGIN
    RETURN (SELECT (jsonb_build_object(
        'id', id, 'createdAt', show_time(created_at), 'energy', energy, 'wins', wins,
        'energyLedger', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry,
            'at', show_time(entries.created_at), 'delta', delta, 'balance', balance_after, 'reason', reason,
            'reference', reference)) ORDER BY entry), '[]')
            FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                    WHERE user_id = player AND entry IS NOT NULL
                UNION ALL
                SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                    WHERE user_id = player) AS entries),
        'idempotencyKeys', (SELECT coalesce(jsonb_agg(jsonb_build_object('key', operation_id,
            'at', show_time(energy_ledger.created_at)) ORDER BY energy_ledger.created_at, operation_id), '[]')
            FROM energy_ledger WHERE user_id = player AND operation_request IS NOT NULL),
        'playedWords', (SELECT coalesce(jsonb_agg(jsonb_build_object('word', word, 'language', language,
            'at', show_time(played_at)) ORDER BY number), '[]')
            FROM played_words JOIN words ON words.id = word_id WHERE user_id = player)
        ) || elsewhere)::text
        FROM users WHERE id = player);
END
$$;
GRANT EXECUTE ON FUNCTION export_player(bytea) TO juliet_service;

-- Reads what is kept about a player of /v2 and not about one of the app.
--
-- Called by: export_player; operators (juliet users export).
-- Answers: a JSON object; NULL for a player of the app.
CREATE OR REPLACE FUNCTION player_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN (SELECT jsonb_strip_nulls(jsonb_build_object(
        'name', name,
        'statistics', jsonb_build_object('played', played, 'won', won, 'currentStreak', current_streak,
            'longestStreak', longest_streak, 'distribution', distribution),
        'refill', (SELECT jsonb_build_object('due', (refill).due, 'since', show_time((refill).since))
            FROM users WHERE users.id = player),
        'claimed', (SELECT account_id FROM claims WHERE claims.user_id = player),
        'sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'createdAt', show_time(created_at),
            'lastUsedAt', show_time(last_used_at)) ORDER BY created_at), '[]')
            FROM sessions WHERE sessions.user_id = player),
        'games', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'kind', kind,
            'hard', nullif(is_hard, false), 'day', day,
            'language', language, 'length', letters, 'guesses', guesses, 'marks', marks,
            'state', CASE WHEN ended_at IS NULL THEN 'playing' WHEN is_won THEN 'won' ELSE 'lost' END,
            'commitment', encode(commitment, 'hex'), 'startedAt', show_time(started_at), 'endedAt', show_time(ended_at),
            'reward', reward, 'secret', CASE WHEN ended_at IS NOT NULL THEN word END,
            'salt', CASE WHEN ended_at IS NOT NULL THEN replace(salt::text, '-', '') END)) ORDER BY id), '[]')
            FROM judged_games WHERE judged_games.user_id = player),
        'leaderboards', (SELECT coalesce(jsonb_agg(jsonb_build_object('board', board, 'startsOn', starts_on,
            'score', score, 'reachedAt', show_time(reached_at)) ORDER BY board, starts_on), '[]')
            FROM board_entries WHERE board_entries.user_id = player)))
    FROM players WHERE user_id = player);
END
$$;
