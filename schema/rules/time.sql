-- Days and times. The game's day begins at midnight in the time zone of the rules (game.timeZone); figures, limits a day
-- and the log have days of UTC.

-- The first moment whose date in a time zone is a day. Clocks may be set forward or back at midnight, and a zone may have
-- no such date at all: then the first moment with a later date.
--
-- Called by: following_start, check_time_zone.
CREATE OR REPLACE FUNCTION first_moment(wanted date, time_zone text) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT min(moment) FROM generate_series(midnight - interval '3 hours', midnight, interval '1 minute') AS moment
            WHERE (moment AT TIME ZONE time_zone)::date >= wanted),
        (SELECT min(moment) FROM generate_series(midnight, midnight + interval '40 hours', interval '1 minute') AS moment
            WHERE (moment AT TIME ZONE time_zone)::date >= wanted))
    -- Of a midnight that comes twice, PostgreSQL takes the second.
    FROM (SELECT wanted::timestamp AT TIME ZONE time_zone AS midnight) AS usual
$$;

-- When a day begins that follows the last one that has a row: at its first moment in the time zone of the rules, and at
-- least an hour after the day before. As long as the rules stay, this is what write_days will write.
--
-- Called by: write_days, read_today.
CREATE OR REPLACE FUNCTION following_start(wanted date, former_start timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    zone text := (SELECT time_zone FROM juliet.rules ORDER BY since DESC LIMIT 1);
BEGIN
    RETURN greatest(first_moment(wanted, zone), former_start + interval '1 hour');
EXCEPTION
    -- The database of time zones has lost it, as on another machine.
    WHEN invalid_parameter_value THEN
        RAISE WARNING 'the time zone % is not known any more: days have 24 hours until the rules name another one', zone;
        RETURN coalesce(former_start + interval '1 day', wanted::timestamp AT TIME ZONE 'UTC');
END
$$;

-- Writes when days begin, up to the second day after today. A day that has a row keeps it, so a change of the time zone
-- holds from the first day without a row on, and the first day of the new zone lasts at least an hour, like all others.
--
-- Called by: choose_daily_words, check_time_zone. They hold the table rules against changes.
CREATE OR REPLACE FUNCTION write_days() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    zone text := (SELECT time_zone FROM juliet.rules ORDER BY since DESC LIMIT 1);
    last_day date;
    last_start timestamptz;
    coming bigint := 0;
    next_day date;
    next_start timestamptz;
BEGIN
    -- In one snapshot: another service may write the same days meanwhile.
    SELECT day, starts_at, (SELECT count(*) FROM juliet.days WHERE starts_at > moment) INTO last_day, last_start, coming
    FROM juliet.days ORDER BY day DESC LIMIT 1;
    WHILE coalesce(coming, 0) < 2 LOOP
        next_day := coalesce(last_day + 1, (moment AT TIME ZONE zone)::date - 1);
        next_start := following_start(next_day, last_start);
        INSERT INTO juliet.days (day, starts_at, time_zone, seal)
        VALUES (next_day, next_start, zone, day_seal(next_day, next_start, zone, last_day IS NOT NULL))
        ON CONFLICT DO NOTHING;
        last_day := next_day;
        last_start := next_start;
        coming := coalesce(coming, 0) + (next_start > moment)::integer;
    END LOOP;
END
$$;

-- The game's day at a moment.
--
-- Called by: today, last_kept_day, uncounted_figures, end_game, merge_daily_results, read_league_table,
-- read_challenge_link; operators (juliet audit).
CREATE OR REPLACE FUNCTION day_at(moment timestamptz) RETURNS date
LANGUAGE plpgsql STABLE AS $$
DECLARE
    found_day date;
    began timestamptz;
BEGIN
    SELECT day, starts_at INTO found_day, began FROM juliet.days
    WHERE starts_at <= moment ORDER BY starts_at DESC LIMIT 1;
    IF NOT FOUND THEN RETURN (moment AT TIME ZONE 'UTC')::date; END IF;
    -- In one condition with the subquery, even the comparison would cost a query.
    IF moment > began + interval '22 hours' THEN
        -- Nobody has written the days after it: no service has run for days, or the clock has jumped.
        IF NOT EXISTS (SELECT FROM juliet.days WHERE day > found_day) THEN
            RETURN greatest(found_day,
                (moment AT TIME ZONE (SELECT time_zone FROM juliet.rules ORDER BY since DESC LIMIT 1))::date);
        END IF;
    END IF;
    RETURN found_day;
END
$$;

-- Today.
CREATE OR REPLACE FUNCTION today() RETURNS date LANGUAGE sql STABLE AS $$ SELECT juliet.day_at(now()) $$;

-- When a day of the game begins, as it was or will be said: of a day without a row, midnight of UTC.
--
-- Called by: read_past_day, read_league_table, merge_boards; operators (juliet audit).
CREATE OR REPLACE FUNCTION day_start(wanted date) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce((SELECT starts_at FROM juliet.days WHERE day = wanted), wanted::timestamp AT TIME ZONE 'UTC');
END
$$;

-- The first moment of a time's day of UTC, which is stored instead of a time that must not lead to a player.
CREATE OR REPLACE FUNCTION day_of(at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN date_trunc('day', at, 'UTC'); END $$;

-- A time as JSON shows it.
CREATE OR REPLACE FUNCTION show_time(at timestamptz) RETURNS text
LANGUAGE sql STABLE AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- The next microsecond.
--
-- Adding an interval is not immutable, because one of days depends on the time zone. This one has no days, and an
-- UPDATE of a distributed table may only call immutable functions.
CREATE OR REPLACE FUNCTION next_moment(after timestamptz) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN after + interval '1 microsecond'; END $$;
