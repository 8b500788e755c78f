-- Counts what happened on some days (UTC). Games of the app count when they begin, because the time of a win is not
-- recorded.
--
-- Called by: the service (the admin page).
-- Answers: an array in the order of the days.
CREATE OR REPLACE FUNCTION admin_figures(key bytea, wanted date[]) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    figures jsonb := '[]';
    the_day date;
    starts timestamptz;
    ends timestamptz;
    moved record;
    started record;
    judged record;
BEGIN
    IF admin_may(key, 'owner') IS NULL THEN RETURN admin_refused(key); END IF;
    FOREACH the_day IN ARRAY wanted LOOP
        starts := the_day::timestamp AT TIME ZONE 'UTC';
        ends := (the_day + 1)::timestamp AT TIME ZONE 'UTC';
        SELECT count(*) FILTER (WHERE reason = 'registration') AS registered,
            count(*) FILTER (WHERE reason = 'game') AS begun,
            coalesce(sum(delta) FILTER (WHERE reason = 'support'), 0) AS granted,
            coalesce(sum(delta) FILTER (WHERE reason = 'purchase'), 0) AS bought,
            count(*) FILTER (WHERE reason = 'challenge') AS challenges,
            coalesce(-sum(delta) FILTER (WHERE reason IN ('game', 'challenge')), 0) AS spent,
            coalesce(sum(delta) FILTER (WHERE reason = 'refill'), 0) AS refilled,
            coalesce(sum(delta) FILTER (WHERE reason = 'daily'), 0) AS rewarded
        INTO moved FROM energy_ledger WHERE created_at >= starts AND created_at < ends AND entry IS NOT NULL;
        SELECT count(*) FILTER (WHERE kind <> 'game') AS free, count(*) FILTER (WHERE kind = 'archive') AS archive,
            count(*) FILTER (WHERE is_hard) AS hard
        INTO started FROM judged_games WHERE started_at >= starts AND started_at < ends;
        SELECT count(*) FILTER (WHERE is_won) AS won, count(*) FILTER (WHERE NOT is_won) AS lost INTO judged
        FROM judged_games WHERE ended_at >= starts AND ended_at < ends;
        figures := figures || jsonb_build_object('day', the_day, 'registered', moved.registered,
            'begun', moved.begun + started.free, 'hard', started.hard, 'archive', started.archive,
            'challenges', moved.challenges, 'won', judged.won, 'lost', judged.lost, 'granted', moved.granted,
            'bought', moved.bought, 'spent', moved.spent, 'refilled', moved.refilled, 'rewarded', moved.rewarded);
    END LOOP;
    RETURN ROW(NULL, figures::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_figures(bytea, date[]) TO juliet_service;
