-- Changes the balances of a set of players by one UPDATE and one INSERT, as change_energy does it for one: of those
-- whose rows are held and whose operations have new names, if their balances allow it.
--
-- Called by: pay_for_game_each, buy_energy_each, start_game_each, start_judged_game_each, which have locked the rows
-- (operations/sets.sql).
-- Answers: the places that were served, and the balances.
--
-- rows: where they are; NULL: not locked. changes: by how much; NULL: not to be served. refs: the references of the
-- entries; NULL: none has one. held: the rules that the changes follow. takes_players: whether players of /v2 are served:
-- those whose clock was moved under these rules.
CREATE OR REPLACE FUNCTION change_energies(
    rows tid[], changes integer[], reason energy_reason, refs text[], players text[], operations text[],
    requests bigint[], kind operation_kind, held rules, takes_players boolean, OUT places bigint[], OUT balances integer[]
)
LANGUAGE plpgsql AS $$
DECLARE
    now_at timestamptz := CASE WHEN check_isolation() THEN clock_timestamp() END;
    moment timestamptz := greatest(now_at, held.since);
BEGIN
    WITH changed AS (
        UPDATE users AS u SET energy = u.energy + asked.change, ledger_entry = u.ledger_entry + 1,
            ledger_at = greatest(moment, u.ledger_at),
            ledger_seal = u.ledger_seal # energy_entry_seal(u.ledger_entry, u.energy,
                energy_entry_digest(asked.change, reason, asked.reference, greatest(moment, u.ledger_at))),
            refill = CASE WHEN asked.change < 0 AND takes_players THEN advance_refill_under(u.refill, u.energy, now_at,
                held.refill_amount, held.refill_every, held.refill_up_to) ELSE u.refill END
        FROM unnest(rows, changes, refs, players, operations, requests) WITH ORDINALITY
            AS asked (row, change, reference, player, operation, request, place)
        WHERE u.ctid = asked.row AND CASE WHEN takes_players THEN (u.refill).since >= held.since ELSE u.refill IS NULL END
            AND u.energy BETWEEN CASE WHEN asked.change > 0 THEN -2147483648 ELSE -asked.change END
                AND 2147483647 - greatest(0, asked.change)
            AND (asked.operation IS NULL OR is_operation(asked.operation, asked.request))
            AND NOT EXISTS (SELECT FROM energy_ledger
                WHERE user_id = asked.player AND operation_id = asked.operation OFFSET 0)
        RETURNING asked.place, asked.change, asked.reference, asked.operation, asked.request, u.id, u.energy,
            u.ledger_entry, u.ledger_at),
    written AS (
        INSERT INTO energy_ledger (
            user_id, operation_id, entry, delta, balance_after, reason, reference, operation_request, operation_kind,
            created_at)
        SELECT id, coalesce(operation, 'entry ' || ledger_entry), ledger_entry, change, energy, reason, reference,
            CASE WHEN operation IS NOT NULL THEN request END, CASE WHEN operation IS NOT NULL THEN kind END, ledger_at
        FROM changed)
    SELECT array_agg(place), array_agg(energy) INTO places, balances FROM changed;
END
$$;
