-- Deletes a player: what is known of them goes. Their ledger goes on under a pseudonym that leads to nobody, and the
-- figures of past days stay. What stays has no game's id and of each time the day.
--
-- Called by: operators (juliet users delete), delete_player.
-- Locks: the table energy_ledger_archive; the player's rows of users and players, sessions and running games, and the
-- rows of the player's leagues, all together; then what is deleted or moved.
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
BEGIN
    IF player IS NULL THEN RETURN NULL; END IF;
    IF strpos(pseudonym, E'\t') = 0 THEN
        RAISE 'the name of a closed ledger has a tab in it' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    -- All rows by which others hold the player, or none: with some of them it would wait for a guess, or a game that
    -- begins, that waits for it. A game that begins holds its session, so no game is missed. Who waits in vain may wait
    -- for a batch that waits for this one: giving up ends that, and the service tries again.
    FOR attempt IN 1..200 LOOP
        BEGIN
            PERFORM FROM users WHERE id = player FOR UPDATE NOWAIT;
            PERFORM FROM players WHERE user_id = player FOR UPDATE NOWAIT;
            PERFORM FROM sessions WHERE user_id = player ORDER BY id FOR UPDATE NOWAIT;
            PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL ORDER BY id FOR UPDATE NOWAIT;
            PERFORM FROM leagues WHERE id IN (SELECT league_id FROM league_members WHERE user_id = player)
            ORDER BY id FOR UPDATE NOWAIT;
            EXIT;
        EXCEPTION
            WHEN lock_not_available THEN
                IF attempt = 200 THEN RAISE 'others hold the player' USING ERRCODE = 'deadlock_detected'; END IF;
                PERFORM pg_sleep(0.01);
        END;
    END LOOP;
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
    UPDATE challenges SET maker = NULL WHERE maker = player;
    PERFORM leave_leagues(player);
    DELETE FROM daily_results WHERE user_id = player;
    DELETE FROM judged_games WHERE user_id = player;
    DELETE FROM passkeys WHERE user_id = player;
    DELETE FROM identities WHERE user_id = player;
    DELETE FROM sessions WHERE user_id = player;
    DELETE FROM played_words WHERE user_id = player;
    GET DIAGNOSTICS words_deleted = ROW_COUNT;
    entries_moved := move_ledger(player, pseudonym, false);
    -- What the store said of transactions that nobody presented, under the name that the player had in the app.
    UPDATE store_notifications SET account = NULL, payload = NULL
    WHERE account IN (SELECT lower(account_id) FROM claims WHERE user_id = player);
    DELETE FROM claims WHERE user_id = player;
    RETURN ARRAY[entries_moved, words_deleted];
END
$$;
