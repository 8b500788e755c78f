-- Starts a draw, once: one that has started stays as it is. Refused: unknown-draw; pause, while the one before is shown
-- and for so long afterwards; empty.
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

-- Starts a draw, once: one that has started stays as it is. Refused: unknown-draw; pause, while the one before is shown
-- and for so long afterwards; empty.
CREATE OR REPLACE FUNCTION start_draw(wanted bigint, pause interval) RETURNS draw_answer
LANGUAGE plpgsql AS $$
DECLARE
    d juliet.lottery_draws;
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
