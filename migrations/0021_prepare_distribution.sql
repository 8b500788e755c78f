-- What a database that is spread over several servers cannot do, done otherwise. There rows are kept by the player's id,
-- so it never changes in place; the parts of a statement that writes to two tables run one after the other; and no statement
-- locks the rows of several players. So the guard of a new player's first entry looks when the transaction ends; a player of
-- the app who is claimed is moved as their ledger is, which moves table by table; and a word that becomes a secret is
-- marked player by player. On one server all is as it was.

-- migrate:backward-compatible

-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
DROP TRIGGER users_first_entry_guard ON users;
-- As in 0002, but for whom it acts, since when a transaction ends nobody is the owner any more, and for a player who is gone by
-- then.
CREATE OR REPLACE FUNCTION refuse_energy_without_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'UPDATE' OR NOT EXISTS (
        SELECT FROM energy_ledger WHERE user_id = NEW.id AND entry = NEW.ledger_entry AND balance_after = NEW.energy)
        AND EXISTS (SELECT FROM users WHERE id = NEW.id)
    THEN
        RAISE 'energy changes with an entry of the ledger only: give it with juliet energy grant'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER users_first_entry_guard AFTER INSERT ON users
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_energy_without_entry();

-- As in 0020. Notifications go before the purchases by which they are found.
CREATE OR REPLACE FUNCTION move_ledger(old_name text, new_name text, keeps_operations boolean) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    moved energy_ledger;
    entries_moved bigint := 0;
    archived_moved bigint;
BEGIN
    -- Row by row: where the new row of users is, there the guard of its first entry looks for it, in this transaction.
    FOR moved IN DELETE FROM energy_ledger WHERE user_id = old_name RETURNING * LOOP
        CONTINUE WHEN NOT keeps_operations AND moved.entry IS NULL;
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference,
            operation_request, refusal, wins, created_at)
        VALUES (new_name, CASE WHEN keeps_operations THEN moved.operation_id ELSE 'entry ' || moved.entry END, moved.entry,
            moved.delta, moved.balance_after, moved.reason, moved.reference,
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
    INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, created_at)
    SELECT new_name, begins, entry, balance, seal, file_id, created_at FROM moved;
    UPDATE admin_actions SET user_id = new_name WHERE user_id = old_name;
    UPDATE store_notifications SET account = CASE WHEN keeps_operations THEN new_name END,
        payload = CASE WHEN keeps_operations THEN payload END
    WHERE id IN (
        SELECT id FROM store_notifications WHERE account = lower(old_name)
        UNION ALL
        SELECT id FROM purchases JOIN store_notifications USING (environment, transaction_id)
        WHERE user_id = old_name AND NOT keeps_operations);
    UPDATE purchases SET user_id = new_name WHERE user_id = old_name;
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
    UPDATE lottery_draws SET credited_to = new_name WHERE credited_to = old_name;
    RETURN entries_moved + archived_moved;
END
$$;

-- As in 0014, but player by player, in the order in which batches lock them.
CREATE OR REPLACE FUNCTION refresh_word_lists() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    promoted integer[];
    size integer;
    played record;
BEGIN
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    SELECT array_agg(id) INTO promoted FROM words WHERE is_secret AND place IS NULL AND created_at < now();
    UPDATE words SET place = fresh.place
    FROM (SELECT id, (SELECT coalesce(max(place), -1) FROM words) + row_number() OVER (ORDER BY id) AS place
        FROM words WHERE is_secret AND place IS NULL) AS fresh
    WHERE words.id = fresh.id;
    -- In steps, so that a player's bits seldom grow.
    SELECT (max(place) / 512 + 1) * 512 INTO size FROM words;

    IF promoted IS NOT NULL THEN
        FOR played IN
            SELECT user_id, bit_or(set_bit(no_bits(size), place, 1)) AS bits
            FROM played_words JOIN words ON words.id = word_id WHERE word_id = ANY (promoted) GROUP BY user_id ORDER BY user_id
        LOOP
            UPDATE users SET played_secrets = "bit"(played_secrets, size, true) | played.bits WHERE id = played.user_id;
        END LOOP;
    END IF;

    INSERT INTO word_lists (language, letters, dealable)
    SELECT language, char_length(word),
        bit_or(CASE WHEN is_secret AND retired_at IS NULL THEN set_bit(no_bits(size), place, 1) ELSE no_bits(size) END)
    FROM words WHERE place IS NOT NULL GROUP BY language, char_length(word)
    ON CONFLICT (language, letters) DO UPDATE SET dealable = EXCLUDED.dealable
    WHERE word_lists.dealable <> EXCLUDED.dealable;
END
$$;

-- As in 0014, but that all servers are told the same time.
CREATE OR REPLACE FUNCTION change_words(
    who text, list_language text, listed text[], change text, why text, operation text, request bigint
) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
    changed text[];
    moment timestamptz := now();
BEGIN
    IF change = 'retire' OR change = 'restore' THEN
        WITH changes AS (
            UPDATE words SET retired_at = CASE WHEN change = 'retire' THEN coalesce(retired_at, moment) END,
                is_banned = change = 'retire'
            WHERE language = list_language AND word = ANY (listed)
                AND (is_banned <> (change = 'retire') OR (retired_at IS NOT NULL) <> (change = 'retire'))
            RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSIF change = 'secret' OR change = 'guessable' THEN
        WITH changes AS (
            UPDATE words SET is_secret = change = 'secret'
            WHERE language = list_language AND word = ANY (listed) AND is_secret <> (change = 'secret') RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSE
        RAISE 'words can be retired, restored, made secret or guessable' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM record_action(who, 'word.' || change, NULL, list_language || '/' || word, why,
        jsonb_build_object('isSecret', is_secret, 'isRetired', retired_at IS NOT NULL), operation, request)
    FROM unnest(changed) AS word JOIN words USING (word) WHERE language = list_language ORDER BY word;
    PERFORM refresh_word_lists();
    RETURN coalesce(changed, '{}');
END
$$;

-- As in 0020, but that what the coordinator has is read by itself.
CREATE OR REPLACE FUNCTION export_player(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    player text := session_player(token);
    elsewhere jsonb := jsonb_build_object('purchases', purchase_records(player))
        || jsonb_strip_nulls(jsonb_build_object('lottery', lottery_records(player))) || coalesce(player_records(player), '{}');
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
        ) || elsewhere)::text
        FROM users WHERE id = player);
END
$$;

-- As in 0011, in a language whose statements can go elsewhere.
CREATE OR REPLACE FUNCTION keep_game_answer(
    player text, operation text, request bigint, why text, game uuid, guess_count integer
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO energy_ledger (
        user_id, operation_id, delta, balance_after, reference, operation_request, refusal, wins)
    SELECT id, operation, 0, energy, game::text, request, why, guess_count FROM users WHERE id = player;
END
$$;

-- As in 0020, in two steps: Citus 13.2 takes an update of the coordinator's for nothing whose subquery it can leave out.
CREATE OR REPLACE FUNCTION credit_prize(draw bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    d lottery_draws;
    player text;
    credit operation_answer;
    last_entry integer;
BEGIN
    SELECT * INTO d FROM lottery_draws WHERE number = draw;
    FOR attempt IN 1..3 LOOP
        SELECT user_id INTO player FROM lottery_participants WHERE number = d.winner;
        IF player IS NULL OR d.prize = 0 THEN RETURN; END IF;
        -- The name that makes it happen once is of the draw's number. What follows from the seed keeps clients from taking
        -- it for something else before.
        credit := change_energy(player, d.prize, 'lottery', draw::text,
            'lottery-' || draw || '-' || left(encode(sha256(d.seed || 'prize'), 'hex'), 16), draw);
        EXIT WHEN credit.refusal IS DISTINCT FROM 'user-unknown';
    END LOOP;
    IF credit.refusal = 'user-unknown' THEN RETURN; END IF;
    IF credit.is_replay OR credit.refusal <> 'energy-full' THEN
        RAISE 'the prize of draw % was credited before the draw', draw USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF credit.refusal IS NULL THEN SELECT ledger_entry INTO last_entry FROM users WHERE id = player; END IF;
    UPDATE lottery_draws SET credited_to = player, credit_entry = last_entry WHERE number = draw;
END
$$;

-- As in 0017, but for nobody.
CREATE OR REPLACE FUNCTION delete_user(player text, pseudonym text) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    entry board_entries;
    words_deleted bigint;
    entries_moved bigint;
BEGIN
    IF player IS NULL THEN RETURN NULL; END IF;
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

-- As in 0011, but for the row, which is moved.
CREATE OR REPLACE FUNCTION create_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    reserved constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
    new_name text := player_name(coalesce(given_name, 'Player ' || 1000 + floor(random() * 9000)));
    answer player_answer;
    moved users;
BEGIN
    IF player !~ reserved OR octet_length(token) <> 32 OR octet_length(recovery) <> 32 THEN
        RAISE 'a player has a UUID of version 8, and digests of 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
        RETURN answer;
    END IF;
    IF account IS NULL THEN
        PERFORM register_user(player, NULL, NULL);
    ELSE
        LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
        DELETE FROM users WHERE id = account AND account !~ reserved AND strpos(account, E'\t') = 0 RETURNING * INTO moved;
        IF NOT FOUND THEN
            answer.refusal := CASE WHEN EXISTS (SELECT FROM claims WHERE account_id = account) THEN 'claimed'
                ELSE 'claim-refused' END;
            RETURN answer;
        END IF;
        moved.id := player;
        INSERT INTO users SELECT moved.*;
        INSERT INTO claims (account_id, user_id) VALUES (account, player);
        PERFORM move_ledger(account, player, true);
        WITH moved AS (DELETE FROM played_words WHERE user_id = account RETURNING *)
        INSERT INTO played_words (user_id, number, word_id, played_at)
        SELECT player, number, word_id, played_at FROM moved;
    END IF;
    INSERT INTO players (user_id, name, recovery_hash) VALUES (player, new_name, recovery);
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, token);
    RETURN show_player(player);
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE OR REPLACE FUNCTION create_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    reserved constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
    new_name text := player_name(coalesce(given_name, 'Player ' || 1000 + floor(random() * 9000)));
    answer player_answer;
    moved integer;
BEGIN
    IF player !~ reserved OR octet_length(token) <> 32 OR octet_length(recovery) <> 32 THEN
        RAISE 'a player has a UUID of version 8, and digests of 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
        RETURN answer;
    END IF;
    IF account IS NULL THEN
        PERFORM register_user(player, NULL, NULL);
    ELSE
        LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
        UPDATE users SET id = player WHERE id = account AND account !~ reserved AND strpos(account, E'\t') = 0;
        IF NOT FOUND THEN
            answer.refusal := CASE WHEN EXISTS (SELECT FROM claims WHERE account_id = account) THEN 'claimed'
                ELSE 'claim-refused' END;
            RETURN answer;
        END IF;
        INSERT INTO claims (account_id, user_id) VALUES (account, player);
        PERFORM move_ledger(account, player, true);
        WITH moved AS (DELETE FROM played_words WHERE user_id = account RETURNING *)
        INSERT INTO played_words (user_id, number, word_id, played_at)
        SELECT player, number, word_id, played_at FROM moved;
    END IF;
    INSERT INTO players (user_id, name, recovery_hash) VALUES (player, new_name, recovery);
    INSERT INTO sessions (user_id, id, token_hash) VALUES (player, session, token);
    RETURN show_player(player);
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
        SELECT new_name, day, energy FROM moved_days WHERE keeps_operations),
    left_entries AS (
        DELETE FROM lottery_entries WHERE NOT keeps_operations AND participant IN (
            SELECT number FROM lottery_participants WHERE user_id = old_name)),
    moved_participants AS (
        UPDATE lottery_participants SET user_id = CASE WHEN keeps_operations THEN new_name END,
            name = CASE WHEN NOT keeps_operations THEN 'deleted player' END,
            registered_on = CASE WHEN keeps_operations THEN registered_on ELSE '2000-01-01' END,
            is_listed = is_listed AND keeps_operations
        WHERE user_id = old_name),
    moved_prizes AS (UPDATE lottery_draws SET credited_to = new_name WHERE credited_to = old_name)
    SELECT (SELECT count(entry) FROM kept) + (SELECT count(*) FROM kept_archive)
$$;

CREATE OR REPLACE FUNCTION refresh_word_lists() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    promoted integer[];
    size integer;
BEGIN
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    SELECT array_agg(id) INTO promoted FROM words WHERE is_secret AND place IS NULL AND created_at < now();
    UPDATE words SET place = fresh.place
    FROM (SELECT id, (SELECT coalesce(max(place), -1) FROM words) + row_number() OVER (ORDER BY id) AS place
        FROM words WHERE is_secret AND place IS NULL) AS fresh
    WHERE words.id = fresh.id;
    -- In steps, so that a player's bits seldom grow.
    SELECT (max(place) / 512 + 1) * 512 INTO size FROM words;

    IF promoted IS NOT NULL THEN
        PERFORM FROM users WHERE id IN (SELECT user_id FROM played_words WHERE word_id = ANY (promoted))
        ORDER BY id FOR NO KEY UPDATE;
        UPDATE users SET played_secrets = "bit"(played_secrets, size, true) | bits
        FROM (SELECT user_id, bit_or(set_bit(no_bits(size), place, 1)) AS bits
            FROM played_words JOIN words ON words.id = word_id WHERE word_id = ANY (promoted) GROUP BY user_id) AS played
        WHERE users.id = played.user_id;
    END IF;

    INSERT INTO word_lists (language, letters, dealable)
    SELECT language, char_length(word),
        bit_or(CASE WHEN is_secret AND retired_at IS NULL THEN set_bit(no_bits(size), place, 1) ELSE no_bits(size) END)
    FROM words WHERE place IS NOT NULL GROUP BY language, char_length(word)
    ON CONFLICT (language, letters) DO UPDATE SET dealable = EXCLUDED.dealable
    WHERE word_lists.dealable <> EXCLUDED.dealable;
END
$$;

CREATE OR REPLACE FUNCTION change_words(
    who text, list_language text, listed text[], change text, why text, operation text, request bigint
) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
    changed text[];
BEGIN
    IF change = 'retire' OR change = 'restore' THEN
        WITH changes AS (
            UPDATE words SET retired_at = CASE WHEN change = 'retire' THEN coalesce(retired_at, now()) END,
                is_banned = change = 'retire'
            WHERE language = list_language AND word = ANY (listed)
                AND (is_banned <> (change = 'retire') OR (retired_at IS NOT NULL) <> (change = 'retire'))
            RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSIF change = 'secret' OR change = 'guessable' THEN
        WITH changes AS (
            UPDATE words SET is_secret = change = 'secret'
            WHERE language = list_language AND word = ANY (listed) AND is_secret <> (change = 'secret') RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSE
        RAISE 'words can be retired, restored, made secret or guessable' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM record_action(who, 'word.' || change, NULL, list_language || '/' || word, why,
        jsonb_build_object('isSecret', is_secret, 'isRetired', retired_at IS NOT NULL), operation, request)
    FROM unnest(changed) AS word JOIN words USING (word) WHERE language = list_language ORDER BY word;
    PERFORM refresh_word_lists();
    RETURN coalesce(changed, '{}');
END
$$;

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
        ) || jsonb_strip_nulls(jsonb_build_object('lottery', lottery_records(player))) || coalesce(player_records(player), '{}'))::text
        FROM users WHERE id = player);
END
$$;

CREATE OR REPLACE FUNCTION keep_game_answer(
    player text, operation text, request bigint, why text, game uuid, guess_count integer
) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO energy_ledger (
        user_id, operation_id, delta, balance_after, reference, operation_request, refusal, wins)
    SELECT id, operation, 0, energy, game::text, request, why, guess_count FROM users WHERE id = player
$$;

CREATE OR REPLACE FUNCTION credit_prize(draw bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    d lottery_draws;
    player text;
    credit operation_answer;
BEGIN
    SELECT * INTO d FROM lottery_draws WHERE number = draw;
    FOR attempt IN 1..3 LOOP
        SELECT user_id INTO player FROM lottery_participants WHERE number = d.winner;
        IF player IS NULL OR d.prize = 0 THEN RETURN; END IF;
        -- The name that makes it happen once is of the draw's number. What follows from the seed keeps clients from taking
        -- it for something else before.
        credit := change_energy(player, d.prize, 'lottery', draw::text,
            'lottery-' || draw || '-' || left(encode(sha256(d.seed || 'prize'), 'hex'), 16), draw);
        EXIT WHEN credit.refusal IS DISTINCT FROM 'user-unknown';
    END LOOP;
    IF credit.refusal = 'user-unknown' THEN RETURN; END IF;
    IF credit.is_replay OR credit.refusal <> 'energy-full' THEN
        RAISE 'the prize of draw % was credited before the draw', draw USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    UPDATE lottery_draws SET credited_to = player,
        credit_entry = CASE WHEN credit.refusal IS NULL THEN (SELECT ledger_entry FROM users WHERE id = player) END
    WHERE number = draw;
END
$$;

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

DROP TRIGGER users_first_entry_guard ON users;
CREATE OR REPLACE FUNCTION refuse_energy_without_entry() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' OR NOT EXISTS (
        SELECT FROM energy_ledger WHERE user_id = NEW.id AND entry = NEW.ledger_entry AND balance_after = NEW.energy)
    THEN
        RAISE 'energy changes with an entry of the ledger only: give it with juliet energy grant'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER users_first_entry_guard AFTER INSERT ON users FOR EACH ROW
    EXECUTE FUNCTION refuse_energy_without_entry();
