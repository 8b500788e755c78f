-- Combines the places of two players on boards: for a day's word the entry of the day's game, on the boards of wins the
-- games of both. The figures of days stay. days: the days whose game comes from the other player.
--
-- Called by: take_over (after merge_games).
CREATE OR REPLACE FUNCTION merge_boards(player text, other text, days date[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    noted juliet.board_change[];
    changes juliet.board_change[] := '{}';
    entry juliet.board_entries;
    starts timestamptz;
    ends timestamptz;
    old_score bigint;
    new_score bigint;
    reached timestamptz;
BEGIN
    -- What is not counted yet goes on under a name of its own.
    FOR noted IN DELETE FROM board_changes WHERE user_id = other RETURNING board_changes.changes LOOP
        changes := changes || noted;
    END LOOP;
    FOR entry IN DELETE FROM board_entries WHERE user_id = other RETURNING * LOOP
        IF entry.board = 'daily' AND entry.starts_on = ANY (days) THEN
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (player, entry.board, entry.starts_on, entry.score, entry.reached_at);
            CONTINUE;
        END IF;
        changes := changes || ROW(entry.board, entry.starts_on, entry.score, NULL, NULL)::juliet.board_change;
        CONTINUE WHEN entry.board = 'daily';
        SELECT score INTO old_score FROM board_entries
        WHERE user_id = player AND board = entry.board AND starts_on = entry.starts_on;
        starts := day_start(entry.starts_on);
        ends := day_start(board_end(entry.board, entry.starts_on));
        SELECT -count(*), max(ended_at) INTO new_score, reached FROM judged_games
        WHERE user_id = player AND is_won AND kind IN ('game', 'daily') AND ended_at >= starts AND ended_at < ends;
        CONTINUE WHEN new_score = 0 OR new_score = old_score;
        INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
        VALUES (player, entry.board, entry.starts_on, new_score, reached)
        ON CONFLICT (user_id, board, starts_on)
        DO UPDATE SET score = EXCLUDED.score, reached_at = EXCLUDED.reached_at;
        changes := changes || ROW(entry.board, entry.starts_on, old_score, new_score, NULL)::juliet.board_change;
    END LOOP;
    PERFORM note_on_boards(E'\t' || gen_random_uuid(), now(), changes);
END
$$;
