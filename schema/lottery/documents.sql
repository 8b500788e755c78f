-- What is read of participants.

-- The name of a participant, as rounds show it.
CREATE OR REPLACE FUNCTION lottery_name(p lottery_participants) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce(p.name, (SELECT name FROM juliet.players WHERE user_id = p.user_id), 'Player ' || p.number);
END
$$;

-- The document of all users, in JSON, by their numbers: in parts of a thousand, each with the version of the whole.
--
-- Called by: the service (GET /API/SimpleLottery/users.json); lottery_users.
CREATE OR REPLACE FUNCTION lottery_users_parts() RETURNS TABLE (version bigint, part text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    WITH listed AS (
        SELECT number, '{"userId": ' || number
            || ', "name": ' || to_json(coalesce(p.name, players.name, 'Player ' || number))
            || ', "username": ' || to_json(coalesce(username, 'player' || number))
            || ', "regDate": ' || to_json(registered_on) || '}' AS item,
            (row_number() OVER (ORDER BY number) + 999) / 1000 AS place
        FROM lottery_participants AS p LEFT JOIN players USING (user_id) WHERE is_listed),
    parts AS (
        SELECT 0 AS place, '{"items": [' AS part
        UNION ALL
        SELECT place, CASE WHEN place > 1 THEN ', ' ELSE '' END || string_agg(item, ', ' ORDER BY number)
        FROM listed GROUP BY place
        UNION ALL
        SELECT NULL, ']}')
    SELECT lottery_version(), part FROM parts ORDER BY place NULLS LAST
$$;
GRANT EXECUTE ON FUNCTION lottery_users_parts() TO juliet_service;

-- The same as one text.
--
-- Called by: operators (juliet lottery show).
CREATE OR REPLACE FUNCTION lottery_users() RETURNS text
LANGUAGE sql STABLE SET search_path = juliet, pg_temp AS $$
    SELECT string_agg(part, '' ORDER BY place)
    FROM lottery_users_parts() WITH ORDINALITY AS parts (version, part, place)
$$;

-- The document of those who take part, in JSON, in the order of the list: in parts, as lottery_users_parts.
--
-- Called by: the service (GET /API/SimpleLottery/usersInLottery.json); lottery_list.
CREATE OR REPLACE FUNCTION lottery_list_parts() RETURNS TABLE (version bigint, part text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    WITH listed AS (
        SELECT place AS number, '{"userId": ' || participant || ', "void": ' || is_void || '}' AS item,
            (row_number() OVER (ORDER BY place) + 999) / 1000 AS place
        FROM lottery_entries),
    parts AS (
        SELECT 0 AS place, '{"lotteryList": [' AS part
        UNION ALL
        SELECT place, CASE WHEN place > 1 THEN ', ' ELSE '' END || string_agg(item, ', ' ORDER BY number)
        FROM listed GROUP BY place
        UNION ALL
        SELECT NULL, ']}')
    SELECT lottery_version(), part FROM parts ORDER BY place NULLS LAST
$$;
GRANT EXECUTE ON FUNCTION lottery_list_parts() TO juliet_service;

-- The same as one text.
--
-- Called by: operators (juliet lottery show).
CREATE OR REPLACE FUNCTION lottery_list() RETURNS text
LANGUAGE sql STABLE SET search_path = juliet, pg_temp AS $$
    SELECT string_agg(part, '' ORDER BY place)
    FROM lottery_list_parts() WITH ORDINALITY AS parts (version, part, place)
$$;

-- Reads what is kept about a player in the lottery; NULL: nothing. A draw that is still being shown is not won yet.
--
-- Called by: all_records; operators (juliet users export).
CREATE OR REPLACE FUNCTION lottery_records(player text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = juliet, pg_temp AS $$
    SELECT jsonb_build_object('number', number, 'takesPart', participant IS NOT NULL,
        'isVoid', coalesce(is_void, false), 'won', (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'draw', d.number, 'at', juliet.show_time(started_at),
            'energy', CASE WHEN credit_entry IS NULL THEN 0 ELSE prize END) ORDER BY d.number), '[]')
            FROM juliet.lottery_draws AS d WHERE winner IN (
                SELECT p.number
                UNION ALL
                SELECT former.number FROM juliet.lottery_participants AS former WHERE former.merged_into = p.number)
                AND (juliet.see_draw(d, false)).has_ended))
    FROM juliet.lottery_participants AS p LEFT JOIN juliet.lottery_entries ON participant = number
    WHERE user_id = player
$$;
