-- The rules of the game. The newest row of the table rules applies; every function that needs a rule reads it there.

-- Spells rules as the settings do: the name of a setting, and its value.
CREATE OR REPLACE FUNCTION show_rules(r rules) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object('energy.start', r.starting_energy, 'energy.price', r.game_price,
        'energy.clientUpdates', r.client_updates, 'energy.maximum', r.maximum_energy, 'players.claims', r.claims,
        'players.claimedApp', r.claimed_app, 'purchases.verification', r.verification,
        'purchases.unverifiedDailyLimit', r.unverified_daily_limit,
        'energy.refillAmount', r.refill_amount, 'energy.refillEvery', r.refill_every,
        'energy.refillUpTo', r.refill_up_to, 'energy.dailyReward', r.daily_reward,
        'game.language', r.language, 'game.wordLength', r.letters, 'game.timeZone', r.time_zone)
$$;

-- Reads the rules that hold; the lists that can be dealt from, that of the rules first, with their letters; while the words of days that are
-- kept are of other lists, the first day from which on they are of the rules' list; today's time zone, and, while coming
-- days begin in another one than that of the rules, the first day that begins in that of the rules. Rows are read into variables: a
-- distributed database gives its copies of a table a type of their own.
--
-- Called by: the service, at its start and every ten seconds.
CREATE OR REPLACE FUNCTION read_rules() RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    this_day date := today();
    held rules;
BEGIN
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    RETURN show_rules(held) || jsonb_strip_nulls(jsonb_build_object(
        'lists', (SELECT coalesce(jsonb_agg(jsonb_build_object('language', l.language, 'letters', l.letters,
                'alphabet', l.alphabet)
                ORDER BY (l.language, l.letters) = (held.language, held.letters) DESC, l.language, l.letters), '[]')
            FROM word_lists AS l WHERE bit_count(l.dealable) > 0),
        'listFrom', (SELECT max(d.day) + 1 FROM daily_words AS d WHERE d.day BETWEEN this_day AND last_kept_day()
            AND (d.language, char_length(d.word)) <> (held.language, held.letters)),
        'timeZone', coalesce((SELECT d.time_zone FROM days AS d WHERE d.day = this_day), held.time_zone),
        'timeZoneFrom', (SELECT max(d.day) + 1 FROM days AS d WHERE d.day >= this_day
            AND d.time_zone <> held.time_zone)));
END
$$;
GRANT EXECUTE ON FUNCTION read_rules() TO juliet_service;

-- Lists the rules that hold and all that held before, newest first.
--
-- Called by: operators (juliet rules).
CREATE OR REPLACE FUNCTION list_rules() RETURNS TABLE (held_since timestamptz, who text, held jsonb)
LANGUAGE plpgsql STABLE SET search_path = juliet, pg_temp AS $$
DECLARE
    r rules;
BEGIN
    FOR r IN SELECT * FROM rules ORDER BY since DESC LOOP
        RETURN QUERY SELECT r.since, r.set_by, show_rules(r);
    END LOOP;
END
$$;

-- Applies rules, spelled as show_rules does. Those that are not given stay as they are. If the list to deal from changes,
-- the words of the days that are not kept are chosen again. As long as there are no words at all, any list can be named.
-- Another time zone holds from the first day on that has no row of days: three days after today; at once, as long as no
-- day has one.
--
-- Called by: operators (juliet rules apply, juliet migrate up, juliet dev).
-- Locks: the table words against changes, if the list to deal from is given; the table rules against other changes, and
-- against choose_daily_words; the rows of days and daily_words. Nobody who reads them waits.
-- Answers: the former values of the rules that changed; an empty object when none did.
CREATE OR REPLACE FUNCTION apply_rules(who text, given jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    held rules;
    wanted jsonb;
    former jsonb;
BEGIN
    IF given ?| '{game.language,game.wordLength}' THEN LOCK TABLE words IN SHARE MODE; END IF;
    LOCK TABLE rules IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO STRICT held FROM rules ORDER BY since DESC LIMIT 1;
    wanted := show_rules(held) || given;
    IF (SELECT count(*) FROM jsonb_object_keys(wanted)) IS DISTINCT FROM
        (SELECT count(*) FROM jsonb_object_keys(show_rules(held)))
    THEN
        RAISE 'not all of these are rules: %', given USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT coalesce(jsonb_object_agg(key, value), '{}') INTO former
    FROM jsonb_each(show_rules(held)) WHERE value IS DISTINCT FROM wanted -> key;
    IF former = '{}' THEN RETURN former; END IF;
    IF former ?| '{game.language,game.wordLength}' AND EXISTS (SELECT FROM words) AND NOT EXISTS (
        SELECT FROM word_lists WHERE language = wanted ->> 'game.language'
            AND letters = (wanted ->> 'game.wordLength')::integer AND bit_count(dealable) > 0)
    THEN
        RAISE 'there are no secret words of % letters in "%": import some, or name an existing list: %',
            wanted ->> 'game.wordLength', wanted ->> 'game.language',
            (SELECT coalesce(string_agg(language || ' ' || letters, ', ' ORDER BY language, letters), 'there is none')
            FROM word_lists WHERE bit_count(dealable) > 0)
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF former ? 'game.timeZone' THEN PERFORM check_time_zone(wanted ->> 'game.timeZone'); END IF;
    INSERT INTO rules (since, set_by, starting_energy, game_price, client_updates, maximum_energy, claims,
        claimed_app, verification, unverified_daily_limit, refill_amount, refill_every, refill_up_to, daily_reward,
        language, letters, time_zone)
    VALUES (greatest(clock_timestamp(), next_moment(held.since)), who, (wanted ->> 'energy.start')::integer,
        (wanted ->> 'energy.price')::integer, wanted ->> 'energy.clientUpdates',
        (wanted ->> 'energy.maximum')::integer, wanted ->> 'players.claims', wanted ->> 'players.claimedApp',
        wanted ->> 'purchases.verification',
        (wanted ->> 'purchases.unverifiedDailyLimit')::integer, (wanted ->> 'energy.refillAmount')::integer,
        (wanted ->> 'energy.refillEvery')::integer, (wanted ->> 'energy.refillUpTo')::integer,
        (wanted ->> 'energy.dailyReward')::integer, wanted ->> 'game.language',
        (wanted ->> 'game.wordLength')::integer, wanted ->> 'game.timeZone');
    -- What was bought while there was no limit is in the ledger alone: the next purchase adds it up again.
    IF former ? 'purchases.unverifiedDailyLimit' THEN DELETE FROM unverified_purchases; END IF;
    IF former ?| '{game.language,game.wordLength}' THEN PERFORM choose_days_again(who); END IF;
    PERFORM record_action(who, 'rules.apply', NULL, NULL, NULL, jsonb_build_object('former', former,
        'new', (SELECT jsonb_object_agg(key, wanted -> key) FROM jsonb_object_keys(former) AS key)), NULL, NULL);
    RETURN former;
END
$$;

-- Refuses a time zone that there is not, or in which the last day of the present one would last less than an hour; and
-- writes the days that are still of the present one.
--
-- Called by: apply_rules.
CREATE OR REPLACE FUNCTION check_time_zone(zone text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    last_day juliet.days;
    likely text;
BEGIN
    IF zone IS DISTINCT FROM 'UTC' AND (coalesce(zone, '') NOT LIKE '%/%' OR zone LIKE 'posix/%'
        OR NOT EXISTS (SELECT FROM pg_timezone_names WHERE name = zone))
    THEN
        SELECT string_agg(name, ', ' ORDER BY name) INTO likely FROM (
            SELECT name FROM pg_timezone_names WHERE name LIKE '%/%' AND name NOT LIKE 'posix/%'
                AND lower(replace(split_part(name, '/', -1), '_', ' ')) = lower(replace(split_part(zone, '/', -1), '_', ' '))
            ORDER BY name LIMIT 5) AS names;
        RAISE 'there is no time zone "%": %', zone, coalesce('did you mean ' || likely || '?',
            'use UTC or a name such as Europe/Berlin') USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT EXISTS (SELECT FROM days) THEN RETURN; END IF;
    PERFORM write_days();
    SELECT * INTO last_day FROM days ORDER BY day DESC LIMIT 1;
    IF first_moment(last_day.day + 1, zone) < last_day.starts_at + interval '1 hour' THEN
        RAISE 'with the time zone % the day % would last less than an hour: %', zone, last_day.day,
            'first change to a time zone between the two, and to this one a day later' USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;
