-- The visible part of draws: before its time nobody sees a round, and only the owner sees the seed; when the draw has
-- ended, everybody does. The transaction that starts a draw sees nothing of it. Transactions are compared only for
-- equality, because a restored database has numbers of another server.

-- Shows a draw as it may be seen now.
--
-- Called by: show_draw, show_lottery, lottery_records.
CREATE OR REPLACE FUNCTION see_draw(d lottery_draws, with_list boolean) RETURNS shown_draw
LANGUAGE plpgsql STABLE AS $$
DECLARE
    timing record := lottery_rules();
    shown juliet.shown_draw;
    count integer;
BEGIN
    shown.number := d.number;
    shown.commitment := d.commitment;
    shown.prize := d.prize;
    shown.loading := extract(epoch FROM coalesce(d.loading, timing.loading)) * 1000;
    shown.pace := extract(epoch FROM coalesce(d.pace, timing.pace)) * 1000;
    shown.pause := extract(epoch FROM timing.pause) * 1000;
    shown.has_ended := false;
    -- Before the start is committed it may be taken back.
    IF d.started_at IS NULL OR d.started_by = pg_current_xact_id_if_assigned() THEN
        -- Those of a frozen list: who enters after that takes part in the next draw.
        shown.entries := coalesce(d.entries, (SELECT count(*) FROM lottery_entries));
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

-- Shows a draw, with its frozen list once it has started. wanted NULL: the one that started last.
--
-- Called by: the service (GET /lottery/draws/{number}); operators (juliet lottery show, verify).
-- Answers: no row when there is no such draw.
CREATE OR REPLACE FUNCTION show_draw(wanted bigint) RETURNS SETOF shown_draw
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    RETURN QUERY SELECT seen.* FROM lottery_draws AS d, see_draw(d, true) AS seen
        WHERE d.number = coalesce(wanted,
            (SELECT max(lottery_draws.number) FROM lottery_draws WHERE lottery_draws.started_at IS NOT NULL));
END
$$;
GRANT EXECUTE ON FUNCTION show_draw(bigint) TO juliet_service;

-- Shows the draw that started last, if there is one, and after it the next.
--
-- Called by: the service, which tells the page of it.
CREATE OR REPLACE FUNCTION show_lottery() RETURNS SETOF shown_draw
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    RETURN QUERY SELECT seen.*
        FROM (SELECT * FROM lottery_draws ORDER BY number DESC LIMIT 2) AS last, see_draw(last, false) AS seen
        ORDER BY last.number;
END
$$;
GRANT EXECUTE ON FUNCTION show_lottery() TO juliet_service;
