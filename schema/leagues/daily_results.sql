-- The results of the days' words of a player: daily_results, a row a month. Only games that ended on their day are in
-- it.

-- Records how the word of a day ended. result: the number of guesses of a game that was won, 7 for one that was lost.
--
-- Called by: end_game.
CREATE OR REPLACE FUNCTION note_daily_result(player text, of_day date, result integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    first_day date := board_start('month', of_day);
    place integer := of_day - first_day + 1;
    digit text := result::text;
BEGIN
    INSERT INTO daily_results (user_id, month, results)
    VALUES (player, first_day, overlay(repeat('0', 31) PLACING digit FROM place))
    ON CONFLICT (user_id, month) DO UPDATE SET results = overlay(daily_results.results PLACING digit FROM place);
END
$$;

-- How often a result is among results.
--
-- Called by: daily_points.
CREATE OR REPLACE FUNCTION count_result(results text, result text) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT char_length(results) - char_length(replace(results, result, '')) $$;

-- The points of results: 6 for a word that was found with one guess, 1 for one with six, none otherwise.
--
-- Called by: read_league_table.
CREATE OR REPLACE FUNCTION daily_points(results text) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT 6 * juliet.count_result(results, '1') + 5 * juliet.count_result(results, '2')
        + 4 * juliet.count_result(results, '3') + 3 * juliet.count_result(results, '4')
        + 2 * juliet.count_result(results, '5') + juliet.count_result(results, '6')
$$;

-- Combines the results of two players: from the daily games of both that ended on their day.
--
-- Called by: take_over (after merge_games).
CREATE OR REPLACE FUNCTION merge_daily_results(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[] := '{}';
    g record;
BEGIN
    DELETE FROM daily_results WHERE user_id = other;
    DELETE FROM daily_results WHERE user_id = player;
    -- On several servers a query of games may call nothing that reads a table.
    FOR g IN SELECT id, day, ended_at FROM judged_games
        WHERE user_id = player AND kind = 'daily' AND ended_at IS NOT NULL
    LOOP
        IF day_at(g.ended_at) = g.day THEN ids := ids || g.id; END IF;
    END LOOP;
    WITH ended AS MATERIALIZED (
        SELECT board_start('month', day) AS first_day, day, CASE WHEN is_won THEN guess_count ELSE 7 END AS result
        FROM judged_games WHERE user_id = player AND id = ANY (ids))
    INSERT INTO daily_results (user_id, month, results)
    SELECT player, months.first_day, string_agg(coalesce(result, 0)::text, '' ORDER BY place)
    FROM (SELECT DISTINCT first_day FROM ended) AS months CROSS JOIN generate_series(0, 30) AS place
        LEFT JOIN ended ON day = months.first_day + place AND ended.first_day = months.first_day
    GROUP BY months.first_day;
    PERFORM recount_days(player);
END
$$;

-- Counts the days' words of a player again.
--
-- Called by: merge_daily_results.
-- Locks: the player's row of players.
CREATE OR REPLACE FUNCTION recount_days(player text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    counted juliet.players;
    ended record;
BEGIN
    counted.days_played := 0;
    counted.days_won := 0;
    counted.day_streak := 0;
    counted.longest_day_streak := 0;
    FOR ended IN SELECT month + place AS day, substr(results, place + 1, 1) AS result
        FROM daily_results CROSS JOIN generate_series(0, 30) AS place
        WHERE user_id = player AND substr(results, place + 1, 1) <> '0' ORDER BY day
    LOOP
        counted.days_played := counted.days_played + 1;
        IF ended.result = '7' THEN
            counted.day_streak := 0;
        ELSE
            counted.days_won := counted.days_won + 1;
            counted.day_streak := days_in_row(counted.day_streak, counted.last_day_won, ended.day);
            counted.longest_day_streak := greatest(counted.longest_day_streak, counted.day_streak);
            counted.last_day_won := ended.day;
        END IF;
    END LOOP;
    UPDATE players SET days_played = counted.days_played, days_won = counted.days_won,
        day_streak = counted.day_streak, longest_day_streak = counted.longest_day_streak,
        last_day_won = counted.last_day_won
    WHERE user_id = player;
END
$$;
