-- Energy that comes back with time, to players of /v2. Each has a clock (users.refill): what was due at a moment, and
-- the moment from which the time for the next refill runs.
--
-- Adding energy does not change the clock: the due energy is cut to what is missing when the clock is next read, with
-- the same result. Taking energy first moves the clock on, by the balance before.

-- Moves a clock on under one rule: each whole refill_every makes refill_amount due, until due and balance together are
-- refill_up_to. Then the clock is stopped, which means that it starts again at every later moment. A clock that is ahead
-- of the moment, because the server's was set back, goes on from the moment.
--
-- Called by: change_energy, change_energies, read_player_each, advance_refill.
-- Answers: the clock at the moment; if one of the three is zero, nothing is due.
CREATE OR REPLACE FUNCTION advance_refill_under(
    clock refill_clock, energy integer, moment timestamptz, amount integer, every integer, up_to integer
) RETURNS refill_clock
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    missing bigint := greatest(0, least(up_to - energy::bigint, 2147483647));
    refills bigint;
BEGIN
    clock.since := least(clock.since, moment);
    IF 0 IN (amount, every, up_to) THEN missing := 0; END IF;
    IF missing > 0 THEN
        refills := floor(extract(epoch FROM moment - clock.since) / every);
        clock.due := least(clock.due + refills * amount, missing);
        IF clock.due < missing THEN
            clock.since := clock.since + refills * every * interval '1 second';
            RETURN clock;
        END IF;
    END IF;
    RETURN ROW(missing, moment)::juliet.refill_clock;
END
$$;

-- Moves a clock on to a moment, under the rules of each time between.
--
-- Called by: show_refill, take_refill, change_energy when the rules have changed since the clock was last moved.
CREATE OR REPLACE FUNCTION advance_refill(clock refill_clock, energy integer, moment timestamptz) RETURNS refill_clock
LANGUAGE plpgsql STABLE AS $$
DECLARE
    period record;
BEGIN
    FOR period IN
        SELECT refill_amount AS amount, refill_every AS every, refill_up_to AS up_to,
            lead(since, 1, 'infinity') OVER (ORDER BY since) AS ends
        FROM rules WHERE since <= moment ORDER BY since
    LOOP
        CONTINUE WHEN period.ends <= clock.since;
        clock := advance_refill_under(
            clock, energy, least(period.ends, moment), period.amount, period.every, period.up_to);
    END LOOP;
    RETURN clock;
END
$$;

-- Shows what is due to a player now, and when more will be; both NULL when nothing is due and the clock stands.
--
-- Called by: show_player, start_judged_game, create_challenge, admin_player, player_records.
CREATE OR REPLACE FUNCTION show_refill(player text, OUT due integer, OUT next_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    balance integer;
    clock juliet.refill_clock;
    held juliet.rules;
BEGIN
    SELECT energy, (refill).due, (refill).since INTO balance, clock.due, clock.since FROM users WHERE id = player;
    IF clock.since IS NULL THEN RETURN; END IF;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    IF 0 IN (held.refill_amount, held.refill_every, held.refill_up_to) THEN RETURN; END IF;
    clock := advance_refill(clock, balance, clock_timestamp());
    IF balance + clock.due::bigint < held.refill_up_to THEN
        next_at := clock.since + held.refill_every * interval '1 second';
    END IF;
    IF next_at IS NOT NULL OR clock.due > 0 THEN due := clock.due; END IF;
END
$$;

-- Gives a player what is due.
--
-- Called by: the service (POST /v2/players/me/refill).
-- Locks: the player's row of users, then the session's row, shared.
-- Answers: the balance, and when more will be due.
-- Refuses: unauthorized, not-found where there are no refills, operation-reused; refill-full, refill-early with the
-- seconds to wait, neither of which is remembered.
CREATE OR REPLACE FUNCTION take_refill(token bytea, operation text, request bigint) RETURNS refill_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    clock refill_clock;
    held rules;
    last_at timestamptz;
    moment timestamptz;
    taken operation_answer;
    first refill_answer;
    answer refill_answer;
BEGIN
    SELECT energy, ledger_at, (refill).due, (refill).since INTO answer.energy, last_at, clock.due, clock.since
    FROM users WHERE id = player FOR NO KEY UPDATE;
    moment := clock_timestamp();
    IF hold_session(player, session_digest(token)) IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF operation IS NOT NULL THEN
        first := first_answer(player, operation, request, first);
        IF first.is_replay OR first.refusal IS NOT NULL THEN RETURN first; END IF;
    END IF;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    IF 0 IN (held.refill_amount, held.refill_every, held.refill_up_to) THEN
        RETURN with_refusal(answer, 'not-found');
    END IF;
    clock := advance_refill(clock, answer.energy, moment);
    IF answer.energy + clock.due::bigint < held.refill_up_to THEN
        answer.refill_next_at := clock.since + held.refill_every * interval '1 second';
        answer.refill_due := 0;
    END IF;
    IF clock.due = 0 THEN
        answer.refusal := CASE WHEN answer.refill_next_at IS NULL THEN 'refill-full' ELSE 'refill-early' END;
        answer.retry_after := greatest(1, ceil(extract(epoch FROM answer.refill_next_at - moment)));
        RETURN answer;
    END IF;
    UPDATE users SET refill = ROW(0, clock.since)::refill_clock WHERE id = player;
    taken := change_energy(player, clock.due, 'refill', NULL, operation, request, 'take_refill', told =>
        jsonb_build_object('refill_due', answer.refill_due, 'refill_next_at', answer.refill_next_at),
        not_before => greatest(last_at, held.since));
    answer.refusal := taken.refusal;
    answer.energy := taken.energy;
    answer.taken := clock.due;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION take_refill(bytea, text, bigint) TO juliet_service;
