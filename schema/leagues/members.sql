-- The members of leagues: how they come and go.

-- Lets a player join the league that an invite is for. code NULL: the text was not a code.
--
-- Called by: the service (POST /v2/leagues/join).
-- Locks: the player's row of players, the league's row.
-- Answers: the league, also if the player is a member already. Refuses: unauthorized, not-found, too-many,
-- league-full, busy.
CREATE OR REPLACE FUNCTION join_league(token bytea, code text) RETURNS league_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    league uuid;
    last_joined_at timestamptz;
    members bigint;
    answer league_answer;
BEGIN
    IF NOT hold_player(player) THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT id INTO league FROM leagues WHERE invite = code;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'not-found'); END IF;
    PERFORM FROM league_members WHERE league_id = league AND user_id = player;
    IF FOUND THEN RETURN show_league(league, player); END IF;
    IF (SELECT count(*) FROM league_members WHERE user_id = player) >= maximum_leagues() THEN
        RETURN with_refusal(answer, 'too-many');
    END IF;
    PERFORM FROM leagues WHERE id = league AND invite = code FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        PERFORM FROM leagues WHERE invite = code;
        answer.refusal := CASE WHEN FOUND THEN 'busy' ELSE 'not-found' END;
        RETURN answer;
    END IF;
    SELECT count(*), max(joined_at) INTO members, last_joined_at FROM league_members WHERE league_id = league;
    IF members >= maximum_league_members() THEN RETURN with_refusal(answer, 'league-full'); END IF;
    INSERT INTO league_members (league_id, id, user_id, joined_at)
    VALUES (league, gen_random_uuid(), player, greatest(clock_timestamp(), next_moment(last_joined_at)));
    RETURN show_league(league, player);
END
$$;
GRANT EXECUTE ON FUNCTION join_league(bytea, text) TO juliet_service;

-- Lists the members of one of the player's leagues, in the order in which they joined.
--
-- Called by: the service (GET /v2/leagues/{id}/members).
-- Answers: a first row that has the refusal or NULL, then a row a member. Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION list_league_members(token bytea, league uuid) RETURNS SETOF league_member_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    owner text := league_owner(league);
    names text[];
    answer league_member_answer;
BEGIN
    IF player IS NULL THEN
        answer.refusal := 'unauthorized';
    ELSE
        PERFORM FROM league_members WHERE league_id = league AND user_id = player;
        IF NOT FOUND THEN answer.refusal := 'not-found'; END IF;
    END IF;
    RETURN NEXT answer;
    IF answer.refusal IS NOT NULL THEN RETURN; END IF;
    names := ARRAY(SELECT user_id FROM league_members WHERE league_id = league);
    RETURN QUERY
        WITH called AS MATERIALIZED (SELECT user_id, players.name FROM players WHERE user_id = ANY (names))
        SELECT NULL::text, members.id, called.name, members.user_id = owner, members.user_id = player, joined_at
        FROM league_members AS members JOIN called ON called.user_id = members.user_id
        WHERE league_id = league ORDER BY joined_at, members.id;
END
$$;
GRANT EXECUTE ON FUNCTION list_league_members(bytea, uuid) TO juliet_service;

-- Removes a member from a league. member NULL: the calling player.
--
-- Called by: the service (DELETE /v2/leagues/{id}/members/{member}).
-- Locks: the league's row.
-- Answers: NULL, or a refusal: unauthorized, not-found, not-owner, busy.
CREATE OR REPLACE FUNCTION remove_member(token bytea, league uuid, member uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    refusal text := lock_league(league, player);
    leaver text;
BEGIN
    IF refusal IS NOT NULL THEN RETURN refusal; END IF;
    SELECT user_id INTO leaver FROM league_members
    WHERE league_id = league AND CASE WHEN member IS NULL THEN user_id = player ELSE id = member END;
    IF NOT FOUND THEN RETURN 'not-found'; END IF;
    IF leaver <> player AND league_owner(league) <> player THEN RETURN 'not-owner'; END IF;
    PERFORM drop_member(league, leaver, leaver <> player);
    RETURN NULL;
END
$$;
GRANT EXECUTE ON FUNCTION remove_member(bytea, uuid, uuid) TO juliet_service;

-- Removes a player from a league. With its last member a league ends. If its owner leaves, or somebody is removed, it
-- gets a new invite, because they know the old one.
--
-- Called by: remove_member, leave_leagues. They hold the league's row.
CREATE OR REPLACE FUNCTION drop_member(league uuid, leaver text, is_removed boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    former_owner text := league_owner(league);
    next_owner text;
BEGIN
    DELETE FROM league_members WHERE league_id = league AND user_id = leaver;
    next_owner := league_owner(league);
    IF next_owner IS NULL THEN
        DELETE FROM leagues WHERE id = league;
    ELSIF is_removed OR next_owner <> former_owner THEN
        PERFORM change_invite(league);
    END IF;
END
$$;

-- Removes a player from all leagues.
--
-- Called by: delete_user, which holds the player's row of players and the rows of the leagues.
CREATE OR REPLACE FUNCTION leave_leagues(player text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    league uuid;
BEGIN
    FOR league IN SELECT league_id FROM league_members WHERE user_id = player ORDER BY league_id LOOP
        PERFORM drop_member(league, player, false);
    END LOOP;
END
$$;

-- Reads what is kept about a player in leagues, in the order in which they joined them.
--
-- Called by: player_records.
CREATE OR REPLACE FUNCTION league_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT coalesce(jsonb_agg(jsonb_build_object('id', leagues.id, 'name', name,
        'isOwner', league_owner(leagues.id) = player, 'member', members.id, 'joinedAt', show_time(joined_at))
        ORDER BY joined_at, leagues.id), '[]')
        FROM league_members AS members JOIN leagues ON leagues.id = league_id WHERE user_id = player);
END
$$;

-- Combines the memberships of two players. In a league of both, the player's membership stays, from the earlier
-- moment on, so that an owner stays the owner.
--
-- Called by: take_over, which holds both players and the rows of their leagues.
CREATE OR REPLACE FUNCTION merge_memberships(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    membership record;
BEGIN
    FOR membership IN SELECT league_id, joined_at FROM league_members
        WHERE user_id = other AND league_id IN (SELECT league_id FROM league_members WHERE user_id = player)
    LOOP
        DELETE FROM league_members WHERE user_id = other AND league_id = membership.league_id;
        UPDATE league_members SET joined_at = membership.joined_at
        WHERE user_id = player AND league_id = membership.league_id AND joined_at > membership.joined_at;
    END LOOP;
    UPDATE league_members SET user_id = player WHERE user_id = other;
END
$$;
