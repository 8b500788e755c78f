-- Reads a player as /v2 shows them.
CREATE OR REPLACE FUNCTION show_player(player text) RETURNS player_answer
LANGUAGE plpgsql STABLE AS $$
DECLARE
    answer juliet.player_answer;
BEGIN
    SELECT NULL, user_id, name, NULL, NULL, played, won, current_streak, longest_streak, distribution INTO answer
    FROM players WHERE user_id = player;
    SELECT energy, created_at INTO answer.energy, answer.created_at FROM users WHERE id = player;
    RETURN answer;
END
$$;
