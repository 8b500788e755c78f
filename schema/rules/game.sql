-- Numbers of the game that no setting changes. The planner replaces the calls by the numbers.

-- Whether so much energy is for sale.
CREATE OR REPLACE FUNCTION is_product(amount integer) RETURNS boolean
LANGUAGE sql IMMUTABLE AS 'SELECT amount IN (5, 30)';

-- The number of guesses in a judged game.
CREATE OR REPLACE FUNCTION maximum_guesses() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 6';

-- How many unfinished games of past days and of challenges, together, a player may have.
CREATE OR REPLACE FUNCTION maximum_unfinished_games() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 100';

-- How many challenges that are not over a player may have made.
CREATE OR REPLACE FUNCTION maximum_open_challenges() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 50';

-- How many players may begin a challenge.
CREATE OR REPLACE FUNCTION maximum_challenge_players() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1000';

-- Up to how many players the results of a challenge are made for everybody who asks.
CREATE OR REPLACE FUNCTION few_challenge_players() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 10';

-- How many leagues a player may be in.
CREATE OR REPLACE FUNCTION maximum_leagues() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 20';

-- How many members a league may have.
CREATE OR REPLACE FUNCTION maximum_league_members() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 100';

-- How many players may be merged into one in 30 days.
CREATE OR REPLACE FUNCTION maximum_merges() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 3';

-- How many sessions a player may have.
CREATE OR REPLACE FUNCTION maximum_sessions() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 50';

-- How many passkeys a player may have.
CREATE OR REPLACE FUNCTION maximum_passkeys() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 20';
