-- What can be asked of the lottery, with the rules of 0006 and 0011.
--
-- start_draw() does all of a draw in one transaction: it freezes the list, computes the rounds from seed and list, credits
-- the prize and makes the next draw. Afterwards only the clock goes on: show_draw() shows round after round, never one
-- before its time, and the seed when all are over. So a process that is killed leaves nothing half done: a draw has
-- started or it has not. The service may start draws without a prize, and show them; the tables it cannot read.
--
-- Locks are taken in this order: the table of entries (an import alone), the draw that starts, the player who wins
-- (users). Who is deleted, claimed or enters has the player's row first, and then only participants, entries, and draws
-- that credited this player, which have started: a draw that has started is never locked by whoever starts one. What
-- start_draw() reads of entries it reads in one snapshot, without a lock. So nobody waits in a circle.

-- migrate:backward-compatible
-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- A draw as far as it may be seen now. entries: how many take part; of a draw that has started, how many did. elapsed,
-- loading, pace and pause are milliseconds. numbers and names: whom the rounds showed so far. seed and winner only when all
-- rounds are over; winner NULL: the last one was void. list only when it was asked for.
CREATE TYPE shown_draw AS (
    number bigint, commitment bytea, prize integer, entries bigint, started_at timestamptz, elapsed bigint, loading integer,
    pace integer, pause integer, list_digest bytea, numbers bigint[], names text[], has_ended boolean, seed bytea,
    winner bigint, list text
);
-- wait: in how many seconds it can be done, where it was refused for a time.
CREATE TYPE draw_answer AS (refusal text, is_new boolean, wait integer);
CREATE TYPE lottery_answer AS (refusal text, is_new boolean, participant bigint, entries bigint);

-- Parts of the others ------------------------------------------------------------------------------------------------

-- How a draw goes: how many rounds, how long it loads, how long each round is shown, for how long after it the service
-- starts no other.
CREATE FUNCTION lottery_rules(OUT rounds integer, OUT loading interval, OUT pace interval, OUT pause interval)
LANGUAGE sql IMMUTABLE AS $$ SELECT 10, interval '1.5 s', interval '0.6 s', interval '30 s' $$;

-- Which of the entries a round shows, from 0. x is the first eight bytes of a SHA-256, as a number; one that would favour
-- the first entries (the last, incomplete run through them) is thrown away, and the next attempt's is taken. Whoever
-- repeats draws knows this function: see docs/lottery.md.
CREATE FUNCTION lottery_index(seed bytea, list_digest bytea, round integer, entries bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    numbers constant numeric := 18446744073709551616;
    x numeric;
BEGIN
    FOR attempt IN 0..255 LOOP
        x := ('x' || encode(substring(
            sha256(seed || list_digest || set_byte(set_byte('\x0000', 0, round), 1, attempt)) FROM 1 FOR 8), 'hex'))
            ::bit(64)::bigint;
        IF x < 0 THEN x := x + numbers; END IF;
        IF x < numbers - mod(numbers, entries) THEN RETURN mod(x, entries)::bigint; END IF;
    END LOOP;
    RAISE 'no number that is fair in 256 attempts' USING ERRCODE = 'data_exception';
END
$$;

-- Whom the rounds of a frozen list show. A line of the list is a number, a blank, and 1 for void or 0.
CREATE FUNCTION lottery_rounds(seed bytea, list_digest bytea, list text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(split_part(lines[lottery_index(seed, list_digest, round, cardinality(lines)) + 1], ' ', 1)::bigint
        ORDER BY round)
    FROM string_to_array(rtrim(list, E'\n'), E'\n') AS lines, generate_series(1, (SELECT rounds FROM lottery_rules())) AS round
$$;

-- Makes a draw that nobody has started, unless it is there.
CREATE FUNCTION prepare_draw(wanted bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    -- Each UUID has 122 bits from the system's source of secrets.
    new_seed bytea := sha256(
        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
BEGIN
    INSERT INTO lottery_draws (number, seed, commitment) VALUES (wanted, new_seed, sha256(new_seed)) ON CONFLICT DO NOTHING;
END
$$;

-- Gives the winner of a draw, whose row is locked, its prize. One who is claimed in this moment is found under the new name,
-- one who is deleted gets nothing, nor has a balance that is full.
CREATE FUNCTION credit_prize(draw bigint) RETURNS void
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

-- Starts a draw, once: one that has started stays as it is. Refused: unknown-draw; pause, while the one before is shown and
-- for so long afterwards; empty.
CREATE FUNCTION start_draw(wanted bigint, pause interval) RETURNS draw_answer
LANGUAGE plpgsql AS $$
DECLARE
    d lottery_draws;
    rules record := lottery_rules();
    ready_at timestamptz;
    frozen text;
    last_one bigint;
BEGIN
    SELECT * INTO d FROM lottery_draws WHERE number = wanted;
    IF NOT FOUND THEN RETURN ROW('unknown-draw', NULL, NULL)::draw_answer; END IF;
    IF d.started_at IS NULL THEN
        SELECT * INTO d FROM lottery_draws WHERE number = wanted FOR UPDATE;
    END IF;
    IF d.started_at IS NOT NULL THEN RETURN ROW(NULL, false, NULL)::draw_answer; END IF;
    SELECT started_at + loading + pace * cardinality(rounds) + pause INTO ready_at FROM lottery_draws
    WHERE number = wanted - 1;
    IF ready_at > clock_timestamp() THEN
        RETURN ROW('pause', NULL, ceil(extract(epoch FROM ready_at - clock_timestamp())))::draw_answer;
    END IF;
    SELECT string_agg(participant || ' ' || is_void::integer || E'\n', '' ORDER BY place), count(*)
    INTO frozen, d.entries FROM lottery_entries;
    IF frozen IS NULL THEN RETURN ROW('empty', NULL, NULL)::draw_answer; END IF;
    d.list_digest := sha256(convert_to(frozen, 'UTF8'));
    d.rounds := lottery_rounds(d.seed, d.list_digest, frozen);
    last_one := d.rounds[cardinality(d.rounds)];
    INSERT INTO lottery_lists (digest, list) VALUES (d.list_digest, frozen) ON CONFLICT DO NOTHING;
    UPDATE lottery_draws SET started_at = clock_timestamp(), loading = rules.loading, pace = rules.pace,
        list_digest = d.list_digest, entries = d.entries, rounds = d.rounds,
        winner = CASE WHEN strpos(E'\n' || frozen, format(E'\n%s 0\n', last_one)) > 0 THEN last_one END
    WHERE number = wanted;
    PERFORM credit_prize(wanted);
    PERFORM prepare_draw(wanted + 1);
    RETURN ROW(NULL, true, NULL)::draw_answer;
END
$$;

-- What a participant is called.
CREATE FUNCTION lottery_name(p lottery_participants) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT coalesce(p.name, (SELECT name FROM players WHERE user_id = p.user_id), 'Player ' || p.number)
$$;

-- A draw as it may be seen now.
CREATE FUNCTION see_draw(d lottery_draws, with_list boolean) RETURNS shown_draw
LANGUAGE plpgsql STABLE AS $$
DECLARE
    rules record := lottery_rules();
    shown shown_draw;
    count integer;
BEGIN
    shown.number := d.number;
    shown.commitment := d.commitment;
    shown.prize := d.prize;
    shown.loading := extract(epoch FROM coalesce(d.loading, rules.loading)) * 1000;
    shown.pace := extract(epoch FROM coalesce(d.pace, rules.pace)) * 1000;
    shown.pause := extract(epoch FROM rules.pause) * 1000;
    shown.has_ended := false;
    IF d.started_at IS NULL THEN
        SELECT count(*) INTO shown.entries FROM lottery_entries;
        RETURN shown;
    END IF;
    shown.entries := d.entries;
    shown.started_at := d.started_at;
    shown.elapsed := greatest(0, floor(extract(epoch FROM clock_timestamp() - d.started_at) * 1000));
    shown.list_digest := d.list_digest;
    -- Below zero while it loads.
    count := least(cardinality(d.rounds), floor((shown.elapsed - shown.loading)::numeric / shown.pace) + 1);
    shown.numbers := d.rounds[1:greatest(0, count)];
    SELECT coalesce(array_agg(lottery_name(p) ORDER BY place), '{}') INTO shown.names
    FROM unnest(shown.numbers) WITH ORDINALITY AS round (number, place) JOIN lottery_participants AS p USING (number);
    shown.has_ended := shown.elapsed >= shown.loading + shown.pace * cardinality(d.rounds);
    IF shown.has_ended THEN
        shown.seed := d.seed;
        shown.winner := d.winner;
    END IF;
    IF with_list THEN SELECT list INTO shown.list FROM lottery_lists WHERE digest = d.list_digest; END IF;
    RETURN shown;
END
$$;

-- Lets a player take part, once. Refused: not-found.
CREATE FUNCTION enter_player(player text) RETURNS lottery_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer lottery_answer;
    registered timestamptz;
BEGIN
    -- The player is neither deleted nor claimed meanwhile.
    SELECT created_at INTO registered FROM users WHERE id = player FOR KEY SHARE;
    IF NOT FOUND THEN
        answer.refusal := 'not-found';
        RETURN answer;
    END IF;
    SELECT number INTO answer.participant FROM lottery_participants WHERE user_id = player;
    IF NOT FOUND THEN
        INSERT INTO lottery_participants (number, user_id, registered_on)
        VALUES (nextval('lottery_player_numbers'), player, (registered AT TIME ZONE 'UTC')::date)
        ON CONFLICT (user_id) DO NOTHING;
        SELECT number INTO answer.participant FROM lottery_participants WHERE user_id = player;
    END IF;
    INSERT INTO lottery_entries (participant) VALUES (answer.participant) ON CONFLICT DO NOTHING;
    answer.is_new := FOUND;
    IF FOUND THEN
        UPDATE lottery_participants SET is_listed = true WHERE number = answer.participant AND NOT is_listed;
    END IF;
    SELECT count(*) INTO answer.entries FROM lottery_entries;
    RETURN answer;
END
$$;

-- What is kept about a player in the lottery; NULL: nothing. A draw that is still shown is not won yet.
CREATE FUNCTION lottery_records(player text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('number', number, 'takesPart', participant IS NOT NULL, 'isVoid', coalesce(is_void, false),
        'won', (SELECT coalesce(jsonb_agg(jsonb_build_object('draw', d.number, 'at', show_time(started_at),
            'energy', CASE WHEN credit_entry IS NULL THEN 0 ELSE prize END) ORDER BY d.number), '[]')
            FROM lottery_draws AS d WHERE winner = p.number AND (see_draw(d, false)).has_ended))
    FROM lottery_participants AS p LEFT JOIN lottery_entries ON participant = number WHERE user_id = player
$$;

-- Players who are claimed or deleted -------------------------------------------------------------------------------------

-- As in 0016, but what is kept in the lottery goes along. One who is deleted takes part no longer; kept draws know the number
-- alone.
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

-- As in 0016, with the lottery.
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

-- Operators --------------------------------------------------------------------------------------------------------------

-- Brings the users of the documents, and which of them take part in which order, to what the documents say. Players stay as
-- they are, and users whom the documents do not name any more are no longer listed. Returns how many users were added,
-- changed and taken out, and how many of the list came, changed and went; a repeat changes nothing.
CREATE FUNCTION import_lottery(
    who text, numbers bigint[], given_names text[], given_usernames text[], dates date[], listed bigint[], voids boolean[]
) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
    counts bigint[];
    changed bigint[];
BEGIN
    LOCK TABLE lottery_entries IN SHARE ROW EXCLUSIVE MODE;
    WITH given AS (
        SELECT * FROM unnest(numbers, given_names, given_usernames, dates) AS given (number, name, username, registered_on)),
    written AS (
        INSERT INTO lottery_participants AS p (number, name, username, registered_on)
        SELECT number, name, username, registered_on FROM given
        ON CONFLICT (number) DO UPDATE SET name = EXCLUDED.name, username = EXCLUDED.username,
            registered_on = EXCLUDED.registered_on, is_listed = true
        WHERE (p.name, p.username, p.registered_on, p.is_listed)
            IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.username, EXCLUDED.registered_on, true)
        RETURNING number),
    hidden AS (
        UPDATE lottery_participants SET is_listed = false
        WHERE number < 1000000000 AND is_listed AND number NOT IN (SELECT given.number FROM given) RETURNING number)
    SELECT ARRAY[count(*) FILTER (WHERE p.number IS NULL), count(p.number), (SELECT count(*) FROM hidden)] INTO counts
    FROM written LEFT JOIN lottery_participants AS p USING (number);

    WITH given AS (SELECT * FROM unnest(listed, voids) AS given (participant, is_void)),
    kept AS (SELECT participant, is_void FROM lottery_entries WHERE participant < 1000000000)
    SELECT ARRAY[count(*) FILTER (WHERE kept.participant IS NULL), count(*) FILTER (WHERE given.is_void <> kept.is_void),
        count(*) FILTER (WHERE given.participant IS NULL)] INTO changed
    FROM given FULL JOIN kept USING (participant);
    IF listed IS DISTINCT FROM coalesce((SELECT array_agg(participant ORDER BY place) FROM lottery_entries
        WHERE participant < 1000000000), '{}')
    THEN
        DELETE FROM lottery_entries WHERE participant < 1000000000;
        INSERT INTO lottery_entries (participant, is_void)
        SELECT participant, is_void FROM unnest(listed, voids) WITH ORDINALITY AS given (participant, is_void, place)
        ORDER BY place;
    ELSE
        UPDATE lottery_entries SET is_void = given.is_void FROM unnest(listed, voids) AS given (participant, is_void)
        WHERE lottery_entries.participant = given.participant AND lottery_entries.is_void <> given.is_void;
    END IF;
    counts := counts || changed;
    IF counts <> '{0,0,0,0,0,0}' THEN
        PERFORM record_action(who, 'lottery.import', NULL, NULL, NULL, jsonb_build_object('users', cardinality(numbers),
            'entries', cardinality(listed)), NULL, NULL);
    END IF;
    RETURN counts;
END
$$;

-- Changes the entry of a participant: enter, leave, void, valid. Refused: not-found (no such participant, or one who does not
-- take part). is_new: it was not so already.
CREATE FUNCTION change_entry(who text, changed bigint, change text) RETURNS lottery_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer lottery_answer;
    p lottery_participants;
BEGIN
    SELECT * INTO p FROM lottery_participants WHERE number = changed;
    IF change = 'enter' AND p.user_id IS NOT NULL THEN
        answer := enter_player(p.user_id);
    ELSIF change = 'enter' THEN
        -- Whom the documents do not name any more, and a deleted player, cannot take part.
        IF NOT coalesce(p.is_listed, false) THEN
            answer.refusal := 'not-found';
            RETURN answer;
        END IF;
        INSERT INTO lottery_entries (participant) VALUES (changed) ON CONFLICT DO NOTHING;
        answer.is_new := FOUND;
    ELSIF change = 'leave' THEN
        DELETE FROM lottery_entries WHERE participant = changed;
        answer.is_new := FOUND;
        UPDATE lottery_participants SET is_listed = false WHERE number = changed AND user_id IS NOT NULL AND is_listed;
    ELSIF change = 'void' OR change = 'valid' THEN
        PERFORM FROM lottery_entries WHERE participant = changed;
        IF NOT FOUND THEN answer.refusal := 'not-found'; END IF;
        UPDATE lottery_entries SET is_void = change = 'void' WHERE participant = changed AND is_void <> (change = 'void');
        answer.is_new := FOUND;
    ELSE
        RAISE 'an entry can enter, leave, be void or valid' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF p.number IS NULL THEN answer.refusal := 'not-found'; END IF;
    answer.participant := changed;
    SELECT count(*) INTO answer.entries FROM lottery_entries;
    IF answer.is_new AND answer.refusal IS NULL THEN
        PERFORM record_action(who, 'lottery.' || change, p.user_id, 'participant/' || changed, NULL, NULL, NULL, NULL);
    END IF;
    RETURN answer;
END
$$;

-- Lets a player take part by the operator's hand. Refused: not-found.
CREATE FUNCTION enter_player(who text, player text) RETURNS lottery_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer lottery_answer := enter_player(player);
BEGIN
    IF answer.is_new THEN
        PERFORM record_action(
            who, 'lottery.enter', player, 'participant/' || answer.participant, NULL, NULL, NULL, NULL);
    END IF;
    RETURN answer;
END
$$;

-- Announces the prize of the next draw, 0: none. Returns the draw.
CREATE FUNCTION announce_prize(who text, amount integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    draw bigint;
BEGIN
    LOOP
        SELECT max(number) INTO draw FROM lottery_draws;
        IF draw IS NULL THEN
            PERFORM prepare_draw(1);
            CONTINUE;
        END IF;
        -- Unless it starts in this moment.
        PERFORM FROM lottery_draws WHERE number = draw AND started_at IS NULL FOR UPDATE;
        EXIT WHEN FOUND;
    END LOOP;
    UPDATE lottery_draws SET prize = amount WHERE number = draw AND prize <> amount;
    IF FOUND THEN
        PERFORM record_action(who, 'lottery.announce', NULL, 'draw/' || draw, NULL, jsonb_build_object('prize', amount),
            NULL, NULL);
    END IF;
    RETURN draw;
END
$$;

-- Starts a draw, with a prize or without, by the operator's hand. Refused as start_draw() does.
CREATE FUNCTION start_draw(who text, wanted bigint) RETURNS draw_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer draw_answer := start_draw(wanted, interval '0');
BEGIN
    IF answer.is_new THEN
        PERFORM record_action(who, 'lottery.draw', NULL, 'draw/' || number, NULL,
            jsonb_build_object('prize', prize, 'entries', entries), NULL, NULL)
        FROM lottery_draws WHERE number = wanted;
    END IF;
    RETURN answer;
END
$$;

-- What the service calls ---------------------------------------------------------------------------------------------------

-- The document of all users, as text: by their numbers.
CREATE FUNCTION lottery_users() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT '{"items": [' || coalesce(string_agg('{"userId": ' || number
        || ', "name": ' || to_json(coalesce(p.name, players.name, 'Player ' || number))
        || ', "username": ' || to_json(coalesce(username, 'player' || number))
        || ', "regDate": ' || to_json(registered_on) || '}', ', ' ORDER BY number), '') || ']}'
    FROM lottery_participants AS p LEFT JOIN players USING (user_id) WHERE is_listed
$$;

-- The document of those who take part, as text: in the order of the list.
CREATE FUNCTION lottery_list() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT '{"lotteryList": [' || coalesce(string_agg('{"userId": ' || participant || ', "void": ' || is_void || '}', ', '
        ORDER BY place), '') || ']}'
    FROM lottery_entries
$$;

-- The next draw, and before it the one that started last, if one has.
CREATE FUNCTION show_lottery() RETURNS SETOF shown_draw
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM lottery_draws) THEN PERFORM prepare_draw(1); END IF;
    RETURN QUERY SELECT (see_draw(last, false)).* FROM (SELECT * FROM lottery_draws ORDER BY number DESC LIMIT 2) AS last
        ORDER BY number;
END
$$;

-- A draw, with its frozen list once it has started; wanted NULL: the one that started last. No row: no such draw.
CREATE FUNCTION show_draw(wanted bigint) RETURNS SETOF shown_draw
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT seen.* FROM lottery_draws AS d, see_draw(d, true) AS seen
    WHERE d.number = coalesce(wanted, (SELECT max(number) FROM lottery_draws WHERE started_at IS NOT NULL))
$$;

-- Starts a draw without a prize. Refused: unknown-draw, operator (there is a prize), pause, empty.
CREATE FUNCTION request_draw(wanted bigint) RETURNS draw_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    d lottery_draws;
BEGIN
    SELECT * INTO d FROM lottery_draws WHERE number = wanted;
    IF d.started_at IS NULL THEN SELECT * INTO d FROM lottery_draws WHERE number = wanted FOR UPDATE; END IF;
    IF d.started_at IS NULL AND d.prize > 0 THEN RETURN ROW('operator', NULL, NULL)::draw_answer; END IF;
    RETURN start_draw(wanted, (SELECT pause FROM lottery_rules()));
END
$$;

-- Lets the player take part. Refused: unauthorized.
CREATE FUNCTION enter_lottery(token bytea) RETURNS lottery_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer lottery_answer := enter_player(session_player(token));
BEGIN
    IF answer.refusal IS NOT NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN answer;
END
$$;

REVOKE ALL ON SEQUENCE lottery_player_numbers FROM PUBLIC;
REVOKE ALL ON FUNCTION lottery_rules(), lottery_index(bytea, bytea, integer, bigint), lottery_rounds(bytea, bytea, text),
    prepare_draw(bigint), credit_prize(bigint), start_draw(bigint, interval), lottery_name(lottery_participants),
    see_draw(lottery_draws, boolean), enter_player(text), lottery_records(text),
    import_lottery(text, bigint[], text[], text[], date[], bigint[], boolean[]), change_entry(text, bigint, text),
    enter_player(text, text), announce_prize(text, integer), start_draw(text, bigint), lottery_users(), lottery_list(),
    show_lottery(), show_draw(bigint), request_draw(bigint), enter_lottery(bytea) FROM PUBLIC;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        GRANT EXECUTE ON FUNCTION lottery_users(), lottery_list(), show_lottery(), show_draw(bigint),
            request_draw(bigint), enter_lottery(bytea) TO juliet_service;
    END IF;
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
DROP FUNCTION enter_lottery(bytea);
DROP FUNCTION request_draw(bigint);
DROP FUNCTION show_draw(bigint);
DROP FUNCTION show_lottery();
DROP FUNCTION lottery_list();
DROP FUNCTION lottery_users();
DROP FUNCTION start_draw(text, bigint);
DROP FUNCTION announce_prize(text, integer);
DROP FUNCTION enter_player(text, text);
DROP FUNCTION change_entry(text, bigint, text);
DROP FUNCTION import_lottery(text, bigint[], text[], text[], date[], bigint[], boolean[]);
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
DROP FUNCTION lottery_records(text);
DROP FUNCTION enter_player(text);
DROP FUNCTION see_draw(lottery_draws, boolean);
DROP FUNCTION lottery_name(lottery_participants);
DROP FUNCTION start_draw(bigint, interval);
DROP FUNCTION credit_prize(bigint);
DROP FUNCTION prepare_draw(bigint);
DROP FUNCTION lottery_rounds(bytea, bytea, text);
DROP FUNCTION lottery_index(bytea, bytea, integer, bigint);
DROP FUNCTION lottery_rules();
DROP TYPE lottery_answer;
DROP TYPE draw_answer;
DROP TYPE shown_draw;
