-- What is read of participants.

-- The name of a participant, as rounds show it.
CREATE OR REPLACE FUNCTION lottery_name(p lottery_participants) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce(p.name, (SELECT name FROM juliet.players WHERE user_id = p.user_id), 'Player ' || p.number);
END
$$;

-- The document of all users, in JSON, by their numbers.
--
-- Called by: the service (GET /API/SimpleLottery/users.json).
CREATE OR REPLACE FUNCTION lottery_users() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT '{"items": [' || coalesce(string_agg('{"userId": ' || number
        || ', "name": ' || to_json(coalesce(p.name, players.name, 'Player ' || number))
        || ', "username": ' || to_json(coalesce(username, 'player' || number))
        || ', "regDate": ' || to_json(registered_on) || '}', ', ' ORDER BY number), '') || ']}'
    FROM lottery_participants AS p LEFT JOIN players USING (user_id) WHERE is_listed
$$;
GRANT EXECUTE ON FUNCTION lottery_users() TO juliet_service;

-- The document of those who take part, in JSON, in the order of the list.
--
-- Called by: the service (GET /API/SimpleLottery/usersInLottery.json).
CREATE OR REPLACE FUNCTION lottery_list() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT '{"lotteryList": [' || coalesce(string_agg(
        '{"userId": ' || participant || ', "void": ' || is_void || '}', ', ' ORDER BY place), '') || ']}'
    FROM lottery_entries
$$;
GRANT EXECUTE ON FUNCTION lottery_list() TO juliet_service;

-- Reads what is kept about a player in the lottery; NULL: nothing. A draw that is still being shown is not won yet.
--
-- Called by: export_player; operators (juliet users export).
CREATE OR REPLACE FUNCTION lottery_records(player text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = juliet, pg_temp AS $$
    SELECT jsonb_build_object('number', number, 'takesPart', participant IS NOT NULL,
        'isVoid', coalesce(is_void, false), 'won', (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'draw', d.number, 'at', juliet.show_time(started_at),
            'energy', CASE WHEN credit_entry IS NULL THEN 0 ELSE prize END) ORDER BY d.number), '[]')
            FROM juliet.lottery_draws AS d WHERE winner = p.number AND (juliet.see_draw(d, false)).has_ended))
    FROM juliet.lottery_participants AS p LEFT JOIN juliet.lottery_entries ON participant = number
    WHERE user_id = player
$$;
