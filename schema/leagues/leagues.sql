-- Leagues and their owners. The owner is the member who joined first, and so follows from the members.
--
-- A change locks the league's row. It does not wait for the lock, because two batches might then deadlock: it refuses
-- with busy, and the service tries again. Joining and creating also lock the player's row of players, so that limits
-- hold and the player is not deleted meanwhile.

-- The owner of a league.
--
-- Called by: show_league, admin_show_league, list_league_members, lock_own_league, remove_member, drop_member,
-- league_records.
CREATE OR REPLACE FUNCTION league_owner(league uuid) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT user_id FROM league_members WHERE league_id = league ORDER BY joined_at, id LIMIT 1);
END
$$;

-- Shows a league as a player sees it.
CREATE OR REPLACE FUNCTION show_league(league uuid, player text) RETURNS league_answer
LANGUAGE plpgsql STABLE AS $$
DECLARE
    answer juliet.league_answer;
BEGIN
    SELECT id, name, invite, created_at INTO answer.id, answer.name, answer.invite, answer.created_at
    FROM leagues WHERE id = league;
    SELECT count(*) INTO answer.members FROM league_members WHERE league_id = league;
    answer.is_owner := coalesce(league_owner(league) = player, false);
    IF NOT answer.is_owner THEN answer.invite := NULL; END IF;
    RETURN answer;
END
$$;

-- Locks a league for a change by one of its members.
--
-- Called by: lock_own_league, remove_member.
-- Locks: the league's row.
-- Answers: NULL, or a refusal: unauthorized, without a player; not-found, when there is no such league or the player is
-- no member; busy.
CREATE OR REPLACE FUNCTION lock_league(league uuid, player text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    PERFORM FROM league_members WHERE league_id = league AND user_id = player;
    IF NOT FOUND THEN RETURN 'not-found'; END IF;
    PERFORM FROM leagues WHERE id = league FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        PERFORM FROM leagues WHERE id = league;
        RETURN CASE WHEN FOUND THEN 'busy' ELSE 'not-found' END;
    END IF;
    -- The player may have left before the lock.
    PERFORM FROM league_members WHERE league_id = league AND user_id = player;
    RETURN CASE WHEN NOT FOUND THEN 'not-found' END;
END
$$;

-- Locks a league for a change by its owner.
--
-- Called by: rename_league, end_league, renew_invite.
-- Locks: the league's row.
-- Answers: NULL, or a refusal: as lock_league; not-owner, to a member who is not the owner.
CREATE OR REPLACE FUNCTION lock_own_league(league uuid, player text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    refusal text := lock_league(league, player);
BEGIN
    IF refusal IS NULL AND league_owner(league) <> player THEN RETURN 'not-owner'; END IF;
    RETURN refusal;
END
$$;

-- Gives a league another invite; the old one stops working.
--
-- Called by: renew_invite, drop_member. They hold the league's row.
CREATE OR REPLACE FUNCTION change_invite(league uuid) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    code text;
BEGIN
    LOOP
        code := new_share_code();
        PERFORM FROM leagues WHERE invite = code;
        EXIT WHEN NOT FOUND;
    END LOOP;
    UPDATE leagues SET invite = code WHERE id = league;
    RETURN code;
END
$$;

-- Creates a league. The answer kept under an operation's name is the league as it was created.
--
-- Called by: the service (POST /v2/leagues).
-- Locks: the player's row of players; with an operation, the player's row of users.
-- Refuses: unauthorized, operation-reused, name-refused, too-many.
CREATE OR REPLACE FUNCTION create_league(
    token bytea, given_name text, operation text, request bigint
) RETURNS league_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    new_name text := CASE WHEN player IS NOT NULL THEN public_text(given_name, 40) END;
    moment timestamptz;
    answer league_answer;
BEGIN
    IF NOT hold_player(player) THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF operation IS NOT NULL THEN
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
        answer := first_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
    ELSIF (SELECT count(*) FROM league_members WHERE user_id = player) >= maximum_leagues() THEN
        answer.refusal := 'too-many';
    ELSE
        moment := clock_timestamp();
        answer.id := gen_random_uuid();
        INSERT INTO leagues (id, name, invite, created_at) VALUES (answer.id, new_name, new_share_code(), moment);
        INSERT INTO league_members (league_id, id, user_id, joined_at)
        VALUES (answer.id, gen_random_uuid(), player, moment);
        answer := show_league(answer.id, player);
    END IF;
    PERFORM keep_answer(player, operation, request, 'create_league', answer.refusal, NULL,
        CASE WHEN answer.refusal IS NULL THEN jsonb_strip_nulls(to_jsonb(answer)) END);
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION create_league(bytea, text, text, bigint) TO juliet_service;

-- Lists the player's leagues, in the order in which they joined them.
--
-- Called by: the service (GET /v2/leagues).
-- Answers: a first row that has the refusal or NULL, then a row a league. Refuses: unauthorized.
CREATE OR REPLACE FUNCTION list_leagues(token bytea) RETURNS SETOF league_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    league uuid;
    answer league_answer;
BEGIN
    IF player IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN NEXT answer;
    FOR league IN SELECT league_id FROM league_members WHERE user_id = player ORDER BY joined_at, league_id LOOP
        RETURN NEXT show_league(league, player);
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION list_leagues(bytea) TO juliet_service;

-- Reads one of the player's leagues.
--
-- Called by: the service (GET /v2/leagues/{id}).
-- Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_league(token bytea, league uuid) RETURNS league_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer league_answer;
BEGIN
    PERFORM FROM league_members WHERE league_id = league AND user_id = player;
    IF FOUND THEN RETURN show_league(league, player); END IF;
    answer.refusal := CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_league(bytea, uuid) TO juliet_service;

-- Gives a league another name; NULL changes nothing.
--
-- Called by: the service (PATCH /v2/leagues/{id}).
-- Locks: the league's row.
-- Refuses: unauthorized, not-found, not-owner, name-refused, busy.
CREATE OR REPLACE FUNCTION rename_league(token bytea, league uuid, given_name text) RETURNS league_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    new_name text := CASE WHEN player IS NOT NULL THEN public_text(given_name, 40) END;
    answer league_answer;
BEGIN
    answer.refusal := lock_own_league(league, player);
    IF answer.refusal IS NULL AND given_name IS NOT NULL AND new_name IS NULL THEN
        answer.refusal := 'name-refused';
    END IF;
    IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    UPDATE leagues SET name = new_name WHERE id = league AND given_name IS NOT NULL;
    RETURN show_league(league, player);
END
$$;
GRANT EXECUTE ON FUNCTION rename_league(bytea, uuid, text) TO juliet_service;

-- Ends a league, for all its members.
--
-- Called by: the service (DELETE /v2/leagues/{id}).
-- Locks: the league's row.
-- Answers: NULL, or a refusal: unauthorized, not-found, not-owner, busy.
CREATE OR REPLACE FUNCTION end_league(token bytea, league uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    refusal text := lock_own_league(league, session_player(token));
BEGIN
    IF refusal IS NOT NULL THEN RETURN refusal; END IF;
    DELETE FROM leagues WHERE id = league;
    RETURN NULL;
END
$$;
GRANT EXECUTE ON FUNCTION end_league(bytea, uuid) TO juliet_service;

-- Makes a new invite for a league; the old one stops working.
--
-- Called by: the service (POST /v2/leagues/{id}/invite).
-- Locks: the league's row.
-- Answers: the league with its new invite. Refuses: unauthorized, not-found, not-owner, busy.
CREATE OR REPLACE FUNCTION renew_invite(token bytea, league uuid) RETURNS league_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer league_answer;
BEGIN
    answer.refusal := lock_own_league(league, player);
    IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    PERFORM change_invite(league);
    RETURN show_league(league, player);
END
$$;
GRANT EXECUTE ON FUNCTION renew_invite(bytea, uuid) TO juliet_service;

-- Reads the name of the league that an invite is for, and how many members it has. token NULL: without a player;
-- code NULL: the text was not a code.
--
-- Called by: the service (GET /v2/invites/{code}).
-- Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_invite(token bytea, code text) RETURNS league_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer league_answer;
BEGIN
    IF token IS NOT NULL AND session_player(token) IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT id INTO answer.id FROM leagues WHERE invite = code;
    IF FOUND THEN RETURN show_league(answer.id, NULL); END IF;
    RETURN with_refusal(answer, 'not-found');
END
$$;
GRANT EXECUTE ON FUNCTION read_invite(bytea, text) TO juliet_service;
