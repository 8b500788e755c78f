-- Figures of days, weeks and months (UTC). A period that is over is counted once and kept in the table figures; a day
-- that is not over is counted when it is requested.
--
-- Active is a player with an entry of the ledger from the player's own action, or with a judged game that was begun
-- or ended. Signing in or being given something does not count.

-- The first moment of a day.
CREATE OR REPLACE FUNCTION start_of(the_day date) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$ SELECT the_day::timestamp AT TIME ZONE 'UTC' $$;

-- Counts what happened on a day. Games of the app count when they begin, because the time of a win is not recorded.
--
-- Called by: count_figures, admin_count_day.
-- Answers: active, registered; begun and hard, games by kind; challenges made; won and lost, judged games that ended;
-- entries, brought and took, by the reason of the ledger's entries; outcomes: how many players needed how many guesses
-- for the day's word, the seventh lost.
CREATE OR REPLACE FUNCTION count_day(the_day date) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    starts timestamptz := start_of(the_day);
    ends timestamptz := start_of(the_day + 1);
    entries jsonb;
    brought jsonb;
    took jsonb;
    paid bigint;
    begun jsonb;
    hard bigint;
    judged record;
    active bigint;
BEGIN
    SELECT jsonb_object_agg(reason, entry_count), jsonb_object_agg(reason, gain) FILTER (WHERE gain > 0),
        jsonb_object_agg(reason, loss) FILTER (WHERE loss > 0), sum(named) FILTER (WHERE reason = 'game')
    INTO entries, brought, took, paid
    FROM (SELECT reason, count(*) AS entry_count, count(*) FILTER (WHERE strpos(user_id, E'\t') = 0) AS named,
            sum(delta) FILTER (WHERE delta > 0) AS gain, -sum(delta) FILTER (WHERE delta < 0) AS loss
        FROM juliet.energy_ledger WHERE created_at >= starts AND created_at < ends AND entry IS NOT NULL
        GROUP BY reason) AS reasons;
    SELECT jsonb_object_agg(kind, games), sum(hard_games) INTO begun, hard
    FROM (SELECT kind, count(*) AS games, count(*) FILTER (WHERE is_hard) AS hard_games
        FROM juliet.judged_games WHERE started_at >= starts AND started_at < ends GROUP BY kind) AS kinds;
    SELECT count(*) FILTER (WHERE is_won) AS won, count(*) FILTER (WHERE NOT is_won) AS lost INTO judged
    FROM juliet.judged_games WHERE ended_at >= starts AND ended_at < ends;
    active := count_active(starts, ends);
    -- What was paid for as a game and not judged is the app's. Of players who are deleted nobody knows it any more.
    begun := jsonb_strip_nulls(coalesce(begun, '{}') || jsonb_build_object('app', nullif(greatest(0,
        coalesce(paid, 0) - coalesce((begun ->> 'game')::bigint, 0)), 0)));
    RETURN jsonb_build_object('active', active, 'registered', coalesce((entries ->> 'registration')::bigint, 0),
        'begun', begun, 'hard', coalesce(hard, 0), 'challenges', coalesce((entries ->> 'challenge')::bigint, 0),
        'won', judged.won, 'lost', judged.lost, 'entries', coalesce(entries, '{}'),
        'brought', coalesce(brought, '{}'), 'took', coalesce(took, '{}'), 'outcomes', count_outcomes(the_day));
END
$$;

-- Counts the players who were active from one moment on and before another.
--
-- Called by: count_day, count_figures, admin_live.
CREATE OR REPLACE FUNCTION count_active(starts timestamptz, ends timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    active bigint;
BEGIN
    SELECT count(*) INTO active FROM (
        SELECT user_id FROM juliet.energy_ledger WHERE created_at >= starts AND created_at < ends
            AND reason IN ('registration', 'game', 'purchase', 'client_report', 'refill', 'daily', 'challenge')
        UNION
        SELECT user_id FROM juliet.judged_games WHERE started_at >= starts AND started_at < ends
        UNION
        SELECT user_id FROM juliet.judged_games WHERE ended_at >= starts AND ended_at < ends) AS players;
    RETURN active;
END
$$;

-- Counts the players who were active in a week, by the week in which they came, for those who came in the twelve weeks
-- before. Players who were deleted since are not counted.
--
-- Called by: count_figures.
CREATE OR REPLACE FUNCTION count_cohorts(first_day date) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    starts timestamptz := start_of(first_day);
    ends timestamptz := start_of(first_day + 7);
    oldest timestamptz := start_of(first_day - 84);
    cohorts jsonb;
BEGIN
    SELECT jsonb_object_agg(cohort, players) INTO cohorts FROM (
        SELECT date_trunc('week', created_at AT TIME ZONE 'UTC')::date AS cohort, count(*) AS players
        FROM juliet.users JOIN (
            SELECT user_id FROM juliet.energy_ledger WHERE created_at >= starts AND created_at < ends
                AND reason IN ('registration', 'game', 'purchase', 'client_report', 'refill', 'daily', 'challenge')
            UNION
            SELECT user_id FROM juliet.judged_games WHERE started_at >= starts AND started_at < ends
            UNION
            SELECT user_id FROM juliet.judged_games WHERE ended_at >= starts AND ended_at < ends) AS active
            ON user_id = id
        WHERE created_at >= oldest AND created_at < starts
        GROUP BY date_trunc('week', created_at AT TIME ZONE 'UTC')::date) AS weeks;
    RETURN coalesce(cohorts, '{}');
END
$$;

-- Counts the players who came in a week, by the first entry of their ledgers.
--
-- Called by: count_figures.
CREATE OR REPLACE FUNCTION count_newcomers(first_day date) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    starts timestamptz := start_of(first_day);
    ends timestamptz := start_of(first_day + 7);
    newcomers bigint;
BEGIN
    SELECT count(*) INTO newcomers FROM juliet.energy_ledger WHERE created_at >= starts AND created_at < ends
        AND entry = 1;
    RETURN newcomers;
END
$$;

-- Lists the periods that are to be counted, the newest first: of the 400 days that the ledger keeps at least, those
-- that have been over for ten minutes, in which transactions that began in them have ended.
--
-- Called by: count_figures.
CREATE OR REPLACE FUNCTION uncounted_figures() RETURNS TABLE (kind text, starts_on date, ends_on date)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    -- Outcomes of the word of the day are of the game's day.
    until date := least((now() AT TIME ZONE 'UTC' - interval '10 minutes')::date, day_at(now() - interval '10 minutes'));
    since date := until - 400;
BEGIN
    RETURN QUERY SELECT periods.kind, periods.starts_on, periods.ends_on FROM (
        SELECT 'day' AS kind, since + n AS starts_on, since + n + 1 AS ends_on FROM generate_series(0, 399) AS n
        UNION ALL
        SELECT 'week', monday, monday + 7
        FROM (SELECT date_trunc('week', until::timestamp)::date - 7 * n AS monday FROM generate_series(1, 57) AS n) AS w
        UNION ALL
        SELECT 'month', first::date, (first + interval '1 month')::date
        FROM (SELECT date_trunc('month', until::timestamp) - n * interval '1 month' AS first
            FROM generate_series(1, 13) AS n) AS m) AS periods
    WHERE periods.starts_on >= since AND NOT EXISTS (
        SELECT FROM juliet.figures AS f WHERE f.kind = periods.kind AND f.starts_on = periods.starts_on)
    ORDER BY periods.ends_on DESC, periods.starts_on DESC;
END
$$;

-- Counts periods that are over, the newest first, for half a second, and at least one.
--
-- Called by: the service, every ten minutes, and again while some are left. It needs no session: the figures do not
-- depend on the caller, and are not in the answer.
-- Locks: the advisory lock figures. If another session has it, it does nothing.
-- Answers: how many are left; 0 too when another session counts.
CREATE OR REPLACE FUNCTION count_figures() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET work_mem = '64MB' AS $$
DECLARE
    is_checked boolean := check_isolation();
    begun timestamptz := clock_timestamp();
    periods record;
    left_over integer := 0;
    counted jsonb;
BEGIN
    IF NOT pg_try_advisory_xact_lock('figures'::regclass::oid::bigint) THEN RETURN 0; END IF;
    FOR periods IN SELECT * FROM uncounted_figures() LOOP
        IF clock_timestamp() > begun + interval '0.5 s' THEN
            left_over := left_over + 1;
            CONTINUE;
        END IF;
        counted := CASE periods.kind WHEN 'day' THEN count_day(periods.starts_on)
            ELSE jsonb_build_object('active', count_active(start_of(periods.starts_on), start_of(periods.ends_on))) END;
        IF periods.kind = 'week' THEN
            counted := counted || jsonb_build_object('came', count_newcomers(periods.starts_on),
                'cohorts', count_cohorts(periods.starts_on));
        END IF;
        INSERT INTO figures (kind, starts_on, counts) VALUES (periods.kind, periods.starts_on, counted);
    END LOOP;
    RETURN left_over;
END
$$;
GRANT EXECUTE ON FUNCTION count_figures() TO juliet_service;

-- Counts a day that may not be over. One that was counted stays as it was.
--
-- Called by: the service (the admin page), for today and yesterday.
CREATE OR REPLACE FUNCTION admin_count_day(session bytea, the_day date) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    counted jsonb;
BEGIN
    IF admin_may(session, 'owner') IS NULL THEN RETURN admin_refused(session); END IF;
    SELECT counts INTO counted FROM figures WHERE kind = 'day' AND starts_on = the_day;
    IF NOT FOUND THEN counted := count_day(the_day); END IF;
    RETURN ROW(NULL, (jsonb_build_object('day', the_day) || counted)::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_count_day(bytea, date) TO juliet_service;

-- Reads what was counted of the days from one to another, the weeks of the year before and the months.
--
-- Called by: the service (the admin page).
-- Answers: days, weeks and months, the oldest first, each with its first day; a period that is not counted is missing.
-- left: how many of the days are not counted yet, without today.
CREATE OR REPLACE FUNCTION admin_read_figures(session bytea, first_day date, last_day date) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    of_days jsonb;
    weeks jsonb;
    months jsonb;
    counted bigint;
BEGIN
    IF admin_may(session, 'owner') IS NULL THEN RETURN admin_refused(session); END IF;
    SELECT jsonb_agg(jsonb_build_object('day', starts_on) || counts ORDER BY starts_on), count(*) INTO of_days, counted
    FROM figures WHERE kind = 'day' AND starts_on BETWEEN first_day AND last_day;
    SELECT jsonb_agg(jsonb_build_object('day', starts_on) || counts ORDER BY starts_on) INTO weeks
    FROM figures WHERE kind = 'week' AND starts_on BETWEEN last_day - 371 AND last_day;
    SELECT jsonb_agg(jsonb_build_object('day', starts_on) || counts ORDER BY starts_on) INTO months
    FROM figures WHERE kind = 'month' AND starts_on BETWEEN last_day - 400 AND last_day;
    RETURN ROW(NULL, jsonb_build_object('days', coalesce(of_days, '[]'), 'weeks', coalesce(weeks, '[]'),
        'months', coalesce(months, '[]'),
        'left', greatest(0, least(last_day, (now() AT TIME ZONE 'UTC')::date - 1) - first_day + 1 - counted))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_read_figures(bytea, date, date) TO juliet_service;
