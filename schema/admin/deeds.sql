-- Operators' deeds. Each takes effect once under a name, and has a line in the audit trail with reason and name.
--
-- A second call with the same name waits for the first, and answers as a repeat. (What gives or takes energy is an
-- operation of its player, whose name is in the ledger.) The player is locked until the line is written: a deletion or a
-- merge waits, so no line is about a missing player.

-- Reads what was done under a name before.
--
-- Called by: begin_deed.
-- Answers: a row of NULLs when the name is new; else isReplay and the details of the line. Refuses: operation-reused.
CREATE OR REPLACE FUNCTION earlier_deed(operation text, request bigint) RETURNS admin_answer
LANGUAGE plpgsql AS $$
DECLARE
    earlier juliet.admin_actions;
BEGIN
    SELECT * INTO earlier FROM admin_actions WHERE operation_id = operation;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF earlier.operation_request IS DISTINCT FROM request THEN RETURN admin_refusal('operation-reused'); END IF;
    RETURN ROW(NULL, (coalesce(earlier.details, '{}') || '{"isReplay": true}')::text)::admin_answer;
END
$$;

-- Refuses a text that is no reason.
--
-- Called by: begin_deed, admin_clear_day.
CREATE OR REPLACE FUNCTION check_reason(why text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF char_length(why) > 500 OR coalesce(why !~ '[^[:space:]]', true) THEN
        RAISE 'a reason has up to 500 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

-- Checks a deed's reason and name, and keeps the player until the transaction ends. player NULL: it is about nobody, or
-- the caller locks more than the player first.
--
-- Called by: admin_change_name, admin_change_part, admin_change_word, admin_delete, admin_end, admin_end_game,
-- admin_export, admin_hide_hint, admin_recovery, admin_take_ways.
-- Locks: the name (an advisory lock), until the transaction ends; then the player's row of users, shared.
-- Answers: a row of NULLs: go on; else what to answer, as earlier_deed. Refuses: operation-reused, not-found.
CREATE OR REPLACE FUNCTION begin_deed(player text, why text, operation text, request bigint) RETURNS admin_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.admin_answer;
BEGIN
    PERFORM check_operation(operation, request);
    PERFORM check_reason(why);
    PERFORM pg_advisory_xact_lock(hashtextextended(operation, 'admin_actions'::regclass::oid::bigint));
    answer := earlier_deed(operation, request);
    IF answer IS NULL AND player IS NOT NULL THEN
        PERFORM FROM users WHERE id = player FOR KEY SHARE;
        IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    END IF;
    RETURN answer;
END
$$;

-- Gives a player energy, or takes some (change below 0), once under a name.
--
-- Called by: the service (the admin page).
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: not-found, energy-full, energy-insufficient, operation-reused.
CREATE OR REPLACE FUNCTION admin_energy(
    session bytea, player text, change integer, is_shown boolean, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_may(session, 'support');
    moved operation_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    PERFORM check_operation(operation, request);
    moved := move_energy(who, player, change, why, is_shown, operation, request);
    IF moved.refusal IS NOT NULL THEN
        RETURN admin_refusal(CASE moved.refusal WHEN 'user-unknown' THEN 'not-found' ELSE moved.refusal END);
    END IF;
    RETURN ROW(NULL, jsonb_build_object(
        'balance', moved.energy, 'isReplay', coalesce(moved.is_replay, false))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_energy(bytea, text, integer, boolean, text, text, bigint) TO juliet_service;

-- Ends a running game, which is lost as if its player had given it up, once under a name.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed; then as resign_game.
-- Answers: the game. Refuses: not-found; game-over; operation-reused.
CREATE OR REPLACE FUNCTION admin_end_game(
    session bytea, player text, game uuid, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'support');
    answer admin_answer;
    g judged_games;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    answer := begin_deed(player, why, operation, request);
    IF NOT answer IS NULL THEN RETURN answer; END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    IF g.ended_at IS NOT NULL THEN RETURN admin_refusal('game-over'); END IF;
    g := end_game(g, false);
    -- No id: when the player is deleted, no row leads from a game that others know to what was theirs.
    PERFORM record_action(who, 'game.end', player, NULL, why,
        jsonb_build_object('kind', g.kind, 'guesses', g.guess_count), operation, request);
    RETURN ROW(NULL, jsonb_build_object('isReplay', false, 'game', admin_show_game(g))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_end_game(bytea, text, uuid, text, text, bigint) TO juliet_service;

-- Reads everything kept about a player, as players export it themselves, and records it in the trail, once under a
-- name.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed.
-- Answers: the document, of a repeat within ten minutes too. Refuses: not-found, operation-reused.
CREATE OR REPLACE FUNCTION admin_export(
    session bytea, player text, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'support');
    earlier admin_answer;
    document text;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    earlier := begin_deed(player, why, operation, request);
    IF earlier.refusal IS NOT NULL THEN RETURN earlier; END IF;
    -- A repeat reads what there is now, so it is one only for a while.
    PERFORM FROM admin_actions WHERE operation_id = operation AND done_at < now() - interval '10 minutes';
    IF FOUND THEN RETURN admin_refusal('operation-reused'); END IF;
    document := all_records(player);
    IF document IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    IF earlier IS NULL THEN
        PERFORM record_action(who, 'player.export', player, NULL, why, NULL, operation, request);
    END IF;
    RETURN ROW(NULL, document)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_export(bytea, text, text, text, bigint) TO juliet_service;

-- Deletes a player, as players delete themselves, once under a name. The line does not name the player;
-- former_actions finds it by the id.
--
-- Called by: the service (the admin page).
-- Locks: the name, as begin_deed; then as delete_user.
-- Refuses: not-found, operation-reused.
CREATE OR REPLACE FUNCTION admin_delete(
    session bytea, player text, pseudonym text, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'support');
    answer admin_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    answer := begin_deed(NULL, why, operation, request);
    IF NOT answer IS NULL THEN RETURN answer; END IF;
    IF delete_user(player, pseudonym) IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    PERFORM record_action(who, 'player.delete', NULL, NULL, why, NULL, operation, request);
    INSERT INTO former_actions (player, done_on, actor, action, reason)
    VALUES (sha256(convert_to(player, 'UTF8')), (now() AT TIME ZONE 'UTC')::date, who, 'player.delete', why);
    RETURN ROW(NULL, '{"isReplay": false}')::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_delete(bytea, text, text, text, text, bigint) TO juliet_service;
