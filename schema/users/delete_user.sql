-- Deletes a player and the data about them. Their ledger is kept under a pseudonym that cannot be traced to them,
-- and the figures of past days stay. Their records that stay have no ids of games, and days instead of times.
--
-- Called by: delete_player, admin_delete; operators (juliet users delete).
-- Locks: the table energy_ledger_archive; as hold_players; then the rows that are deleted or moved.
-- Answers: the numbers of entries moved and of played words deleted; NULL for an unknown player.
CREATE OR REPLACE FUNCTION delete_user(player text, pseudonym text) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    entry board_entries;
    noted board_change[];
    changes board_change[] := '{}';
    words_deleted bigint;
    entries_moved bigint;
    closed record;
    seal_change bigint;
    merged text;
    merged_name text;
BEGIN
    IF player IS NULL THEN RETURN NULL; END IF;
    IF (strpos(pseudonym, E'\t') > 0) IS NOT TRUE THEN
        RAISE 'the name of a closed ledger has a tab in it' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    PERFORM hold_players(ARRAY[player]);
    DELETE FROM players WHERE user_id = player;
    DELETE FROM users WHERE id = player RETURNING ledger_entry, energy, ledger_seal INTO closed;
    IF NOT FOUND THEN RETURN NULL; END IF;
    seal_change := blur_ledger(player);
    INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal, closed_at)
    VALUES (pseudonym, closed.ledger_entry, closed.energy, closed.ledger_seal # seal_change, day_of(now()));
    -- What the boards have not counted yet goes on under a name of its own: scores were public.
    FOR noted IN DELETE FROM board_changes WHERE user_id = player RETURNING board_changes.changes LOOP
        changes := changes || noted;
    END LOOP;
    FOR entry IN DELETE FROM board_entries WHERE user_id = player RETURNING * LOOP
        changes := changes || ROW(entry.board, entry.starts_on, entry.score, NULL, NULL)::board_change;
    END LOOP;
    PERFORM note_on_boards(E'\t' || gen_random_uuid(), now(), changes);
    UPDATE challenges SET maker = NULL, ledger = NULL WHERE maker = player;
    PERFORM leave_leagues(player);
    DELETE FROM daily_results WHERE user_id = player;
    DELETE FROM judged_games WHERE user_id = player;
    DELETE FROM passkeys WHERE user_id = player;
    DELETE FROM identities WHERE user_id = player;
    DELETE FROM sessions WHERE user_id = player;
    DELETE FROM played_words WHERE user_id = player;
    GET DIAGNOSTICS words_deleted = ROW_COUNT;
    UPDATE lottery_participants SET name = 'deleted player', merged_into = NULL
    WHERE merged_into IN (SELECT number FROM lottery_participants WHERE user_id = player);
    PERFORM blur_records(player);
    entries_moved := move_ledger(player, pseudonym);
    -- The ledgers of those who were merged into the player.
    FOR merged IN SELECT user_id FROM merges WHERE holder = player ORDER BY user_id LOOP
        merged_name := E'deleted\t' || replace(gen_random_uuid()::text, '-', '');
        seal_change := blur_ledger(merged);
        DELETE FROM closed_ledgers WHERE user_id = merged
        RETURNING ledger_entry, ledger_balance AS energy, ledger_seal INTO STRICT closed;
        INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal, closed_at)
        VALUES (merged_name, closed.ledger_entry, closed.energy, closed.ledger_seal # seal_change, day_of(now()));
        PERFORM blur_records(merged);
        entries_moved := entries_moved + move_ledger(merged, merged_name);
        UPDATE purchases SET credit_ledger = merged_name WHERE credit_ledger = merged;
        UPDATE purchases SET last_ledger = merged_name WHERE last_ledger = merged;
        UPDATE merges SET user_id = merged_name, merged_at = day_of(merged_at) WHERE user_id = merged;
        UPDATE merges SET merged_into = merged_name WHERE merged_into = merged;
    END LOOP;
    UPDATE merges SET holder = pseudonym WHERE holder = player;
    UPDATE merges SET merged_into = pseudonym WHERE merged_into = player;
    -- What the store said of transactions that nobody presented, under the name that the player had in the app.
    UPDATE store_notifications SET account = NULL, payload = NULL
    WHERE account IN (SELECT lower(account_id) FROM claims WHERE user_id = player);
    DELETE FROM claims WHERE user_id = player;
    RETURN ARRAY[entries_moved, words_deleted];
END
$$;
