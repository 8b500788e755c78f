-- How the days' words ended for a player: daily_results, a row a month. Only games that ended on their day are in it.

-- Notes how the word of a day ended. result: the number of guesses of a game that was won, 7 for one that was lost.
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

-- What results are worth: 6 points for a word that was found with one guess, 1 for one with six, none for all else.
--
-- Called by: read_league_table.
CREATE OR REPLACE FUNCTION daily_points(results text) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT 21 * char_length(results) - 6 * char_length(replace(results, '1', ''))
        - 5 * char_length(replace(results, '2', '')) - 4 * char_length(replace(results, '3', ''))
        - 3 * char_length(replace(results, '4', '')) - 2 * char_length(replace(results, '5', ''))
        - char_length(replace(results, '6', ''))
$$;
