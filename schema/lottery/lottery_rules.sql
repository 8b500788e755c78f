-- How a draw goes: how many rounds, how long it loads, how long each round is shown, for how long after it the service
-- starts no other.
CREATE OR REPLACE FUNCTION lottery_rules(OUT rounds integer, OUT loading interval, OUT pace interval, OUT pause interval)
LANGUAGE sql IMMUTABLE AS $$ SELECT 10, interval '1.5 s', interval '0.6 s', interval '30 s' $$;
