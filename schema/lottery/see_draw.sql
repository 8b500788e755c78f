-- A draw as it may be seen now.
CREATE OR REPLACE FUNCTION see_draw(d lottery_draws, with_list boolean) RETURNS shown_draw
LANGUAGE plpgsql STABLE AS $$
DECLARE
    rules record := lottery_rules();
    shown juliet.shown_draw;
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
