-- Where players are on several servers: what a transaction changes beside a player and in tables that the coordinator
-- alone has is committed everywhere, or nowhere.
--
-- Citus commits at the players' servers first, and then at the coordinator. It does so in two phases (PREPARE
-- TRANSACTION, COMMIT PREPARED) only if it knows that several servers have changed something. Of a table that it does
-- not manage it does not know. So each change of such a table touches one that it manages, commit_marks, which has no
-- rows. Were it not so, and the coordinator lost between the two commits, a purchase that is presented again would be
-- credited twice.

-- Has the servers commit in two phases, if there are several.
--
-- Called by: the triggers below, which each table has that is neither divided nor copied to all servers.
CREATE OR REPLACE FUNCTION commit_together() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('citus.shard_count', true) IS NOT NULL THEN
        DELETE FROM juliet.commit_marks WHERE id = 0;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER admin_actions_together BEFORE INSERT OR UPDATE OR DELETE ON admin_actions
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER admin_key_uses_together BEFORE INSERT OR UPDATE OR DELETE ON admin_key_uses
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER admin_keys_together BEFORE INSERT OR UPDATE OR DELETE ON admin_keys
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER admin_sessions_together BEFORE INSERT OR UPDATE OR DELETE ON admin_sessions
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER board_counts_together BEFORE INSERT OR UPDATE OR DELETE ON board_counts
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER challenges_together BEFORE INSERT OR UPDATE OR DELETE ON challenges
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER figures_together BEFORE INSERT OR UPDATE OR DELETE ON figures
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER former_actions_together BEFORE INSERT OR UPDATE OR DELETE ON former_actions
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER identities_together BEFORE INSERT OR UPDATE OR DELETE ON identities
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER league_members_together BEFORE INSERT OR UPDATE OR DELETE ON league_members
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER leagues_together BEFORE INSERT OR UPDATE OR DELETE ON leagues
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER lottery_changes_together BEFORE INSERT OR UPDATE OR DELETE ON lottery_changes
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER lottery_draws_together BEFORE INSERT OR UPDATE OR DELETE ON lottery_draws
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER lottery_entries_together BEFORE INSERT OR UPDATE OR DELETE ON lottery_entries
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER lottery_lists_together BEFORE INSERT OR UPDATE OR DELETE ON lottery_lists
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER lottery_participants_together BEFORE INSERT OR UPDATE OR DELETE ON lottery_participants
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER nonce_keys_together BEFORE INSERT OR UPDATE OR DELETE ON nonce_keys
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER passkeys_together BEFORE INSERT OR UPDATE OR DELETE ON passkeys
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER purchases_together BEFORE INSERT OR UPDATE OR DELETE ON purchases
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER services_together BEFORE INSERT OR UPDATE OR DELETE ON services
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER store_notifications_together BEFORE INSERT OR UPDATE OR DELETE ON store_notifications
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER trail_seals_together BEFORE INSERT OR UPDATE OR DELETE ON trail_seals
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
CREATE OR REPLACE TRIGGER used_nonces_together BEFORE INSERT OR UPDATE OR DELETE ON used_nonces
FOR EACH STATEMENT EXECUTE FUNCTION commit_together();
