-- The version of the documents and of the participants in draws.

-- Reads the version: the number of changes. A higher version is only visible together with its changes.
--
-- Called by: the service, for each request of a document or a draw; lottery_users_parts, lottery_list_parts.
CREATE OR REPLACE FUNCTION lottery_version() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT coalesce(sum(amount), 0)::bigint FROM lottery_changes
$$;
GRANT EXECUTE ON FUNCTION lottery_version() TO juliet_service;

-- Records a change of participants or entries, if a statement made one.
CREATE OR REPLACE FUNCTION note_lottery_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM changed) THEN INSERT INTO juliet.lottery_changes DEFAULT VALUES; END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER lottery_participants_added AFTER INSERT ON lottery_participants
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_lottery_change();
CREATE OR REPLACE TRIGGER lottery_participants_changed AFTER UPDATE ON lottery_participants
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_lottery_change();
CREATE OR REPLACE TRIGGER lottery_participants_removed AFTER DELETE ON lottery_participants
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_lottery_change();
CREATE OR REPLACE TRIGGER lottery_entries_added AFTER INSERT ON lottery_entries
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_lottery_change();
CREATE OR REPLACE TRIGGER lottery_entries_changed AFTER UPDATE ON lottery_entries
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_lottery_change();
CREATE OR REPLACE TRIGGER lottery_entries_removed AFTER DELETE ON lottery_entries
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_lottery_change();

-- Notes that a participant who is a player has another name.
--
-- Called by: rename_player, admin_change_name.
CREATE OR REPLACE FUNCTION note_lottery_name(player text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lottery_changes (amount) SELECT 1 FROM lottery_participants WHERE user_id = player;
END
$$;

-- Notes that a draw has started, and puts all notes together in one row.
--
-- Called by: start_draw, which holds the draw's row.
CREATE OR REPLACE FUNCTION gather_lottery_changes() RETURNS void
LANGUAGE sql AS $$
    WITH gone AS (DELETE FROM juliet.lottery_changes RETURNING amount)
    INSERT INTO juliet.lottery_changes (amount) SELECT coalesce(sum(amount), 0) + 1 FROM gone
$$;
