-- What is known of a player. Refused: not-found.
CREATE OR REPLACE FUNCTION admin_player(key bytea, player text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    found jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    SELECT jsonb_strip_nulls(jsonb_build_object('id', id, 'createdAt', show_time(created_at), 'energy', energy,
        'wins', wins, 'wordsPlayed', words_played, 'name', name,
        'statistics', CASE WHEN name IS NOT NULL THEN jsonb_build_object('played', played, 'won', won,
            'currentStreak', current_streak, 'longestStreak', longest_streak, 'distribution', distribution) END,
        'running', (SELECT count(*) FROM judged_games WHERE judged_games.user_id = player AND ended_at IS NULL),
        'sessions', (SELECT count(*) FROM sessions WHERE sessions.user_id = player),
        'lastUsedAt', (SELECT show_time(max(last_used_at)) FROM sessions WHERE sessions.user_id = player),
        'account', (SELECT account_id FROM claims WHERE claims.user_id = player),
        'claimedAt', (SELECT show_time(claimed_at) FROM claims WHERE claims.user_id = player)))
    INTO found FROM users LEFT JOIN players ON players.user_id = id WHERE id = player;
    IF found IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, found::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_player(bytea, text) TO juliet_service;
