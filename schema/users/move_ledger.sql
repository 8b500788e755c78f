-- Moves a ledger to another name, and with it the other records under the old name: audit trail, purchases, lottery.
--
-- Called by: create_player (a player of the app is claimed, operations stay), delete_user (they are deleted; also for
-- the ledger of each who was merged into the player). Both hold the table energy_ledger_archive and the player's row of
-- users.
-- Answers: the number of entries.
--
-- Rows of distributed tables are deleted and inserted, because they are kept by the player's id, which cannot change in
-- place.
--
-- When operations go, the player is deleted: notifications lose what names the player, and a participant of the lottery
-- leaves it; stored draws know the number alone then, for past draws showed it with a name. Of the trail, what support
-- gave and took alone stays under the pseudonym, for other lines may name what the player, or somebody else, has seen;
-- former_actions keeps for whoever knows the id what operators did, but not what support gave and took, which would
-- lead by day, actor and reason to the pseudonym. A draw whose prize was credited has the credit_entry 0. Of the times
-- of the trail and of purchases the day stays. Notifications go before the purchases by which they are found.
CREATE OR REPLACE FUNCTION move_ledger(old_name text, new_name text, keeps_operations boolean) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    moved juliet.energy_ledger;
    entries_moved bigint := 0;
    archived_moved bigint;
BEGIN
    -- Row by row, because the guard of a first entry looks for it, in this transaction, where the new row of users is.
    FOR moved IN DELETE FROM energy_ledger WHERE user_id = old_name RETURNING * LOOP
        CONTINUE WHEN NOT keeps_operations AND moved.entry IS NULL;
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference,
            operation_request, refusal, wins, created_at)
        VALUES (new_name, CASE WHEN keeps_operations THEN moved.operation_id ELSE 'entry ' || moved.entry END,
            moved.entry, moved.delta, moved.balance_after, moved.reason, moved.reference,
            CASE WHEN keeps_operations THEN moved.operation_request END, moved.refusal, moved.wins, moved.created_at);
        entries_moved := entries_moved + (moved.entry IS NOT NULL)::integer;
    END LOOP;
    WITH moved AS (DELETE FROM energy_ledger_archive WHERE user_id = old_name RETURNING *)
    INSERT INTO energy_ledger_archive (user_id, entry, delta, balance_after, reason, reference, operation_id,
        operation_request, created_at)
    SELECT new_name, entry, delta, balance_after, reason, reference,
        CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END,
        CASE WHEN keeps_operations THEN operation_request END, created_at
    FROM moved;
    GET DIAGNOSTICS archived_moved = ROW_COUNT;
    WITH moved AS (DELETE FROM energy_checkpoints WHERE user_id = old_name RETURNING *)
    INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, file_seal, lasting, created_at)
    SELECT new_name, begins, entry, balance, seal, file_id, file_seal, lasting, created_at FROM moved;
    INSERT INTO former_actions (player, done_on, actor, action, reason)
    SELECT sha256(convert_to(old_name, 'UTF8')), (done_at AT TIME ZONE 'UTC')::date, actor, action, reason
    FROM admin_actions
    WHERE user_id = old_name AND NOT keeps_operations AND action NOT IN ('energy.grant', 'energy.take');
    UPDATE admin_actions SET user_id = CASE WHEN keeps_operations OR action IN ('energy.grant', 'energy.take')
            THEN new_name END,
        done_at = CASE WHEN keeps_operations THEN done_at ELSE day_of(done_at) END
    WHERE user_id = old_name;
    UPDATE store_notifications SET account = CASE WHEN keeps_operations THEN new_name END,
        payload = CASE WHEN keeps_operations THEN payload END
    WHERE id IN (
        SELECT id FROM store_notifications WHERE account = lower(old_name)
        UNION ALL
        SELECT id FROM purchases JOIN store_notifications USING (environment, transaction_id)
        WHERE user_id = old_name AND NOT keeps_operations);
    UPDATE purchases SET user_id = new_name,
        purchased_at = CASE WHEN keeps_operations THEN purchased_at ELSE day_of(purchased_at) END,
        signed_at = CASE WHEN keeps_operations THEN signed_at ELSE day_of(signed_at) END,
        created_at = CASE WHEN keeps_operations THEN created_at ELSE day_of(created_at) END,
        seal = CASE WHEN keeps_operations THEN seal ELSE seal
            # purchase_seal(ROW(environment, transaction_id, product, quantity, energy, NULL, purchased_at, signed_at,
                NULL)::store_transaction, created_at)
            # purchase_seal(ROW(environment, transaction_id, product, quantity, energy, NULL, day_of(purchased_at),
                day_of(signed_at), NULL)::store_transaction, day_of(created_at)) END
    WHERE user_id = old_name;
    WITH moved AS (DELETE FROM unverified_purchases WHERE user_id = old_name RETURNING *)
    INSERT INTO unverified_purchases (user_id, day, energy)
    SELECT new_name, day, energy FROM moved WHERE keeps_operations;
    DELETE FROM lottery_entries WHERE NOT keeps_operations AND participant IN (
        SELECT number FROM lottery_participants WHERE user_id = old_name);
    UPDATE lottery_participants SET user_id = CASE WHEN keeps_operations THEN new_name END,
        name = CASE WHEN NOT keeps_operations THEN 'deleted player' END,
        registered_on = CASE WHEN keeps_operations THEN registered_on ELSE '2000-01-01' END,
        is_listed = is_listed AND keeps_operations
    WHERE user_id = old_name;
    UPDATE lottery_draws SET credited_to = CASE WHEN keeps_operations THEN new_name END,
        credit_entry = CASE WHEN keeps_operations OR credit_entry IS NULL THEN credit_entry ELSE 0 END
    WHERE credited_to = old_name;
    RETURN entries_moved + archived_moved;
END
$$;
