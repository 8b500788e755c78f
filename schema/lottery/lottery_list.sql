-- The document of those who take part, as text: in the order of the list.
CREATE OR REPLACE FUNCTION lottery_list() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT '{"lotteryList": [' || coalesce(string_agg('{"userId": ' || participant || ', "void": ' || is_void || '}', ', '
        ORDER BY place), '') || ']}'
    FROM lottery_entries
$$;
GRANT EXECUTE ON FUNCTION lottery_list() TO juliet_service;
