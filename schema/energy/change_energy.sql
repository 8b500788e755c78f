-- Changes a player's balance: users and energy_ledger together, or neither. No other function changes a living player's
-- balance.
--
-- Called by: pay_for_game, start_game, start_judged_game, create_challenge, buy_energy, buy_up_to, report_energy,
-- move_energy, take_purchase, settle_purchase, credit_prize, take_refill, end_game, merge_energy; operators
-- (juliet users import).
-- Locks: the player's row of users.
-- Answers: the balance; the first answer when the operation's name is known.
-- Refuses: energy-insufficient, energy-full, user-unknown.
--
-- held: the newest rules, for what takes energy of players of /v2: it saves them a second UPDATE. The energy due to
-- such a player is computed from the balance before (energy/refill.sql). The app's players have no clock, and reading
-- only the price for them costs a tenth less. kind, with an operation: the caller's. told: as for keep_answer, if the
-- entry does not say it. not_before, of a caller that holds the player's row: the later of the times of the last entry
-- (users.ledger_at) and of the rules that the change follows, unless held are these.
--
-- The time of an entry is read when the row is locked, and is not before the entry before it, also when the clock was
-- set back. Whoever goes by the rules locks the row first: what waits for it must not follow rules that are no longer.
-- Nor must a transaction with an old snapshot, so all must be READ COMMITTED.
--
-- Only a refund takes a balance below zero, and a merge that brings a debt. Energy that is added raises it from
-- there as usual.
CREATE OR REPLACE FUNCTION change_energy(
    player text, change integer, reason energy_reason, reference text, operation text, request bigint,
    kind operation_kind DEFAULT NULL, held rules DEFAULT NULL, told jsonb DEFAULT NULL,
    not_before timestamptz DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.operation_answer;
    new_entry integer;
    clock juliet.refill_clock;
    least_needed integer := CASE
        WHEN change > 0 THEN -2147483648 WHEN reason IN ('refund', 'merge') THEN -2147483648 - change ELSE -change END;
    most_allowed integer := 2147483647 - greatest(0, change);
    now_at timestamptz;
    moment timestamptz;
    digest bigint;
BEGIN
    IF not_before IS NULL THEN
        SELECT ledger_at INTO not_before FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN RETURN unknown_user(); END IF;
    END IF;
    IF operation IS NOT NULL THEN
        PERFORM check_operation(operation, request);
        PERFORM FROM energy_ledger WHERE user_id = player AND operation_id = operation;
        IF FOUND THEN RETURN first_answer(player, operation, request, answer); END IF;
    END IF;
    now_at := CASE WHEN check_isolation() THEN clock_timestamp() END;
    moment := greatest(now_at, not_before, held.since);
    digest := energy_entry_digest(change, reason, reference, moment);
    UPDATE users SET energy = energy + change, ledger_entry = ledger_entry + 1, ledger_at = moment,
        ledger_seal = ledger_seal # energy_entry_seal(ledger_entry, energy, digest),
        refill = CASE WHEN change < 0 AND (refill).since >= held.since THEN advance_refill_under(
            refill, energy, now_at, held.refill_amount, held.refill_every, held.refill_up_to) ELSE refill END
    WHERE id = player AND energy BETWEEN least_needed AND most_allowed
    RETURNING energy, ledger_entry, (refill).due, (refill).since
    INTO answer.energy, new_entry, clock.due, clock.since;
    IF NOT FOUND THEN
        RETURN refuse(player, CASE WHEN change < 0 THEN 'energy-insufficient' ELSE 'energy-full' END, operation,
            request, kind);
    END IF;
    IF change < 0 AND clock.since IS NOT NULL AND (clock.since >= held.since) IS NOT TRUE THEN
        clock := advance_refill(clock, answer.energy - change, now_at);
        UPDATE users SET refill = clock WHERE id = player;
    END IF;
    INSERT INTO energy_ledger (
        user_id, operation_id, entry, delta, balance_after, reason, reference, operation_request, operation_kind,
        answer, created_at)
    VALUES (player, coalesce(operation, 'entry ' || new_entry), new_entry, change, answer.energy, reason, reference,
        CASE WHEN operation IS NOT NULL THEN request END, CASE WHEN operation IS NOT NULL THEN kind END,
        CASE WHEN operation IS NOT NULL THEN told END, moment);
    RETURN answer;
END
$$;
