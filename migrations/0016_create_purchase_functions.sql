-- What can be asked about purchases that the App Store vouches for, with the rules of 0006 and 0011. The service has
-- verified what it gives to these functions; that a transaction counts once, for one player, and what its refund takes
-- back, is decided here.
--
-- Locks are taken in this order: the notification, the player (users, or closed_ledgers), the transaction. Who finds out
-- the player by the transaction looks again once both are locked: the player may have been claimed or deleted meanwhile.
--
-- Only a refund takes a balance below zero. From there everything that gives energy is as ever, and what a client reports
-- raises nothing. So change_energy and report_energy are made anew; move_ledger takes purchases along, when a player is
-- claimed or deleted, and export_player tells of them.

-- migrate:backward-compatible
-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- A transaction as the service has verified it. energy: what it is worth, of all its pieces. account: the player it names,
-- in lower case, if it names one. revoked_at: since when the store has taken it back.
CREATE TYPE store_transaction AS (
    environment text, id text, product text, quantity integer, energy integer, account text, purchased_at timestamptz,
    signed_at timestamptz, revoked_at timestamptz
);
-- energy is the balance; product, quantity and credited are the transaction's when it was credited first.
CREATE TYPE purchase_answer AS (
    refusal text, energy integer, is_new boolean, is_replay boolean, product text, quantity integer, credited integer
);

-- Parts of the others ------------------------------------------------------------------------------------------------

-- As in 0006, but a refund may take the balance below zero, and whatever adds may raise it from there.
CREATE OR REPLACE FUNCTION change_energy(
    player text, change integer, reason energy_reason, reference text, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer operation_answer;
    new_entry integer;
    least_needed integer := CASE
        WHEN change > 0 THEN -2147483648 WHEN reason = 'refund' THEN -2147483648 - change ELSE -change END;
    most_allowed integer := 2147483647 - greatest(0, change);
    digest bigint := energy_entry_digest(change, reason, reference, now());
BEGIN
    LOOP
        UPDATE users SET energy = energy + change, ledger_entry = ledger_entry + 1,
            ledger_seal = ledger_seal # energy_entry_seal(ledger_entry, energy, digest)
        WHERE id = player AND energy BETWEEN least_needed AND most_allowed
        RETURNING energy, ledger_entry INTO answer.energy, new_entry;
        EXIT WHEN FOUND;
        -- Refused by the balance as it is under the lock: another change may have come in between.
        SELECT energy INTO answer.energy FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
        IF answer.energy NOT BETWEEN least_needed AND most_allowed THEN
            RETURN refuse(
                player, CASE WHEN change < 0 THEN 'energy-insufficient' ELSE 'energy-full' END, operation, request);
        END IF;
    END LOOP;
    IF operation IS NULL THEN
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference)
        VALUES (player, 'entry ' || new_entry, new_entry, change, answer.energy, reason, reference);
    ELSE
        PERFORM check_operation(operation, request);
        INSERT INTO energy_ledger (
            user_id, operation_id, entry, delta, balance_after, reason, reference, operation_request)
        VALUES (player, operation, new_entry, change, answer.energy, reason, reference, request)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            UPDATE users SET energy = energy - change, ledger_entry = ledger_entry - 1,
                ledger_seal = ledger_seal # energy_entry_seal(ledger_entry - 1, energy - change, digest)
            WHERE id = player;
            RETURN first_answer(player, operation, request);
        END IF;
    END IF;
    RETURN answer;
END
$$;

-- As in 0006, but it never raises a balance below zero: what a refund took is not to be reported back.
CREATE OR REPLACE FUNCTION report_energy(player text, reported integer, maximum integer, operation text, request bigint)
RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    change integer;
BEGIN
    IF reported < 0 THEN RAISE 'nobody has less than no energy' USING ERRCODE = 'invalid_parameter_value'; END IF;
    IF maximum IS NULL THEN RETURN refuse(player, 'report-refused', operation, request); END IF;
    SELECT energy, wins, CASE WHEN energy < 0 THEN 0 ELSE least(reported, greatest(maximum, energy)) - energy END
    INTO answer.energy, answer.wins, change
    FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    IF change = 0 THEN RETURN keep_answer(player, operation, request, answer); END IF;
    RETURN change_energy(player, change, 'client_report', NULL, operation, request);
END
$$;

-- What a transaction is called in the ledger.
CREATE FUNCTION purchase_reference(environment text, transaction_id text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT environment || '/' || transaction_id $$;

-- What became of a transaction, in a word: credited; refunded: credited and taken back; revoked: taken back before it was
-- credited; awaited: nobody has presented it.
CREATE FUNCTION purchase_state(p purchases) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p.credit_entry IS NULL THEN CASE WHEN p.is_refunded THEN 'revoked' ELSE 'awaited' END
        WHEN p.is_refunded THEN 'refunded' ELSE 'credited' END
$$;

-- Moves the energy of a deleted player, whose ledger goes on alone. Returns the entry.
CREATE FUNCTION change_closed_energy(pseudonym text, change integer, reason energy_reason, reference text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    new_entry integer;
    balance integer;
    digest bigint := energy_entry_digest(change, reason, reference, now());
BEGIN
    UPDATE closed_ledgers SET ledger_balance = ledger_balance + change, ledger_entry = ledger_entry + 1,
        ledger_seal = ledger_seal # energy_entry_seal(ledger_entry, ledger_balance, digest)
    WHERE user_id = pseudonym RETURNING ledger_entry, ledger_balance INTO new_entry, balance;
    IF NOT FOUND THEN
        RAISE 'a transaction of nobody: its player was not deleted by juliet users delete'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference)
    VALUES (pseudonym, 'entry ' || new_entry, new_entry, change, balance, reason, reference);
    RETURN new_entry;
END
$$;

-- Moves the energy of a transaction's player, living or deleted, whose row is locked. Returns the entry.
CREATE FUNCTION settle_purchase(p purchases, change integer, reason energy_reason) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    reference text := purchase_reference(p.environment, p.transaction_id);
    answer operation_answer := change_energy(p.user_id, change, reason, reference, NULL, NULL);
BEGIN
    IF answer.refusal = 'user-unknown' THEN RETURN change_closed_energy(p.user_id, change, reason, reference); END IF;
    IF answer.refusal IS NOT NULL THEN
        RAISE 'the balance has no room for the change' USING ERRCODE = 'numeric_value_out_of_range';
    END IF;
    RETURN (SELECT ledger_entry FROM users WHERE id = p.user_id);
END
$$;

-- Takes the store's word about a transaction: refunded or not since a moment. What is older than what is known changes
-- nothing, and of one date the refund holds, so the order in which words come in does not matter. Returns whether it
-- was news.
CREATE FUNCTION decide_purchase(env text, transaction text, refunded boolean, since timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    p purchases;
    player text;
    first_entry integer;
    new_entry integer;
BEGIN
    LOOP
        SELECT user_id INTO player FROM purchases WHERE environment = env AND transaction_id = transaction;
        IF NOT FOUND THEN
            INSERT INTO purchases (environment, transaction_id, is_refunded, decided_at)
            VALUES (env, transaction, refunded, since) ON CONFLICT DO NOTHING;
            IF FOUND THEN RETURN true; END IF;
            CONTINUE;
        END IF;
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN PERFORM FROM closed_ledgers WHERE user_id = player FOR NO KEY UPDATE; END IF;
        SELECT * INTO STRICT p FROM purchases WHERE environment = env AND transaction_id = transaction FOR UPDATE;
        EXIT WHEN p.user_id IS NOT DISTINCT FROM player;
    END LOOP;
    IF (p.decided_at, p.is_refunded) >= (since, refunded) THEN RETURN false; END IF;
    first_entry := p.credit_entry;
    new_entry := p.last_entry;
    IF p.is_refunded <> refunded AND p.user_id IS NOT NULL THEN
        IF refunded THEN new_entry := settle_purchase(p, -p.energy, 'refund');
        ELSIF p.credit_entry IS NOT NULL THEN new_entry := settle_purchase(p, p.energy, 'refund');
        ELSE
            new_entry := settle_purchase(p, p.energy, 'purchase');
            first_entry := new_entry;
        END IF;
    END IF;
    UPDATE purchases SET is_refunded = refunded, decided_at = since, credit_entry = first_entry, last_entry = new_entry
    WHERE environment = env AND transaction_id = transaction;
    RETURN true;
END
$$;

-- Takes a transaction that a player presents, and credits it unless that was done. amount: what it has to be worth; NULL:
-- whatever it is. Refused: user-unknown, operation-reused, purchase-full; purchase-revoked, also when the store has taken it
-- back before it was presented; purchase-account, purchase-used, purchase-product (of another amount).
CREATE FUNCTION take_purchase(player text, t store_transaction, amount integer, operation text, request bigint)
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

-- Everything kept about a player's transactions, and what the store told of them.
CREATE FUNCTION purchase_records(player text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'transaction', transaction_id, 'environment', environment, 'product', product, 'quantity', quantity,
        'energy', energy, 'state', purchase_state(purchases), 'purchasedAt', show_time(purchased_at),
        'signedAt', show_time(signed_at), 'presentedAt', show_time(created_at), 'decidedAt', show_time(decided_at),
        'notifications', (SELECT jsonb_agg(jsonb_build_object('id', n.id, 'type', type, 'subtype', subtype,
            'signedAt', show_time(n.signed_at), 'receivedAt', show_time(received_at), 'payload', payload)
            ORDER BY n.signed_at, n.id)
            FROM store_notifications AS n
            WHERE n.environment = purchases.environment AND n.transaction_id = purchases.transaction_id)
        )) ORDER BY created_at, environment, transaction_id), '[]')
    FROM purchases WHERE user_id = player
$$;

-- As in 0011, but purchases go along. What the store told is kept without what names a player who is deleted.
CREATE OR REPLACE FUNCTION move_ledger(old_name text, new_name text, keeps_operations boolean) RETURNS bigint
LANGUAGE sql AS $$
    WITH moved AS (DELETE FROM energy_ledger WHERE user_id = old_name RETURNING *),
    kept AS (
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference,
            operation_request, refusal, wins, created_at)
        SELECT new_name, CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END, entry, delta,
            balance_after, reason, reference, CASE WHEN keeps_operations THEN operation_request END, refusal, wins, created_at
        FROM moved WHERE keeps_operations OR entry IS NOT NULL RETURNING entry),
    moved_archive AS (DELETE FROM energy_ledger_archive WHERE user_id = old_name RETURNING *),
    kept_archive AS (
        INSERT INTO energy_ledger_archive (user_id, entry, delta, balance_after, reason, reference, operation_id,
            operation_request, created_at)
        SELECT new_name, entry, delta, balance_after, reason, reference,
            CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END,
            CASE WHEN keeps_operations THEN operation_request END, created_at
        FROM moved_archive RETURNING entry),
    moved_checkpoints AS (DELETE FROM energy_checkpoints WHERE user_id = old_name RETURNING *),
    kept_checkpoints AS (
        INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, created_at)
        SELECT new_name, begins, entry, balance, seal, file_id, created_at FROM moved_checkpoints),
    moved_actions AS (UPDATE admin_actions SET user_id = new_name WHERE user_id = old_name),
    moved_purchases AS (UPDATE purchases SET user_id = new_name WHERE user_id = old_name),
    moved_notifications AS (
        UPDATE store_notifications SET account = CASE WHEN keeps_operations THEN new_name END,
            payload = CASE WHEN keeps_operations THEN payload END
        WHERE id IN (
            SELECT id FROM store_notifications WHERE account = lower(old_name)
            UNION ALL
            SELECT id FROM purchases JOIN store_notifications USING (environment, transaction_id)
            WHERE user_id = old_name AND NOT keeps_operations)),
    moved_days AS (DELETE FROM unverified_purchases WHERE user_id = old_name RETURNING *),
    kept_days AS (
        INSERT INTO unverified_purchases (user_id, day, energy)
        SELECT new_name, day, energy FROM moved_days WHERE keeps_operations)
    SELECT (SELECT count(entry) FROM kept) + (SELECT count(*) FROM kept_archive)
$$;

-- As in 0011, with the purchases.
CREATE OR REPLACE FUNCTION export_player(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    RETURN (SELECT (jsonb_build_object(
        'id', id, 'createdAt', show_time(created_at), 'energy', energy, 'wins', wins,
        'energyLedger', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry,
            'at', show_time(entries.created_at), 'delta', delta, 'balance', balance_after, 'reason', reason,
            'reference', reference)) ORDER BY entry), '[]')
            FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                    WHERE user_id = player AND entry IS NOT NULL
                UNION ALL
                SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                    WHERE user_id = player) AS entries),
        'idempotencyKeys', (SELECT coalesce(jsonb_agg(jsonb_build_object('key', operation_id,
            'at', show_time(energy_ledger.created_at)) ORDER BY energy_ledger.created_at, operation_id), '[]')
            FROM energy_ledger WHERE user_id = player AND operation_request IS NOT NULL),
        'playedWords', (SELECT coalesce(jsonb_agg(jsonb_build_object('word', word, 'language', language,
            'at', show_time(played_at)) ORDER BY number), '[]')
            FROM played_words JOIN words ON words.id = word_id WHERE user_id = player),
        'purchases', purchase_records(player)
        ) || coalesce(player_records(player), '{}'))::text
        FROM users WHERE id = player);
END
$$;

-- What the service calls ----------------------------------------------------------------------------------------------

-- A transaction that the app presents. Refused: as take_purchase says.
CREATE FUNCTION credit_purchase(player text, t store_transaction, amount integer, operation text, request bigint)
RETURNS purchase_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    RETURN take_purchase(player, t, amount, operation, request);
END
$$;

-- A transaction that a player of the second contract presents. Refused: unauthorized, purchase-full, purchase-revoked,
-- purchase-account, purchase-used.
CREATE FUNCTION present_purchase(token bytea, t store_transaction) RETURNS purchase_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer purchase_answer := take_purchase(session_player(token), t, NULL, NULL, NULL);
BEGIN
    IF answer.refusal = 'user-unknown' THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;

-- A purchase of the app whose transaction the service could not verify, or that comes without one where it takes one: it
-- is refused, with the balance, and stays refused under its name.
CREATE FUNCTION refuse_purchase(player text, why text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF (why ~ '^purchase-[a-z]{1,20}$') IS NOT TRUE THEN
        RAISE 'no reason to refuse a purchase' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN refuse(player, why, operation, request);
END
$$;

-- Adds a purchase that nobody vouches for, up to so much energy a player and day (UTC). Refused: product-unknown,
-- purchase-limit, energy-full.
CREATE FUNCTION buy_energy_within(player text, amount integer, most bigint, operation text, request bigint)
RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    bought bigint;
BEGIN
    IF NOT is_product(amount) THEN RETURN refuse(player, 'product-unknown', operation, request); END IF;
    PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    IF EXISTS (SELECT FROM energy_ledger WHERE user_id = player AND operation_id = operation) THEN
        RETURN first_answer(player, operation, request);
    END IF;
    SELECT energy INTO bought FROM unverified_purchases WHERE user_id = player AND day = today();
    IF NOT FOUND THEN
        -- The first of the day, or the first since there is a limit.
        SELECT coalesce(sum(delta), 0) INTO bought FROM energy_ledger
        WHERE user_id = player AND entry IS NOT NULL AND reason = 'purchase' AND reference IS NULL
            AND created_at >= today()::timestamp AT TIME ZONE 'UTC';
    END IF;
    IF bought + amount > most THEN RETURN refuse(player, 'purchase-limit', operation, request); END IF;
    answer := change_energy(player, amount, 'purchase', NULL, operation, request);
    IF answer.refusal IS NULL THEN
        INSERT INTO unverified_purchases (user_id, day, energy) VALUES (player, today(), bought + amount)
        ON CONFLICT (user_id) DO UPDATE SET day = EXCLUDED.day, energy = EXCLUDED.energy;
    END IF;
    RETURN answer;
END
$$;

-- Keeps what the store has told, once. Returns whether it has been applied.
CREATE FUNCTION store_notification(
    notification text, content text, kind text, sort text, env text, transaction text, named text, signed timestamptz
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF (octet_length(notification) BETWEEN 1 AND 128 AND octet_length(content) <= 65536 AND signed IS NOT NULL) IS NOT TRUE
    THEN
        RAISE 'no notification that can be kept' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- What is about a deleted player's transaction is kept without what names them.
    IF EXISTS (SELECT FROM purchases
        WHERE environment = env AND transaction_id = transaction AND strpos(user_id, E'\t') > 0)
    THEN
        content := NULL;
        named := NULL;
    END IF;
    INSERT INTO store_notifications (id, payload, type, subtype, environment, transaction_id, account, signed_at)
    VALUES (notification, content, kind, sort, env, transaction, named, signed) ON CONFLICT DO NOTHING;
    RETURN NOT FOUND AND EXISTS (SELECT FROM store_notifications WHERE id = notification AND applied_at IS NOT NULL);
END
$$;

-- Does what a notification that is kept asks for; again changes nothing. Returns whether it was news; NULL: it is not kept.
CREATE FUNCTION apply_notification(notification text) RETURNS boolean
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

REVOKE ALL ON FUNCTION purchase_reference(text, text), purchase_state(purchases),
    change_closed_energy(text, integer, energy_reason, text), settle_purchase(purchases, integer, energy_reason),
    decide_purchase(text, text, boolean, timestamptz),
    take_purchase(text, store_transaction, integer, text, bigint), purchase_records(text),
    credit_purchase(text, store_transaction, integer, text, bigint), present_purchase(bytea, store_transaction),
    refuse_purchase(text, text, text, bigint), buy_energy_within(text, integer, bigint, text, bigint),
    store_notification(text, text, text, text, text, text, text, timestamptz), apply_notification(text) FROM PUBLIC;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        GRANT EXECUTE ON FUNCTION credit_purchase(text, store_transaction, integer, text, bigint),
            present_purchase(bytea, store_transaction), refuse_purchase(text, text, text, bigint),
            buy_energy_within(text, integer, bigint, text, bigint),
            store_notification(text, text, text, text, text, text, text, timestamptz), apply_notification(text)
            TO juliet_service;
    END IF;
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
DROP FUNCTION apply_notification(text);
DROP FUNCTION store_notification(text, text, text, text, text, text, text, timestamptz);
DROP FUNCTION buy_energy_within(text, integer, bigint, text, bigint);
DROP FUNCTION refuse_purchase(text, text, text, bigint);
DROP FUNCTION present_purchase(bytea, store_transaction);
DROP FUNCTION credit_purchase(text, store_transaction, integer, text, bigint);
CREATE OR REPLACE FUNCTION export_player(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
BEGIN
    RETURN (SELECT (jsonb_build_object(
        'id', id, 'createdAt', show_time(created_at), 'energy', energy, 'wins', wins,
        'energyLedger', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry,
            'at', show_time(entries.created_at), 'delta', delta, 'balance', balance_after, 'reason', reason,
            'reference', reference)) ORDER BY entry), '[]')
            FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                    WHERE user_id = player AND entry IS NOT NULL
                UNION ALL
                SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                    WHERE user_id = player) AS entries),
        'idempotencyKeys', (SELECT coalesce(jsonb_agg(jsonb_build_object('key', operation_id,
            'at', show_time(energy_ledger.created_at)) ORDER BY energy_ledger.created_at, operation_id), '[]')
            FROM energy_ledger WHERE user_id = player AND operation_request IS NOT NULL),
        'playedWords', (SELECT coalesce(jsonb_agg(jsonb_build_object('word', word, 'language', language,
            'at', show_time(played_at)) ORDER BY number), '[]')
            FROM played_words JOIN words ON words.id = word_id WHERE user_id = player)
        ) || coalesce(player_records(player), '{}'))::text
        FROM users WHERE id = player);
END
$$;
CREATE OR REPLACE FUNCTION move_ledger(old_name text, new_name text, keeps_operations boolean) RETURNS bigint
LANGUAGE sql AS $$
    WITH moved AS (DELETE FROM energy_ledger WHERE user_id = old_name RETURNING *),
    kept AS (
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference,
            operation_request, refusal, wins, created_at)
        SELECT new_name, CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END, entry, delta,
            balance_after, reason, reference, CASE WHEN keeps_operations THEN operation_request END, refusal, wins, created_at
        FROM moved WHERE keeps_operations OR entry IS NOT NULL RETURNING entry),
    moved_archive AS (DELETE FROM energy_ledger_archive WHERE user_id = old_name RETURNING *),
    kept_archive AS (
        INSERT INTO energy_ledger_archive (user_id, entry, delta, balance_after, reason, reference, operation_id,
            operation_request, created_at)
        SELECT new_name, entry, delta, balance_after, reason, reference,
            CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END,
            CASE WHEN keeps_operations THEN operation_request END, created_at
        FROM moved_archive RETURNING entry),
    moved_checkpoints AS (DELETE FROM energy_checkpoints WHERE user_id = old_name RETURNING *),
    kept_checkpoints AS (
        INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, created_at)
        SELECT new_name, begins, entry, balance, seal, file_id, created_at FROM moved_checkpoints),
    moved_actions AS (UPDATE admin_actions SET user_id = new_name WHERE user_id = old_name)
    SELECT (SELECT count(entry) FROM kept) + (SELECT count(*) FROM kept_archive)
$$;
DROP FUNCTION purchase_records(text);
DROP FUNCTION take_purchase(text, store_transaction, integer, text, bigint);
DROP FUNCTION decide_purchase(text, text, boolean, timestamptz);
DROP FUNCTION settle_purchase(purchases, integer, energy_reason);
DROP FUNCTION change_closed_energy(text, integer, energy_reason, text);
DROP FUNCTION purchase_state(purchases);
DROP FUNCTION purchase_reference(text, text);
CREATE OR REPLACE FUNCTION report_energy(player text, reported integer, maximum integer, operation text, request bigint)
RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    change integer;
BEGIN
    IF reported < 0 THEN RAISE 'nobody has less than no energy' USING ERRCODE = 'invalid_parameter_value'; END IF;
    IF maximum IS NULL THEN RETURN refuse(player, 'report-refused', operation, request); END IF;
    SELECT energy, wins, least(reported, greatest(maximum, energy)) - energy INTO answer.energy, answer.wins, change
    FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    IF change = 0 THEN RETURN keep_answer(player, operation, request, answer); END IF;
    RETURN change_energy(player, change, 'client_report', NULL, operation, request);
END
$$;
CREATE OR REPLACE FUNCTION change_energy(
    player text, change integer, reason energy_reason, reference text, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer operation_answer;
    new_entry integer;
    least_needed integer := greatest(0, -change);
    most_allowed integer := 2147483647 - greatest(0, change);
    digest bigint := energy_entry_digest(change, reason, reference, now());
BEGIN
    LOOP
        UPDATE users SET energy = energy + change, ledger_entry = ledger_entry + 1,
            ledger_seal = ledger_seal # energy_entry_seal(ledger_entry, energy, digest)
        WHERE id = player AND energy BETWEEN least_needed AND most_allowed
        RETURNING energy, ledger_entry INTO answer.energy, new_entry;
        EXIT WHEN FOUND;
        -- Refused by the balance as it is under the lock: another change may have come in between.
        SELECT energy INTO answer.energy FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
        IF answer.energy NOT BETWEEN least_needed AND most_allowed THEN
            RETURN refuse(
                player, CASE WHEN change < 0 THEN 'energy-insufficient' ELSE 'energy-full' END, operation, request);
        END IF;
    END LOOP;
    IF operation IS NULL THEN
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference)
        VALUES (player, 'entry ' || new_entry, new_entry, change, answer.energy, reason, reference);
    ELSE
        PERFORM check_operation(operation, request);
        INSERT INTO energy_ledger (
            user_id, operation_id, entry, delta, balance_after, reason, reference, operation_request)
        VALUES (player, operation, new_entry, change, answer.energy, reason, reference, request)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            UPDATE users SET energy = energy - change, ledger_entry = ledger_entry - 1,
                ledger_seal = ledger_seal # energy_entry_seal(ledger_entry - 1, energy - change, digest)
            WHERE id = player;
            RETURN first_answer(player, operation, request);
        END IF;
    END IF;
    RETURN answer;
END
$$;
DROP TYPE purchase_answer;
DROP TYPE store_transaction;
