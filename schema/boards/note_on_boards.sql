-- Keeps changes beside the player whose entries changed, until they are gathered.
CREATE OR REPLACE FUNCTION note_on_boards(player text, at timestamptz, given board_change[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF given <> '{}' THEN INSERT INTO board_changes (user_id, noted_at, changes) VALUES (player, at, given); END IF;
END
$$;
