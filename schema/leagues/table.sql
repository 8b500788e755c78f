-- The table of a league: who did best at the words of the day.

-- Reads what a player may see of a league's table.
--
-- Called by: the service (GET /v2/leagues/{id}/table), each time; the table itself it reads for all who ask at once.
-- Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_league_view(token bytea, league uuid) RETURNS league_view
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer league_view;
    results_of_month text;
BEGIN
    SELECT id INTO answer.member FROM league_members WHERE league_id = league AND user_id = player;
    IF NOT FOUND THEN
        RETURN with_refusal(answer, CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END);
    END IF;
    answer.day := today();
    SELECT results INTO results_of_month FROM daily_results
    WHERE user_id = player AND month = board_start('month', answer.day);
    answer.has_ended := FOUND AND substr(results_of_month, extract(day FROM answer.day)::integer, 1) <> '0';
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_league_view(bytea, uuid) TO juliet_service;

-- Reads the table of a league for a period, for all its members: to members who have not ended today's word the service
-- shows it without today. A member's days count from the one on which they joined.
--
-- Called by: the service (GET /v2/leagues/{id}/table).
-- Answers: the members in the order of the table; nothing if there is no such league.
--
-- The function is STABLE, so it reads everything in the snapshot of the query that calls it. It reads a row a member
-- and month, and of today's games those of the members.
CREATE OR REPLACE FUNCTION read_league_table(league uuid, period board) RETURNS SETOF league_place
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    this_day date := today();
    first_day date := board_start(period, this_day);
    shown_start date := CASE WHEN period <> 'all' THEN first_day END;
    names text[] := ARRAY(SELECT user_id FROM league_members WHERE league_id = league);
    day_end timestamptz := day_start(this_day + 1);
    first_month date := board_start('month', greatest(first_day,
        day_at((SELECT min(joined_at) FROM league_members WHERE league_id = league))));
BEGIN
    RETURN QUERY
    WITH members AS MATERIALIZED (
        SELECT id, user_id, joined_at, greatest(first_day, day_at(joined_at)) AS since
        FROM league_members WHERE league_id = league),
    called AS MATERIALIZED (SELECT user_id, players.name FROM players WHERE user_id = ANY (names)),
    kept AS MATERIALIZED (
        SELECT user_id, month, results FROM daily_results WHERE user_id = ANY (names) AND month >= first_month),
    counted AS (
        SELECT user_id, sum(daily_points(results))::integer AS points,
            sum(char_length(replace(results, '0', '')))::integer AS played,
            sum(char_length(translate(results, '07', '')))::integer AS won
        FROM (SELECT kept.user_id, substr(results, greatest(1, since - month + 1)) AS results
            FROM kept JOIN members ON members.user_id = kept.user_id) AS parts
        GROUP BY user_id),
    todays AS MATERIALIZED (
        SELECT user_id, judged_games.is_won, guess_count,
            floor(extract(epoch FROM ended_at - started_at))::bigint AS seconds, judged_games.marks,
            judged_games.letters
        FROM judged_games WHERE user_id = ANY (names) AND judged_games.day = this_day AND kind = 'daily'
            AND ended_at < day_end)
    SELECT shown_start, this_day,
        (rank() OVER (ORDER BY coalesce(counted.points, 0) DESC, coalesce(counted.won, 0) DESC))::integer,
        members.id, called.name, coalesce(counted.points, 0), coalesce(counted.played, 0), coalesce(counted.won, 0),
        todays.is_won, guess_count, todays.seconds, todays.marks, todays.letters,
        (row_number() OVER (ORDER BY members.joined_at, members.id))::integer
    FROM members JOIN called ON called.user_id = members.user_id
        LEFT JOIN counted ON counted.user_id = members.user_id LEFT JOIN todays ON todays.user_id = members.user_id
    ORDER BY 3, members.joined_at, members.id;
END
$$;
GRANT EXECUTE ON FUNCTION read_league_table(uuid, board) TO juliet_service;
