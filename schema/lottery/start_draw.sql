-- A draw is two transactions. The first freezes the list. The second draws the rounds, credits the prize and prepares
-- the next draw. So rounds are drawn only when seed and list can no longer change: whoever rolls back the first has
-- seen nothing of the outcome, and whoever rolls back the second changes nothing of it. Afterwards only the clock
-- decides what is shown.

-- Prepares a draw: a secret seed and its commitment, which everybody may see.
--
-- Called by: start_draw, announce_prize. The first draw comes with the migrations.
CREATE OR REPLACE FUNCTION prepare_draw(wanted bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    new_seed bytea := random_seed();
BEGIN
    INSERT INTO lottery_draws (number, seed, commitment) VALUES (wanted, new_seed, sha256(new_seed))
    ON CONFLICT DO NOTHING;
END
$$;

-- Starts a draw that has no prize: the first call freezes the list, and the next one, in another transaction, starts
-- the draw.
--
-- Called by: the service (POST /lottery/draws/{number}).
-- Locks: as start_draw.
-- Answers: is_new, when it was started. Refuses: operator, when there is a prize; as freeze_list; frozen, when this
-- transaction has frozen the list.
CREATE OR REPLACE FUNCTION request_draw(wanted bigint) RETURNS draw_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    shortest_pause interval := (SELECT pause FROM lottery_rules());
    d record;
    answer draw_answer;
BEGIN
    SELECT started_at IS NOT NULL AS has_started, prize INTO d FROM lottery_draws WHERE number = wanted;
    IF NOT d.has_started THEN
        SELECT started_at IS NOT NULL AS has_started, prize,
            list_digest IS NOT NULL AND started_by IS DISTINCT FROM pg_current_xact_id_if_assigned() AS is_ready
        INTO d FROM lottery_draws WHERE number = wanted FOR UPDATE;
        IF NOT d.has_started AND d.prize > 0 THEN RETURN ROW('operator', NULL, NULL)::draw_answer; END IF;
        IF NOT d.has_started AND NOT d.is_ready THEN
            answer := freeze_list(wanted, shortest_pause);
            IF answer.refusal IS NULL THEN answer.refusal := 'frozen'; END IF;
            RETURN answer;
        END IF;
    END IF;
    RETURN start_draw(wanted, shortest_pause);
END
$$;
GRANT EXECUTE ON FUNCTION request_draw(bigint) TO juliet_service;

-- Freezes the list of a draw, once. It reads nothing secret of the draw.
--
-- Called by: request_draw, start_draw below; operators (juliet lottery draw).
-- Locks: the draw's row.
-- Answers: a row of NULLs, also if the list is frozen or the draw has started. Refuses: unknown-draw; pause with the
-- seconds to wait, until the draw before has been shown and the pause is over; empty.
CREATE OR REPLACE FUNCTION freeze_list(wanted bigint, pause interval) RETURNS draw_answer
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    is_frozen boolean;
    ready_at timestamptz;
    frozen text;
    frozen_entries bigint;
    digest_of_it bytea;
BEGIN
    SELECT list_digest IS NOT NULL INTO is_frozen FROM lottery_draws WHERE number = wanted;
    IF NOT FOUND THEN RETURN ROW('unknown-draw', NULL, NULL)::draw_answer; END IF;
    IF NOT is_frozen THEN
        SELECT list_digest IS NOT NULL INTO is_frozen FROM lottery_draws WHERE number = wanted FOR UPDATE;
    END IF;
    IF is_frozen THEN RETURN NULL; END IF;
    SELECT started_at + loading + pace * cardinality(rounds) + pause INTO ready_at FROM lottery_draws
    WHERE number = wanted - 1;
    IF ready_at > clock_timestamp() THEN
        RETURN ROW('pause', NULL, ceil(extract(epoch FROM ready_at - clock_timestamp())))::draw_answer;
    END IF;
    SELECT string_agg(participant || ' ' || is_void::integer || E'\n', '' ORDER BY place), count(*)
    INTO frozen, frozen_entries FROM lottery_entries;
    IF frozen IS NULL THEN RETURN ROW('empty', NULL, NULL)::draw_answer; END IF;
    digest_of_it := sha256(convert_to(frozen, 'UTF8'));
    INSERT INTO lottery_lists (digest, list) VALUES (digest_of_it, frozen) ON CONFLICT DO NOTHING;
    UPDATE lottery_draws SET list_digest = digest_of_it, entries = frozen_entries, started_by = pg_current_xact_id()
    WHERE number = wanted;
    RETURN NULL;
END
$$;

-- Starts a draw, with its prize, and records who did it.
--
-- Called by: operators (juliet lottery draw).
-- Answers and refuses: as start_draw below.
CREATE OR REPLACE FUNCTION start_draw(who text, wanted bigint) RETURNS draw_answer
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
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

-- Starts a draw, once: one that has started stays as it is. A list that is not frozen yet is frozen.
--
-- Called by: request_draw, start_draw above.
-- Locks: the draw's row, then as credit_prize.
-- Answers: is_new, when it was started. Refuses: as freeze_list.
CREATE OR REPLACE FUNCTION start_draw(wanted bigint, pause interval) RETURNS draw_answer
LANGUAGE plpgsql AS $$
DECLARE
    d juliet.lottery_draws;
    timing record := lottery_rules();
    answer juliet.draw_answer := freeze_list(wanted, pause);
    frozen text;
    last_one bigint;
BEGIN
    IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    SELECT * INTO STRICT d FROM lottery_draws WHERE number = wanted;
    IF d.started_at IS NULL THEN
        SELECT * INTO d FROM lottery_draws WHERE number = wanted FOR UPDATE;
    END IF;
    IF d.started_at IS NOT NULL THEN RETURN ROW(NULL, false, NULL)::draw_answer; END IF;
    SELECT list INTO STRICT frozen FROM lottery_lists WHERE digest = d.list_digest;
    d.rounds := lottery_rounds(d.seed, d.list_digest, frozen);
    last_one := d.rounds[cardinality(d.rounds)];
    UPDATE lottery_draws SET started_at = clock_timestamp(), started_by = pg_current_xact_id(),
        loading = timing.loading, pace = timing.pace, rounds = d.rounds,
        winner = CASE WHEN strpos(E'\n' || frozen, format(E'\n%s 0\n', last_one)) > 0 THEN last_one END
    WHERE number = wanted;
    PERFORM credit_prize(wanted);
    PERFORM prepare_draw(wanted + 1);
    PERFORM gather_lottery_changes();
    RETURN ROW(NULL, true, NULL)::draw_answer;
END
$$;

-- Credits the prize of a draw to its winner. A winner who is claimed or merged at this moment is found under the new
-- id; one who is deleted, or has no room for it, gets nothing.
--
-- Called by: start_draw, which holds the draw's row.
-- Locks: the winner's row of users.
CREATE OR REPLACE FUNCTION credit_prize(draw bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    d juliet.lottery_draws;
    player text;
    credit juliet.operation_answer;
    last_entry integer;
BEGIN
    SELECT * INTO d FROM lottery_draws WHERE number = draw;
    FOR attempt IN 1..3 LOOP
        SELECT coalesce(p.user_id, kept.user_id) INTO player
        FROM lottery_participants AS p LEFT JOIN lottery_participants AS kept ON kept.number = p.merged_into
        WHERE p.number = d.winner;
        IF player IS NULL OR d.prize = 0 THEN RETURN; END IF;
        -- The operation's name has the draw's number, so that it happens once. A part that follows from the seed keeps
        -- clients from using the name for something else before.
        credit := change_energy(player, d.prize, 'lottery', draw::text,
            'lottery-' || draw || '-' || left(encode(sha256(d.seed || 'prize'), 'hex'), 16), draw, 'credit_prize');
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
