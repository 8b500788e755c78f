-- Operators' changes of names: a new name for a player, a hidden name, and parts that no name may have.

-- Gives a player another name, hides the one they have behind a made one, or shows it again, once under a name. change:
-- rename, hide, show; given_name: for rename. A hidden name is kept until the player has another name; the trail
-- keeps no names.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed; then the player's row of players.
-- Answers: name, hiddenName; isReplay: it was done under this name before. Refuses: not-found (a player of the app has
-- no name), name-refused, name-unchanged (it is so already), operation-reused.
CREATE OR REPLACE FUNCTION admin_change_name(
    session bytea, player text, change text, given_name text, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_may(session, 'support');
    p players;
    earlier admin_answer;
    new_name text;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    IF (change IN ('rename', 'hide', 'show')) IS NOT TRUE THEN
        RAISE 'a name can be changed, hidden or shown' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    earlier := begin_deed(player, why, operation, request);
    IF earlier.refusal IS NOT NULL THEN RETURN earlier; END IF;
    SELECT * INTO p FROM players WHERE user_id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    IF earlier IS NULL THEN
        new_name := CASE change WHEN 'hide' THEN made_name() WHEN 'show' THEN p.hidden_name
            ELSE player_name(given_name) END;
        IF change = 'hide' AND p.hidden_name IS NOT NULL OR change = 'show' AND p.hidden_name IS NULL
            OR new_name = p.name
        THEN RETURN admin_refusal('name-unchanged'); END IF;
        IF change = 'show' THEN new_name := player_name(new_name); END IF;
        IF new_name IS NULL THEN RETURN admin_refusal('name-refused'); END IF;
        p.hidden_name := CASE change WHEN 'hide' THEN p.name END;
        p.name := new_name;
        UPDATE players SET name = p.name, hidden_name = p.hidden_name WHERE user_id = player;
        PERFORM note_lottery_name(player);
        PERFORM record_action(who, 'name.' || change, player, NULL, why, NULL, operation, request);
    END IF;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('name', p.name, 'hiddenName', p.hidden_name,
        'isReplay', NOT earlier IS NULL))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_change_name(bytea, text, text, text, text, text, bigint) TO juliet_service;

-- Makes a neutral name for a player without a name or with a hidden one. It is not compared with refused texts.
--
-- Called by: create_player, admin_change_name.
CREATE OR REPLACE FUNCTION made_name() RETURNS text
LANGUAGE plpgsql AS $$ BEGIN RETURN 'Player ' || 1000 + random_below(9000); END $$;

-- Calls change_part, once under a name.
--
-- Called by: the service (the admin page).
-- Answers: isReplay: it was done under this name before. Refuses: part-refused, name-unchanged, operation-reused.
CREATE OR REPLACE FUNCTION admin_change_part(
    session bytea, spelled text, is_refused boolean, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_may(session, 'support');
    answer admin_answer;
    is_changed boolean;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    answer := begin_deed(NULL, why, operation, request);
    IF NOT answer IS NULL THEN RETURN answer; END IF;
    is_changed := change_part(who, spelled, is_refused, why, operation, request);
    IF is_changed THEN RETURN ROW(NULL, '{"isReplay": false}')::admin_answer; END IF;
    RETURN admin_refusal(CASE WHEN is_changed IS NULL THEN 'part-refused' ELSE 'name-unchanged' END);
END
$$;
GRANT EXECUTE ON FUNCTION admin_change_part(bytea, text, boolean, text, text, bigint) TO juliet_service;

-- Lists the refused parts after a part, in the order in which names are searched: those of operators, then those of the
-- release.
--
-- Called by: the service (the admin page).
-- Answers: parts; next: the part after which the next page begins.
CREATE OR REPLACE FUNCTION admin_parts(session bytea, after text, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    parts text[];
    bare_after bytea := bare_name(coalesce(after, ''));
    is_after_carried boolean;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    is_after_carried := EXISTS (SELECT FROM refused_names WHERE bare = bare_after AND is_carried);
    parts := ARRAY(SELECT part FROM refused_names
        WHERE NOT is_allowed AND (is_carried, bare) > (is_after_carried, bare_after)
        ORDER BY is_carried, bare LIMIT most + 1);
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('parts', parts[:most],
        'next', CASE WHEN cardinality(parts) > most THEN parts[most] END))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_parts(bytea, text, integer) TO juliet_service;
