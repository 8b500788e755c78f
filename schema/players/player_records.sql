-- Everything kept about a player of this contract that players of the app have none of; NULL for those.
CREATE OR REPLACE FUNCTION player_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT jsonb_strip_nulls(jsonb_build_object(
        'name', name,
        'statistics', jsonb_build_object('played', played, 'won', won, 'currentStreak', current_streak,
            'longestStreak', longest_streak, 'distribution', distribution),
        'claimed', (SELECT account_id FROM claims WHERE claims.user_id = player),
        'sessions', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'createdAt', show_time(created_at),
            'lastUsedAt', show_time(last_used_at)) ORDER BY created_at), '[]')
            FROM sessions WHERE sessions.user_id = player),
        'games', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'day', day,
            'language', language, 'length', letters, 'guesses', guesses, 'marks', marks,
            'state', CASE WHEN ended_at IS NULL THEN 'playing' WHEN is_won THEN 'won' ELSE 'lost' END,
            'commitment', encode(commitment, 'hex'), 'startedAt', show_time(started_at), 'endedAt', show_time(ended_at),
            'secret', CASE WHEN ended_at IS NOT NULL THEN word END,
            'salt', CASE WHEN ended_at IS NOT NULL THEN replace(salt::text, '-', '') END)) ORDER BY id), '[]')
            FROM judged_games WHERE judged_games.user_id = player),
        'leaderboards', (SELECT coalesce(jsonb_agg(jsonb_build_object('board', board, 'startsOn', starts_on,
            'score', score, 'reachedAt', show_time(reached_at)) ORDER BY board, starts_on), '[]')
            FROM board_entries WHERE board_entries.user_id = player)))
    FROM players WHERE user_id = player);
END
$$;
