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

-- The points of results: 6 for a word that was found with one guess, 1 for one with six, none otherwise.
--
-- Called by: read_league_table.
CREATE OR REPLACE FUNCTION daily_points(results text) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT 21 * char_length(results) - 6 * char_length(replace(results, '1', ''))
        - 5 * char_length(replace(results, '2', '')) - 4 * char_length(replace(results, '3', ''))
        - 3 * char_length(replace(results, '4', '')) - 2 * char_length(replace(results, '5', ''))
        - char_length(replace(results, '6', ''))
$$;

-- Combines the results of two players: from the daily games of both that ended on their day.
--
-- Called by: take_over, after merge_games.
CREATE OR REPLACE FUNCTION merge_daily_results(player text, other text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    g record;
    noted_month date;
    noted text;
BEGIN
    DELETE FROM daily_results WHERE user_id = other;
    DELETE FROM daily_results WHERE user_id = player;
    FOR g IN SELECT day, CASE WHEN is_won THEN guess_count ELSE 7 END AS result FROM judged_games
        WHERE user_id = player AND kind = 'daily' AND (ended_at AT TIME ZONE 'UTC')::date = day ORDER BY day
    LOOP
        IF noted_month IS DISTINCT FROM board_start('month', g.day) THEN
            IF noted_month IS NOT NULL THEN
                INSERT INTO daily_results (user_id, month, results) VALUES (player, noted_month, noted);
            END IF;
            noted_month := board_start('month', g.day);
            noted := repeat('0', 31);
        END IF;
        noted := overlay(noted PLACING g.result::text FROM g.day - noted_month + 1);
    END LOOP;
    IF noted_month IS NOT NULL THEN
        INSERT INTO daily_results (user_id, month, results) VALUES (player, noted_month, noted);
    END IF;
END
$$;
