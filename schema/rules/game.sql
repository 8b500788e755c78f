-- Numbers of the game. The planner replaces the calls by the numbers.

-- The energy that a new player gets.
CREATE OR REPLACE FUNCTION starting_energy() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 30';

-- The energy that a game costs.
CREATE OR REPLACE FUNCTION game_price() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 5';

-- Whether so much energy is for sale.
CREATE OR REPLACE FUNCTION is_product(amount integer) RETURNS boolean
LANGUAGE sql IMMUTABLE AS 'SELECT amount IN (5, 30)';

-- The number of guesses in a judged game.
CREATE OR REPLACE FUNCTION maximum_guesses() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 6';
