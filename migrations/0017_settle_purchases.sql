-- What a review of 0016 found.
--
-- A notification is no longer locked before its player: whoever deletes or claims the player locks them the other way round.
-- decide_purchase is idempotent under its own locks, so two who apply one notification do it once. So the order of locks is:
-- the player (users, or closed_ledgers), the transaction, the notification.
--
-- What the store told of a deleted player's transaction loses what names them also when it was kept while they were being
-- deleted, and when it names them as the app did before they were claimed.
--
-- A transaction whose product is no longer sold (energy NULL) is what it was for whoever it was credited to, and taken back when
-- it is revoked.

-- migrate:backward-compatible
-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- As in 0016, but energy may be NULL: then only a transaction that is known already counts for anything.
CREATE OR REPLACE FUNCTION take_purchase(player text, t store_transaction, amount integer, operation text, request bigint)
RETURNS purchase_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer purchase_answer;
    kept operation_answer;
    p purchases;
    next_entry integer;
    is_theirs boolean;
    is_credited boolean;
BEGIN
    IF (t.environment IN ('Production', 'Sandbox') AND octet_length(t.id) BETWEEN 1 AND 64 AND t.id !~ '[^!-~]'
        AND t.quantity BETWEEN 1 AND 10 AND (t.energy IS NULL OR t.energy > 0 AND t.energy % t.quantity = 0)
        AND t.product IS NOT NULL AND t.signed_at IS NOT NULL) IS NOT TRUE
    THEN
        RAISE 'no transaction that can be credited' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT energy, ledger_entry + 1 INTO answer.energy, next_entry FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        answer.refusal := 'user-unknown';
        RETURN answer;
    END IF;
    IF operation IS NOT NULL THEN
        PERFORM check_operation(operation, request);
        IF EXISTS (SELECT FROM energy_ledger WHERE user_id = player AND operation_id = operation) THEN
            kept := first_answer(player, operation, request);
            answer.refusal := kept.refusal;
            answer.energy := kept.energy;
            answer.is_replay := kept.is_replay;
            RETURN answer;
        END IF;
    END IF;

    is_theirs := t.account IS NULL OR t.account = lower(player)
        OR EXISTS (SELECT FROM claims WHERE user_id = player AND lower(account_id) = t.account);
    -- As if the store had told it, whoever's it is.
    IF t.revoked_at IS NOT NULL THEN PERFORM decide_purchase(t.environment, t.id, true, t.revoked_at); END IF;
    LOOP
        SELECT * INTO p FROM purchases WHERE environment = t.environment AND transaction_id = t.id FOR UPDATE;
        is_credited := t.revoked_at IS NULL AND NOT coalesce(p.is_refunded, false);
        IF t.revoked_at IS NOT NULL THEN
            answer.refusal := 'purchase-revoked';
            -- If the store has said later that it holds, a newer copy of the transaction says so too.
            EXIT WHEN p.user_id IS NOT NULL OR NOT p.is_refunded OR NOT is_theirs OR t.energy IS NULL;
        ELSE
            answer.refusal := CASE WHEN NOT is_theirs THEN 'purchase-account'
                WHEN p.user_id <> player THEN 'purchase-used'
                WHEN p.user_id IS NULL AND t.energy IS NULL THEN 'purchase-product'
                WHEN amount <> coalesce(p.energy, t.energy) THEN 'purchase-product'
                WHEN p.user_id IS NOT NULL AND p.credit_entry IS NOT NULL THEN NULL
                WHEN p.is_refunded THEN 'purchase-revoked'
                WHEN answer.energy > 2147483647 - t.energy THEN 'purchase-full' END;
            IF p.user_id IS NOT NULL OR answer.refusal <> 'purchase-revoked' THEN
                is_credited := false;
                EXIT;
            END IF;
        END IF;
        -- Who presents it is kept even when it is revoked: should the refund be reversed, it is theirs.
        INSERT INTO purchases AS known (
            environment, transaction_id, user_id, product, quantity, energy, purchased_at, signed_at, credit_entry,
            last_entry)
        VALUES (t.environment, t.id, player, t.product, t.quantity, t.energy, t.purchased_at, t.signed_at,
            CASE WHEN is_credited THEN next_entry END, CASE WHEN is_credited THEN next_entry END)
        ON CONFLICT (environment, transaction_id) DO UPDATE SET user_id = EXCLUDED.user_id, product = EXCLUDED.product,
            quantity = EXCLUDED.quantity, energy = EXCLUDED.energy, purchased_at = EXCLUDED.purchased_at,
            signed_at = EXCLUDED.signed_at, credit_entry = EXCLUDED.credit_entry, last_entry = EXCLUDED.last_entry,
            created_at = EXCLUDED.created_at
        WHERE known.user_id IS NULL AND known.is_refunded <> is_credited
        RETURNING * INTO p;
        EXIT WHEN FOUND;
        -- It was not there, and now it is.
    END LOOP;

    IF is_credited THEN
        kept := change_energy(
            player, t.energy, 'purchase', purchase_reference(t.environment, t.id), operation, request);
        answer.energy := kept.energy;
    ELSE
        SELECT energy INTO answer.energy FROM users WHERE id = player;
        kept := keep_answer(
            player, operation, request, ROW(answer.refusal, answer.energy, 0, NULL, NULL)::operation_answer);
    END IF;
    answer.is_new := is_credited;
    IF answer.refusal IS NULL THEN
        answer.product := p.product;
        answer.quantity := p.quantity;
        answer.credited := p.energy;
    END IF;
    RETURN answer;
END
$$;

-- Does what a notification that is kept asks for; again changes nothing. Returns whether it was news; NULL: it is not kept.
CREATE OR REPLACE FUNCTION apply_notification(notification text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    n store_notifications;
    is_news boolean := false;
    player text;
BEGIN
    SELECT * INTO n FROM store_notifications WHERE id = notification;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF n.transaction_id IS NOT NULL AND n.type IN ('REFUND', 'REVOKE', 'REFUND_REVERSED') THEN
        is_news := decide_purchase(n.environment, n.transaction_id, n.type <> 'REFUND_REVERSED', n.signed_at);
    ELSE
        -- As decide_purchase does: whoever deletes the player meanwhile may not see this notification, and ends first.
        SELECT user_id INTO player FROM purchases
        WHERE environment = n.environment AND transaction_id = n.transaction_id;
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
    END IF;
    UPDATE store_notifications SET applied_at = now() WHERE id = notification AND applied_at IS NULL;
    UPDATE store_notifications SET payload = NULL, account = NULL
    WHERE id = notification AND payload IS NOT NULL AND EXISTS (
        SELECT FROM purchases
        WHERE environment = n.environment AND transaction_id = n.transaction_id AND strpos(user_id, E'\t') > 0);
    RETURN is_news;
END
$$;

-- As in 0011, with what the store told under the player's name in the app.
CREATE OR REPLACE FUNCTION delete_user(player text, pseudonym text) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    entry board_entries;
    words_deleted bigint;
    entries_moved bigint;
BEGIN
    IF strpos(pseudonym, E'\t') = 0 THEN
        RAISE 'the name of a closed ledger has a tab in it' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL FOR UPDATE;
    DELETE FROM players WHERE user_id = player;
    WITH closed AS (DELETE FROM users WHERE id = player RETURNING ledger_entry, energy, ledger_seal)
    INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal)
    SELECT pseudonym, ledger_entry, energy, ledger_seal FROM closed;
    IF NOT FOUND THEN RETURN NULL; END IF;
    FOR entry IN DELETE FROM board_entries WHERE user_id = player RETURNING * LOOP
        PERFORM count_on_board(entry.board, entry.starts_on, entry.score, NULL);
    END LOOP;
    DELETE FROM judged_games WHERE user_id = player;
    DELETE FROM sessions WHERE user_id = player;
    DELETE FROM played_words WHERE user_id = player;
    GET DIAGNOSTICS words_deleted = ROW_COUNT;
    entries_moved := move_ledger(player, pseudonym, false);
    -- What the store told of transactions that nobody presented, under the name the player had in the app.
    UPDATE store_notifications SET account = NULL, payload = NULL
    WHERE account IN (SELECT lower(account_id) FROM claims WHERE user_id = player);
    DELETE FROM claims WHERE user_id = player;
    RETURN ARRAY[entries_moved, words_deleted];
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE OR REPLACE FUNCTION apply_notification(notification text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    n store_notifications;
    is_news boolean := false;
BEGIN
    SELECT * INTO n FROM store_notifications WHERE id = notification FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF n.transaction_id IS NOT NULL AND n.type IN ('REFUND', 'REVOKE', 'REFUND_REVERSED') THEN
        is_news := decide_purchase(n.environment, n.transaction_id, n.type <> 'REFUND_REVERSED', n.signed_at);
    END IF;
    UPDATE store_notifications SET applied_at = now() WHERE id = notification AND applied_at IS NULL;
    RETURN is_news;
END
$$;
CREATE OR REPLACE FUNCTION delete_user(player text, pseudonym text) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    entry board_entries;
    words_deleted bigint;
BEGIN
    IF strpos(pseudonym, E'\t') = 0 THEN
        RAISE 'the name of a closed ledger has a tab in it' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL FOR UPDATE;
    DELETE FROM players WHERE user_id = player;
    WITH closed AS (DELETE FROM users WHERE id = player RETURNING ledger_entry, energy, ledger_seal)
    INSERT INTO closed_ledgers (user_id, ledger_entry, ledger_balance, ledger_seal)
    SELECT pseudonym, ledger_entry, energy, ledger_seal FROM closed;
    IF NOT FOUND THEN RETURN NULL; END IF;
    FOR entry IN DELETE FROM board_entries WHERE user_id = player RETURNING * LOOP
        PERFORM count_on_board(entry.board, entry.starts_on, entry.score, NULL);
    END LOOP;
    DELETE FROM judged_games WHERE user_id = player;
    DELETE FROM sessions WHERE user_id = player;
    DELETE FROM claims WHERE user_id = player;
    DELETE FROM played_words WHERE user_id = player;
    GET DIAGNOSTICS words_deleted = ROW_COUNT;
    RETURN ARRAY[move_ledger(player, pseudonym, false), words_deleted];
END
$$;
CREATE OR REPLACE FUNCTION take_purchase(player text, t store_transaction, amount integer, operation text, request bigint)
RETURNS purchase_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer purchase_answer;
    kept operation_answer;
    p purchases;
    next_entry integer;
    is_theirs boolean;
    is_credited boolean;
BEGIN
    IF (t.environment IN ('Production', 'Sandbox') AND octet_length(t.id) BETWEEN 1 AND 64 AND t.id !~ '[^!-~]'
        AND t.quantity BETWEEN 1 AND 10 AND t.energy > 0 AND t.energy % t.quantity = 0 AND t.product IS NOT NULL
        AND t.signed_at IS NOT NULL) IS NOT TRUE
    THEN
        RAISE 'no transaction that can be credited' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT energy, ledger_entry + 1 INTO answer.energy, next_entry FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        answer.refusal := 'user-unknown';
        RETURN answer;
    END IF;
    IF operation IS NOT NULL THEN
        PERFORM check_operation(operation, request);
        IF EXISTS (SELECT FROM energy_ledger WHERE user_id = player AND operation_id = operation) THEN
            kept := first_answer(player, operation, request);
            answer.refusal := kept.refusal;
            answer.energy := kept.energy;
            answer.is_replay := kept.is_replay;
            RETURN answer;
        END IF;
    END IF;

    is_theirs := t.account IS NULL OR t.account = lower(player)
        OR EXISTS (SELECT FROM claims WHERE user_id = player AND lower(account_id) = t.account);
    -- As if the store had told it, whoever's it is.
    IF t.revoked_at IS NOT NULL THEN PERFORM decide_purchase(t.environment, t.id, true, t.revoked_at); END IF;
    LOOP
        SELECT * INTO p FROM purchases WHERE environment = t.environment AND transaction_id = t.id FOR UPDATE;
        is_credited := t.revoked_at IS NULL AND NOT coalesce(p.is_refunded, false);
        IF t.revoked_at IS NOT NULL THEN
            answer.refusal := 'purchase-revoked';
            -- If the store has said later that it holds, a newer copy of the transaction says so too.
            EXIT WHEN p.user_id IS NOT NULL OR NOT p.is_refunded OR NOT is_theirs;
        ELSE
            answer.refusal := CASE WHEN NOT is_theirs THEN 'purchase-account'
                WHEN p.user_id <> player THEN 'purchase-used'
                WHEN amount <> coalesce(p.energy, t.energy) THEN 'purchase-product'
                WHEN p.user_id IS NOT NULL AND p.credit_entry IS NOT NULL THEN NULL
                WHEN p.is_refunded THEN 'purchase-revoked'
                WHEN answer.energy > 2147483647 - t.energy THEN 'purchase-full' END;
            IF p.user_id IS NOT NULL OR answer.refusal <> 'purchase-revoked' THEN
                is_credited := false;
                EXIT;
            END IF;
        END IF;
        -- Who presents it is kept even when it is revoked: should the refund be reversed, it is theirs.
        INSERT INTO purchases AS known (
            environment, transaction_id, user_id, product, quantity, energy, purchased_at, signed_at, credit_entry,
            last_entry)
        VALUES (t.environment, t.id, player, t.product, t.quantity, t.energy, t.purchased_at, t.signed_at,
            CASE WHEN is_credited THEN next_entry END, CASE WHEN is_credited THEN next_entry END)
        ON CONFLICT (environment, transaction_id) DO UPDATE SET user_id = EXCLUDED.user_id, product = EXCLUDED.product,
            quantity = EXCLUDED.quantity, energy = EXCLUDED.energy, purchased_at = EXCLUDED.purchased_at,
            signed_at = EXCLUDED.signed_at, credit_entry = EXCLUDED.credit_entry, last_entry = EXCLUDED.last_entry,
            created_at = EXCLUDED.created_at
        WHERE known.user_id IS NULL AND known.is_refunded <> is_credited
        RETURNING * INTO p;
        EXIT WHEN FOUND;
        -- It was not there, and now it is.
    END LOOP;

    IF is_credited THEN
        kept := change_energy(
            player, t.energy, 'purchase', purchase_reference(t.environment, t.id), operation, request);
        answer.energy := kept.energy;
    ELSE
        SELECT energy INTO answer.energy FROM users WHERE id = player;
        kept := keep_answer(
            player, operation, request, ROW(answer.refusal, answer.energy, 0, NULL, NULL)::operation_answer);
    END IF;
    answer.is_new := is_credited;
    IF answer.refusal IS NULL THEN
        answer.product := p.product;
        answer.quantity := p.quantity;
        answer.credited := p.energy;
    END IF;
    RETURN answer;
END
$$;
