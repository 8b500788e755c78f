-- Sets: what many players ask for together, done by one statement for all of them.
--
-- A function whose name ends in _each does for each player of its arrays what the function without _each, the complete
-- one, does for one. It answers each place of the arrays, from 1, exactly once:
--
-- 1. It locks the players' rows of users first, in a statement of its own and in the order of the arrays. Only the
--    statements after that read balances, rules, time and names of operations: one that locks and reads at once would
--    see a row as it is after a wait, and everything else as it was before.
-- 2. It passes over rows that others hold (SKIP LOCKED), so a set does not wait for a player's rows, and has no part in a
--    deadlock.
-- 3. One UPDATE and one INSERT serve all for whom nothing is special.
-- 4. The complete function serves the others whose rows are locked, one after the other: refusals, known names, a player
--    who is in the arrays once more (whose requests are in no order then; the service puts a player into a set once).
-- 5. Who cannot be served without a wait or an error has no answer, and the negative of the place. The service then
--    calls the complete function, in a transaction of its own. So a set does not fail because of one player's request.
--
-- A statement of a set is planned once a session, for arrays and tables of any size. The settings of the functions
-- forbid what is cheaper only as long as a table is small: to read it whole.
--
-- Not where players are spread over several servers: such statements do not lead to one server.

-- The length of an array, if it may be one of a set's; NULL: it is NULL or empty, or has several dimensions, or does
-- not begin with 1.
CREATE OR REPLACE FUNCTION set_length(items anyarray) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN array_ndims(items) = 1 AND array_lower(items, 1) = 1 THEN cardinality(items) END
$$;

-- Raises an error unless arrays are a set: equally long, up to 1000 players. others: the set_length of those beside
-- players. unnest would fill up shorter ones with NULL, and so take a payment's name away.
CREATE OR REPLACE FUNCTION check_set(players text[], VARIADIC others integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF (set_length(players) <= 1000 AND set_length(players) = ALL (others)) IS NOT TRUE THEN
        RAISE 'a set is arrays of equal length, from 1 to 1000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

-- What is left of a set of the app's players, in the order of the arrays. held: of hold_app_users. served: the places
-- that have their answers.
--
-- Called by: pay_for_game_each, buy_energy_each, add_win_each, start_game_each, record_played_word_each.
-- Answers: place: negative for who is not to be served. is_known: false: the app has no such player. All others are for
-- the complete function.
CREATE OR REPLACE FUNCTION rest_of_set(
    players text[], operations text[], requests bigint[], held tid[], served bigint[]
) RETURNS TABLE (place bigint, player text, operation text, request bigint, is_known boolean)
LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY
    SELECT CASE WHEN asked.row IS NULL AND asked.is_known
            OR asked.operation IS NOT NULL AND NOT is_operation(asked.operation, asked.request)
            THEN -asked.place ELSE asked.place END,
        asked.player, asked.operation, asked.request, asked.is_known
    FROM (SELECT *, coalesce(is_app_id(rest.player), false)
                AND EXISTS (SELECT FROM users WHERE id = rest.player OFFSET 0) AS is_known
            FROM unnest(players, operations, requests, held) WITH ORDINALITY
                AS rest (player, operation, request, row, place)
            WHERE rest.place <> ALL (coalesce(served, '{}'))) AS asked
    ORDER BY asked.place;
END
$$;

-- Raises an error unless a set has as many answers as players: the places that were served and the rest. No place has
-- two, since an UPDATE returns a row once, and the rest are the places without one. So each has one.
--
-- Called by: pay_for_game_each, buy_energy_each, add_win_each, start_game_each, record_played_word_each,
-- start_judged_game_each, guess_known_word_each, resign_game_each.
CREATE OR REPLACE FUNCTION check_answers(players text[], served bigint[], rest bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    answers bigint := coalesce(cardinality(served), 0) + rest;
BEGIN
    IF answers <> cardinality(players) THEN
        RAISE 'a set of % players has % answers', cardinality(players), answers
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END
$$;
