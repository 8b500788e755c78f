-- The document of all users, as text: by their numbers.
CREATE OR REPLACE FUNCTION lottery_users() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT '{"items": [' || coalesce(string_agg('{"userId": ' || number
        || ', "name": ' || to_json(coalesce(p.name, players.name, 'Player ' || number))
        || ', "username": ' || to_json(coalesce(username, 'player' || number))
        || ', "regDate": ' || to_json(registered_on) || '}', ', ' ORDER BY number), '') || ']}'
    FROM lottery_participants AS p LEFT JOIN players USING (user_id) WHERE is_listed
$$;
GRANT EXECUTE ON FUNCTION lottery_users() TO juliet_service;
