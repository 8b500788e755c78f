-- How operators find a player.

-- Finds players: by an id, their own or that of one who was merged into them; an account of the app; a transaction of
-- the App Store; a game; a challenge, for its maker; and by any part of the name, in any letter case, without accents.
-- wanted '': all players, the newest first. code, game: wanted as one of these; NULL if it is not one. after: the cursor
-- of the page before; NULL: the first page, and only this has players that are found by anything but the name. For a
-- deleted player it has what operators had done.
--
-- First come names that begin with the text, in their order: a range of an index. Then those that have it elsewhere, by
-- players' ids; for fewer than three characters none. Up to a thousand are found by the parts of three characters. If
-- there are more, many names have it: 20,000 rows are read in the order of ids, and the page ends there. Of 1,000,000
-- names the index of parts takes 23 MB and a new name 50 µs; a page takes 2 to 15 ms where up to a thousand names have
-- the text, else 0.5 s at most (two cores, loaded).
--
-- Called by: the service (the admin page).
-- Answers: players, at most as many as asked for, and the cursor of the next page, which may be short or empty.
CREATE OR REPLACE FUNCTION admin_find(session bytea, wanted text, code text, game uuid, after text, most integer)
RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    hits jsonb := '[]';
    ids text[];
    found jsonb;
    former jsonb;
    page record;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    IF after IS NULL AND wanted <> '' THEN
        hits := find_exactly(wanted, code, game);
        SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('on', done_on, 'actor', actor, 'action', action,
            'reason', reason)) ORDER BY done_on DESC, action)
        INTO former FROM former_actions WHERE player = sha256(convert_to(wanted, 'UTF8'));
    END IF;
    IF wanted = '' THEN
        SELECT * INTO page FROM find_newest(after, most);
    ELSE
        SELECT * INTO page FROM find_by_name(wanted, after, most);
    END IF;
    hits := hits || page.hits;
    ids := ARRAY(SELECT hit ->> 'id' FROM jsonb_array_elements(hits) AS given (hit));
    WITH known AS MATERIALIZED (
        SELECT id, name, energy, created_at FROM users LEFT JOIN players ON user_id = id WHERE id = ANY (ids)),
    -- Whoever is found in several ways is listed once, as found first.
    listed AS (
        SELECT DISTINCT ON (hit -> 'id') hit, place
        FROM jsonb_array_elements(hits) WITH ORDINALITY AS given (hit, place) ORDER BY hit -> 'id', place)
    SELECT coalesce(jsonb_agg(hit || jsonb_strip_nulls(jsonb_build_object('name', name, 'energy', energy,
        'createdAt', show_time(created_at))) ORDER BY place), '[]')
    INTO found FROM listed JOIN known ON id = hit ->> 'id';
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('players', found, 'former', former,
        'next', page.next))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_find(bytea, text, text, uuid, text, integer) TO juliet_service;

-- Finds players by unique values. A game's id has the time at which it began, which leads to few blocks of games.
--
-- Called by: admin_find.
-- Answers: an array of id and matched: id, account, merged, transaction, game, challenge.
CREATE OR REPLACE FUNCTION find_exactly(wanted text, code text, game uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    hits jsonb := '[]';
    began timestamptz;
BEGIN
    PERFORM FROM users WHERE id = wanted;
    IF FOUND THEN hits := hits || jsonb_build_object('id', wanted, 'matched', 'id'); END IF;
    hits := hits || (SELECT coalesce(jsonb_agg(jsonb_build_object('id', user_id, 'matched', 'account')), '[]')
        FROM claims WHERE account_id = wanted);
    hits := hits || (SELECT coalesce(jsonb_agg(jsonb_build_object('id', holder, 'matched', 'merged')), '[]')
        FROM merges WHERE user_id = wanted);
    hits := hits || (SELECT coalesce(jsonb_agg(jsonb_build_object('id', user_id, 'matched', 'transaction')
            ORDER BY environment), '[]')
        FROM purchases WHERE environment IN ('Production', 'Sandbox') AND transaction_id = wanted);
    hits := hits || (SELECT coalesce(jsonb_agg(jsonb_build_object('id', maker, 'matched', 'challenge')), '[]')
        FROM challenges WHERE challenges.code = find_exactly.code);
    IF game IS NOT NULL THEN
        began := to_timestamp(('x' || left(replace(game::text, '-', ''), 12))::bit(48)::bigint / 1000.0);
        hits := hits || (SELECT coalesce(jsonb_agg(jsonb_build_object('id', user_id, 'matched', 'game')), '[]')
            FROM judged_games WHERE id = game
                AND started_at BETWEEN began - interval '1 minute' AND began + interval '1 minute');
    END IF;
    RETURN hits;
END
$$;

-- Finds all players, the newest first. after: the end of the page before: "n/", the microseconds since 1970 and the id. A
-- page is a range of an index: of 100,000 players it takes 2 ms (50 ms without the index, whose size is 7 MB).
--
-- Called by: admin_find.
-- Answers: hits, an array of id; next: NULL when there are no more.
CREATE OR REPLACE FUNCTION find_newest(after text, most integer, OUT hits jsonb, OUT next text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    after_time timestamptz := 'epoch'::timestamptz + interval '1 microsecond'
        * CASE WHEN after LIKE 'n/%' THEN split_part(after, '/', 2)::bigint END;
    after_id text := substr(after, strpos(substr(after, 3), '/') + 3);
    p record;
BEGIN
    hits := '[]';
    FOR p IN SELECT id, created_at FROM users
        WHERE (created_at, id) < (coalesce(after_time, 'infinity'), coalesce(after_id, ''))
        ORDER BY created_at DESC, id DESC LIMIT most + 1
    LOOP
        IF jsonb_array_length(hits) = most THEN RETURN; END IF;
        hits := hits || jsonb_build_object('id', p.id);
        next := 'n/' || (extract(epoch FROM p.created_at) * 1000000)::bigint || '/' || p.id;
    END LOOP;
    next := NULL;
END
$$;

-- Finds players by a part of their names, as admin_find says. after: the end of the page before: "b/", the name and
-- the id where names begin with the text; "c/" and the id after that.
--
-- Called by: admin_find.
-- Answers: hits, an array of id and matched (name); next: NULL when there are no more.
CREATE OR REPLACE FUNCTION find_by_name(wanted text, after text, most integer, OUT hits jsonb, OUT next text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    bare bytea := bare_name(wanted);
    parts bytea[];
    begins boolean := after IS NULL OR after LIKE 'b/%';
    after_name bytea := decode(CASE WHEN after LIKE 'b/%' THEN split_part(after, '/', 2) END, 'hex');
    after_id text := CASE WHEN after LIKE 'b/%' THEN substr(after, strpos(substr(after, 3), '/') + 3)
        ELSE substr(after, 3) END;
    few text[];
    read_rows integer := 0;
    candidates refcursor;
    p record;
BEGIN
    hits := '[]';
    -- No name is so long, and the time that name_parts takes grows with the square of the length.
    IF char_length(wanted) > 500 THEN RETURN; END IF;
    parts := name_parts(wanted);
    IF begins THEN
        FOR p IN SELECT user_id, bare_name(name) AS its_name FROM players
            WHERE (bare_name(name), user_id) > (coalesce(after_name, bare), coalesce(after_id, ''))
                AND bare_name(name) < bare || decode('ff', 'hex')
            ORDER BY bare_name(name), user_id LIMIT most + 1
        LOOP
            IF jsonb_array_length(hits) = most THEN RETURN; END IF;
            hits := hits || jsonb_build_object('id', p.user_id, 'matched', 'name');
            next := 'b/' || encode(p.its_name, 'hex') || '/' || p.user_id;
        END LOOP;
        next := NULL;
        after_id := '';
    END IF;
    IF cardinality(parts) = 0 THEN RETURN; END IF;
    few := ARRAY(SELECT user_id FROM players WHERE name_parts(name) @> parts LIMIT 1001);
    IF cardinality(few) <= 1000 THEN
        OPEN candidates FOR SELECT user_id, bare_name(name) AS its_name FROM players
            WHERE user_id = ANY (few) AND user_id > after_id ORDER BY user_id;
    ELSE
        OPEN candidates FOR SELECT user_id, bare_name(name) AS its_name FROM players
            WHERE user_id > after_id ORDER BY user_id LIMIT 20001;
    END IF;
    LOOP
        FETCH candidates INTO p;
        EXIT WHEN NOT FOUND;
        IF jsonb_array_length(hits) = most OR read_rows = 20000 THEN
            next := 'c/' || after_id;
            EXIT;
        END IF;
        read_rows := read_rows + 1;
        after_id := p.user_id;
        -- Those that begin with it are told already.
        IF position(bare IN p.its_name) > 1 THEN
            hits := hits || jsonb_build_object('id', p.user_id, 'matched', 'name');
        END IF;
    END LOOP;
    CLOSE candidates;
END
$$;
