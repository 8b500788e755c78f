-- Notes changes of a player's entries beside the player, until tend_boards gathers them. So no game waits for the game
-- of another player.
--
-- Called by: end_game, merge_boards, delete_user.
CREATE OR REPLACE FUNCTION note_on_boards(player text, at timestamptz, given board_change[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF given <> '{}' THEN INSERT INTO board_changes (user_id, noted_at, changes) VALUES (player, at, given); END IF;
END
$$;
