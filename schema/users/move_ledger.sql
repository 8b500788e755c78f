-- Moves a ledger to another name, and with it the other records under the old name: audit trail, purchases, lottery.
--
-- Called by: claim_user (a player of the app is claimed), delete_user (a player is deleted; also for the ledger of each
-- who was merged into the player). Both hold the table energy_ledger_archive and have deleted the row of users that had
-- the old name. Before a deletion, blur_ledger and blur_records have run.
-- Answers: the number of entries.
--
-- Rows of distributed tables are deleted and inserted, because they are kept by the player's id, which cannot change in
-- place.
CREATE OR REPLACE FUNCTION move_ledger(old_name text, new_name text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    moved juliet.energy_ledger;
    entries_moved bigint := 0;
    archived_moved bigint;
BEGIN
    -- Row by row, because the guard of a first entry looks for it, in this transaction, where the new row of users is.
    FOR moved IN DELETE FROM energy_ledger WHERE user_id = old_name RETURNING * LOOP
        moved.user_id := new_name;
        INSERT INTO energy_ledger SELECT moved.*;
        entries_moved := entries_moved + (moved.entry IS NOT NULL)::integer;
    END LOOP;
    WITH moved AS (DELETE FROM energy_ledger_archive WHERE user_id = old_name RETURNING *)
    INSERT INTO energy_ledger_archive (user_id, entry, delta, balance_after, reason, reference, operation_id,
        operation_request, operation_kind, created_at)
    SELECT new_name, entry, delta, balance_after, reason, reference, operation_id, operation_request, operation_kind,
        created_at
    FROM moved;
    GET DIAGNOSTICS archived_moved = ROW_COUNT;
    WITH moved AS (DELETE FROM energy_checkpoints WHERE user_id = old_name RETURNING *)
    INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, file_seal, lasting, created_at)
    SELECT new_name, begins, entry, balance, seal, file_id, file_seal, lasting, created_at FROM moved;
    WITH moved AS (DELETE FROM unverified_purchases WHERE user_id = old_name RETURNING *)
    INSERT INTO unverified_purchases (user_id, day, energy) SELECT new_name, day, energy FROM moved;
    UPDATE admin_actions SET user_id = new_name WHERE user_id = old_name;
    UPDATE store_notifications SET account = new_name WHERE account = lower(old_name);
    UPDATE purchases SET user_id = new_name WHERE user_id = old_name;
    UPDATE lottery_participants SET user_id = new_name WHERE user_id = old_name;
    UPDATE lottery_draws SET credited_to = new_name WHERE credited_to = old_name;
    RETURN entries_moved + archived_moved;
END
$$;
