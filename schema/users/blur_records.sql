-- Removes from the records beside the ledger of a deleted player what could lead to the player.
--
-- Called by: delete_user, for the player and for each who was merged into the player. It holds the table
-- energy_ledger_archive and has deleted the player's row of users.
--
-- Unverified purchases are deleted. Notifications lose what names the player. A participant of the lottery leaves it:
-- past draws showed the number with a name, so only the number stays. A draw whose prize was credited gets the
-- credit_entry 0. Of the times of the trail and of purchases the day stays.
--
-- In the trail, what support gave and took keeps the player's name, which becomes the pseudonym. All other lines
-- lose it, because they may say what the player, or somebody else, has seen. former_actions keeps these others for
-- whoever knows the id. It does not keep what support gave and took: day, actor and reason would lead to the pseudonym.
CREATE OR REPLACE FUNCTION blur_records(player text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO former_actions (player, done_on, actor, action, reason)
    SELECT sha256(convert_to(player, 'UTF8')), (done_at AT TIME ZONE 'UTC')::date, actor, action, reason
    FROM admin_actions WHERE user_id = player AND action NOT IN ('energy.grant', 'energy.take');
    UPDATE admin_actions SET done_at = day_of(done_at),
        user_id = CASE WHEN action IN ('energy.grant', 'energy.take') THEN user_id END
    WHERE user_id = player;
    UPDATE store_notifications SET account = NULL, payload = NULL
    WHERE id IN (
        SELECT id FROM store_notifications WHERE account = lower(player)
        UNION ALL
        SELECT id FROM purchases JOIN store_notifications USING (environment, transaction_id) WHERE user_id = player);
    UPDATE purchases SET purchased_at = day_of(purchased_at), signed_at = day_of(signed_at),
        created_at = day_of(created_at),
        seal = seal
            # purchase_seal(ROW(environment, transaction_id, product, quantity, energy, NULL, purchased_at, signed_at,
                NULL)::store_transaction, created_at)
            # purchase_seal(ROW(environment, transaction_id, product, quantity, energy, NULL, day_of(purchased_at),
                day_of(signed_at), NULL)::store_transaction, day_of(created_at))
    WHERE user_id = player;
    DELETE FROM unverified_purchases WHERE user_id = player;
    DELETE FROM lottery_entries
    WHERE participant IN (SELECT number FROM lottery_participants WHERE user_id = player);
    UPDATE lottery_participants SET user_id = NULL, name = 'deleted player', registered_on = '2000-01-01',
        is_listed = false
    WHERE user_id = player;
    UPDATE lottery_draws SET credited_to = NULL, credit_entry = CASE WHEN credit_entry IS NOT NULL THEN 0 END
    WHERE credited_to = player;
END
$$;
