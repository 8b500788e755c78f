-- What operators see of leagues and challenges, and how they end one that is abused.

-- Shows a league: its name and owner.
--
-- Called by: admin_together, admin_league.
CREATE OR REPLACE FUNCTION admin_show_league(league leagues) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    owner text := juliet.league_owner(league.id);
BEGIN
    RETURN jsonb_strip_nulls(jsonb_build_object('id', league.id, 'name', league.name,
        'members', (SELECT count(*) FROM juliet.league_members WHERE league_id = league.id), 'owner', owner,
        'ownerName', (SELECT name FROM juliet.players WHERE user_id = owner),
        'createdAt', juliet.show_time(league.created_at)));
END
$$;

-- Shows a challenge, without its word.
--
-- Called by: admin_together.
CREATE OR REPLACE FUNCTION admin_show_challenge(challenge challenges) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN jsonb_strip_nulls(jsonb_build_object('code', juliet.show_share_code(challenge.code),
        'state', CASE WHEN challenge.deleted_at IS NOT NULL THEN 'deleted' WHEN challenge.ends_at > now() THEN 'open'
            ELSE 'over' END,
        'maker', challenge.maker, 'makerName', (SELECT name FROM juliet.players WHERE user_id = challenge.maker),
        'isOwnWord', challenge.is_own_word, 'isAnyWord', nullif(challenge.is_any_word, false), 'hint', challenge.hint,
        'isHard', challenge.is_hard, 'players', challenge.players,
        'createdAt', juliet.show_time(challenge.created_at), 'endsAt', juliet.show_time(challenge.ends_at)));
END
$$;

-- Finds leagues by id, by invite, by a part of the name in any letter case, or by a member's id; challenges by code or
-- by the maker's id. wanted NULL: the newest. code: wanted as a code, NULL when it is none.
--
-- Called by: the service (the admin page).
-- Answers: at most as many of each as asked for, newest first, and whether there are more.
CREATE OR REPLACE FUNCTION admin_together(session bytea, wanted text, code text, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    found_leagues jsonb;
    found_challenges jsonb;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    SELECT coalesce(jsonb_agg(admin_show_league(league) ORDER BY (league).created_at DESC, (league).id), '[]')
    INTO found_leagues FROM (
        SELECT leagues AS league FROM leagues
        WHERE wanted IS NULL OR id::text = lower(wanted) OR invite = admin_together.code
            OR position(folded_name(normalize(wanted, NFC)) IN folded_name(name)) > 0
            OR id IN (SELECT league_id FROM league_members WHERE user_id = wanted)
        ORDER BY created_at DESC, id LIMIT most + 1) AS newest;
    SELECT coalesce(jsonb_agg(admin_show_challenge(challenge)
        ORDER BY (challenge).created_at DESC, (challenge).code), '[]')
    INTO found_challenges FROM (
        SELECT challenges AS challenge FROM challenges
        WHERE wanted IS NULL OR challenges.code = admin_together.code OR maker = wanted
        ORDER BY created_at DESC, challenges.code LIMIT most + 1) AS newest;
    RETURN ROW(NULL, jsonb_build_object('leagues', found_leagues - most, 'challenges', found_challenges - most,
        'hasMore', greatest(jsonb_array_length(found_leagues), jsonb_array_length(found_challenges)) > most
        )::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_together(bytea, text, text, integer) TO juliet_service;

-- Reads a league and its members, the longest first.
--
-- Called by: the service (the admin page).
-- Refuses: not-found.
CREATE OR REPLACE FUNCTION admin_league(session bytea, league uuid) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    l leagues;
    names text[] := ARRAY(SELECT user_id FROM league_members WHERE league_id = league);
    listed jsonb;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    SELECT * INTO l FROM leagues WHERE id = league;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    WITH called AS MATERIALIZED (SELECT user_id, name FROM players WHERE user_id = ANY (names))
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('player', members.user_id, 'name', called.name,
        'joinedAt', show_time(joined_at))) ORDER BY joined_at, members.id)
    INTO listed FROM league_members AS members LEFT JOIN called ON called.user_id = members.user_id
    WHERE league_id = league;
    RETURN ROW(NULL, (admin_show_league(l) || jsonb_build_object('list', coalesce(listed, '[]')))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_league(bytea, uuid) TO juliet_service;

-- Ends a league for all its members, or a challenge as its maker would delete it, once under a name. One of league and
-- code is NULL.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed; the league's row, or the challenge.
-- Answers: isReplay: it was done under this name before. Refuses: not-found, operation-reused.
CREATE OR REPLACE FUNCTION admin_end(session bytea, league uuid, code text, why text, operation text, request bigint)
RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'support');
    answer admin_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    answer := begin_deed(NULL, why, operation, request);
    IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    IF NOT answer IS NULL THEN RETURN ROW(NULL, '{"isReplay": true}')::admin_answer; END IF;
    IF (CASE WHEN code IS NULL THEN close_league(who, league, why, operation, request)
        ELSE end_challenge(who, code, why, operation, request) END)
    THEN RETURN ROW(NULL, '{"isReplay": false}')::admin_answer; END IF;
    RETURN admin_refusal('not-found');
END
$$;
GRANT EXECUTE ON FUNCTION admin_end(bytea, uuid, text, text, text, bigint) TO juliet_service;

-- Takes the hint of a challenge away, once under a name.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed; the challenge, then its games.
-- Answers: isChanged: it had a hint; isReplay: it was done under this name before. Refuses: not-found, operation-reused.
CREATE OR REPLACE FUNCTION admin_hide_hint(session bytea, code text, why text, operation text, request bigint)
RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'support');
    is_changed boolean;
    answer admin_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    answer := begin_deed(NULL, why, operation, request);
    IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    IF NOT answer IS NULL THEN RETURN ROW(NULL, '{"isChanged": true, "isReplay": true}')::admin_answer; END IF;
    is_changed := hide_hint(who, code, why, operation, request);
    IF is_changed IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, jsonb_build_object('isChanged', is_changed, 'isReplay', false)::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_hide_hint(bytea, text, text, text, bigint) TO juliet_service;
