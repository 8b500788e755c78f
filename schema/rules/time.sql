-- Days and times. The game's day is a day of UTC, whatever the time zone of the session.

-- Today.
CREATE OR REPLACE FUNCTION today() RETURNS date LANGUAGE sql STABLE AS $$ SELECT (now() AT TIME ZONE 'UTC')::date $$;

-- The first moment of a time's day, which is stored instead of a time that must not lead to a player.
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
