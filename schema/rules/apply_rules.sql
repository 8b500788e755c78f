-- The rules of the game. The newest row of the table rules applies; every function that needs a rule reads it there.

-- Spells rules as the settings do: the name of a setting, and its value.
CREATE OR REPLACE FUNCTION show_rules(r rules) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object('energy.start', r.starting_energy, 'energy.price', r.game_price,
        'energy.clientUpdates', r.client_updates, 'energy.maximum', r.maximum_energy, 'players.claims', r.claims,
        'players.claimedApp', r.claimed_app, 'purchases.verification', r.verification,
        'purchases.unverifiedDailyLimit', r.unverified_daily_limit,
        'energy.refillAmount', r.refill_amount, 'energy.refillEvery', r.refill_every,
        'energy.refillUpTo', r.refill_up_to, 'energy.dailyReward', r.daily_reward)
$$;

-- Reads the rules that hold. Rows are read into variables: a distributed database gives its copies of a table a type of
-- their own.
--
-- Called by: the service, at its start and every ten seconds.
CREATE OR REPLACE FUNCTION read_rules() RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    held rules;
BEGIN
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    RETURN show_rules(held);
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

-- Applies rules, spelled as show_rules does. Those that are not given stay as they are.
--
-- Called by: operators (juliet rules apply, juliet migrate up, juliet dev).
-- Locks: the table rules against other changes. Nobody who reads it waits.
-- Answers: the former values of the rules that changed; an empty object when none did.
CREATE OR REPLACE FUNCTION apply_rules(who text, given jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    held rules;
    wanted jsonb;
    former jsonb;
BEGIN
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
    INSERT INTO rules (since, set_by, starting_energy, game_price, client_updates, maximum_energy, claims,
        claimed_app, verification, unverified_daily_limit, refill_amount, refill_every, refill_up_to, daily_reward)
    VALUES (greatest(clock_timestamp(), next_moment(held.since)), who, (wanted ->> 'energy.start')::integer,
        (wanted ->> 'energy.price')::integer, wanted ->> 'energy.clientUpdates',
        (wanted ->> 'energy.maximum')::integer, wanted ->> 'players.claims', wanted ->> 'players.claimedApp',
        wanted ->> 'purchases.verification',
        (wanted ->> 'purchases.unverifiedDailyLimit')::integer, (wanted ->> 'energy.refillAmount')::integer,
        (wanted ->> 'energy.refillEvery')::integer, (wanted ->> 'energy.refillUpTo')::integer,
        (wanted ->> 'energy.dailyReward')::integer);
    -- What was bought while there was no limit is in the ledger alone: the next purchase adds it up again.
    IF former ? 'purchases.unverifiedDailyLimit' THEN DELETE FROM unverified_purchases; END IF;
    PERFORM record_action(who, 'rules.apply', NULL, NULL, NULL, jsonb_build_object('former', former,
        'new', (SELECT jsonb_object_agg(key, wanted -> key) FROM jsonb_object_keys(former) AS key)), NULL, NULL);
    RETURN former;
END
$$;
